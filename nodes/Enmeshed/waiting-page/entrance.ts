import { escapeHtml, escapeJson } from './page-markup';
import type { PageResponse } from './page-state';
import { groundStyle, pageStyle } from './page-style';
import { textsFor } from './page-texts';

/**
 * Script that leads to the page as soon as n8n serves it. n8n answers 409 until it has stored that
 * the execution waits, which happens after this response.
 */
const script = `
'use strict';
(() => {
	const { pageUrl, statusUrl } = JSON.parse(document.getElementById('config').textContent);
	let tries = 0;
	const enter = () => location.replace(pageUrl);
	async function tryToEnter() {
		tries += 1;
		try {
			const response = await fetch(statusUrl, { cache: 'no-store', credentials: 'omit' });
			if (response.ok) return enter();
		} catch {}
		if (tries < 40) setTimeout(tryToEnter, 100 + 25 * tries);
		else enter();
	}
	setTimeout(tryToEnter, 150);
})();
`;

/** Page with which the caller of the workflow is answered; it leads to the waiting page. */
export function renderEntrance(entrance: {
	readonly pageUrl: string;
	readonly statusUrl: string;
	readonly language: string;
}): PageResponse {
	const { pageUrl, statusUrl, language } = entrance;
	const { entering } = textsFor(language);
	return {
		statusCode: 200,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			// The address of the page contains a secret.
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-robots-tag': 'noindex, nofollow',
		},
		body: `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style>${groundStyle}</style>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<noscript><meta http-equiv="refresh" content="3; url=${escapeHtml(pageUrl)}"></noscript>
<link rel="icon" href="data:,">
<title>${escapeHtml(entering)}</title>
<style>${pageStyle}</style>
</head>
<body data-state="waiting">
<main>
<div id="status" role="status"><span aria-hidden="true"><span class="spinner"></span></span><p>${escapeHtml(entering)}</p></div>
</main>
<script type="application/json" id="config">${escapeJson({ pageUrl, statusUrl })}</script>
<script>${script}</script>
</body>
</html>
`,
	};
}
