import { createHash } from 'node:crypto';
import type { Answer } from './context';

/** The part of a link behind '#' reaches no server, so the browser hands the link over itself. */
const script =
	"const { wallet } = document.body.dataset; if (wallet !== undefined) location.replace(wallet + '/#open=' + encodeURIComponent(location.href));";

const scriptHash = createHash('sha256').update(script).digest('base64');

/**
 * Page behind a link of this Backbone: leads to the demo wallet, as links of a real Backbone lead to
 * a wallet app.
 *
 * @param walletUrl address of the demo wallet; without one the page says what the link is for
 */
export function linkPage(walletUrl: string | undefined): Answer {
	const text =
		walletUrl === undefined
			? 'This is a link for a wallet. Copy it from the address bar, and open it in your wallet.'
			: 'Opening the demo wallet …';
	const data = walletUrl === undefined ? '' : ` data-wallet="${new URL(walletUrl).origin}"`;
	const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Wallet</title>
<link rel="icon" href="data:,">
<body${data}>
<p>${text}</p>
<script>${script}</script>
</body>
</html>
`;
	const policy = `default-src 'none'; img-src data:; script-src 'sha256-${scriptHash}'`;
	const headers = {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': policy,
		'referrer-policy': 'no-referrer',
	};
	return { status: 200, raw: page, headers };
}
