import {
	escapeHtml,
	escapeJson,
	icons,
	readQrCode,
	renderQrCode,
	type QrCode,
} from './page-markup';
import { pageScript, type EndTexts, type ScriptConfig } from './page-script';
import { checkState, cut, readAddress, type PageResponse, type PageState } from './page-state';
import { codeStyle, groundStyle, pageStyle } from './page-style';
import { textsFor, type PageTexts } from './page-texts';

/** Question to the visitor; needed only while the page waits. */
export interface Invitation {
	readonly text: string;
	/** as drawn by the gateway */
	readonly qrCodeSvg: string;
	/** http(s) address, or address of the wallet app; others leave the button out */
	readonly link: string;
	/** ISO date; without it the page has no countdown */
	readonly expiresAt?: string | undefined;
	/** absolute http(s) address, or absolute path, that answers with {@link renderStatus} */
	readonly statusUrl: string;
}

export interface WaitingPage {
	readonly title: string;
	readonly state: PageState;
	/** left out or ignored after the end */
	readonly invitation?: Invitation | undefined;
	/** BCP 47 tag, for example from `chooseLanguage` */
	readonly language: string;
	readonly texts?: Partial<PageTexts>;
	/** new random text for each response, which allows its script and its style */
	readonly nonce: string;
	/** time of the server in milliseconds */
	readonly now: number;
}

const longestTitle = 200;
const longestQuestion = 2_000;
const longestLink = 4_000;
const linkProtocols = ['https:', 'http:', 'nmshd:', 'enmeshed:'];
const rightToLeft = ['ar', 'fa', 'he', 'ur'];

/**
 * Renders the page of a question that waits for a wallet. The page works in n8n's sandbox: it uses
 * no cookies and no storage, loads nothing, and reads its state with requests of an opaque origin.
 *
 * @throws TypeError for an invitation that no workflow can cause
 */
export function renderWaitingPage(page: WaitingPage): PageResponse {
	const { invitation, nonce } = page;
	if (!/^[\w+/=-]{16,100}$/.test(nonce)) throw new TypeError('Expected a random nonce');
	const state = checkState(page.state);
	const language = canonicalLanguage(page.language);
	const texts = textsFor(language, page.texts);
	const title = cut(page.title, longestTitle);
	const open = state.state === 'waiting' ? invitation : undefined;
	if (state.state === 'waiting' && open === undefined) throw new TypeError('Nothing to wait for');
	const code = open === undefined ? undefined : readQrCode(open.qrCodeSvg);
	const config = configure({ page, open, state, language, title, texts });
	const [primary = ''] = language.split('-');
	const direction = rightToLeft.includes(primary) ? 'rtl' : 'ltr';
	const headline = headlineOf(state, texts);
	const documentTitle = open === undefined ? `${headline.plain} – ${title}` : title;
	return {
		statusCode: state.state === 'gone' ? 410 : 200,
		headers: headersOf(nonce, open?.statusUrl),
		body: `<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style nonce="${nonce}">${groundStyle}</style>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
${renderRefresh(state)}<link rel="icon" href="data:,">
<title>${escapeHtml(documentTitle)}</title>
<style nonce="${nonce}">${pageStyle}${code === undefined ? '' : codeStyle(code.modules)}</style>
</head>
<body data-state="${state.state}">
<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
${open === undefined || code === undefined ? '' : renderInvitation(open, code, texts)}
<div id="status" role="status" tabindex="-1">
<span aria-hidden="true">${icons}</span>
<p id="headline">${headline.html}</p>
<p id="detail">${escapeHtml(detailOf(state, texts))}</p>
</div>
${open?.expiresAt === undefined ? '<p id="countdown" hidden></p>' : renderExpiry(open.expiresAt, language, texts)}
${renderContinue(state, texts)}
</main>
<script type="application/json" id="config">${escapeJson(config)}</script>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`,
	};
}

/**
 * The sandbox has less than n8n's own: the page needs scripts, its button and redirects. It may
 * stand in a frame, because forms that lead to it may.
 */
function headersOf(nonce: string, statusUrl: string | undefined): Record<string, string> {
	const policy = [
		'sandbox allow-scripts allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols',
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
		'img-src data:',
		`connect-src ${statusUrl === undefined ? "'none'" : sourceOf(statusUrl)}`,
		"base-uri 'none'",
		"form-action 'none'",
	];
	return {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': policy.join('; '),
		'cache-control': 'no-store',
		// The address of the page and the link contain secrets.
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'x-robots-tag': 'noindex, nofollow',
	};
}

function sourceOf(statusUrl: string): string {
	// Browsers differ in whether 'self' names the address of a page whose origin is opaque.
	if (/^\/(?![/\\])/.test(statusUrl)) return 'http: https:';
	const url = readAddress(statusUrl, ['https:', 'http:'], longestLink);
	if (url === undefined) throw new TypeError('Expected an http(s) address or a path to poll');
	return url.origin;
}

interface Prepared {
	readonly page: WaitingPage;
	readonly open: Invitation | undefined;
	readonly state: PageState;
	readonly language: string;
	readonly title: string;
	readonly texts: PageTexts;
}

function configure({ page, open, state, language, title, texts }: Prepared): ScriptConfig {
	const expiry = open?.expiresAt === undefined ? undefined : Date.parse(open.expiresAt);
	const { waiting, progress, offline, validFor } = texts;
	return {
		statusUrl: open?.statusUrl,
		language,
		title,
		millisecondsLeft: expiry === undefined ? undefined : Math.max(0, expiry - page.now),
		redirectTo: state.state === 'answered' ? state.redirectTo : undefined,
		texts: { waiting, progress, offline, validFor },
		ends: open === undefined ? {} : endsOf(texts),
	};
}

function endsOf(texts: PageTexts): Record<Exclude<PageState['state'], 'waiting'>, EndTexts> {
	return {
		answered: {
			headline: texts.thanksWithoutName,
			named: texts.thanks,
			detail: texts.answered,
			redirecting: texts.redirecting,
		},
		rejected: { headline: texts.rejected, detail: texts.rejectedDetail },
		expired: { headline: texts.expired, detail: texts.expiredDetail },
		gone: { headline: texts.gone, detail: texts.goneDetail },
	};
}

function waitingText(
	{ progress }: Extract<PageState, { state: 'waiting' }>,
	texts: PageTexts,
): string {
	if (progress === undefined || progress.answers === 0) return texts.waiting;
	return texts.progress
		.replace('{answers}', String(progress.answers))
		.replace('{wanted}', String(progress.wanted));
}

/** Headline as text and as HTML, in which the direction of a name affects nothing around it. */
function headlineOf(state: PageState, texts: PageTexts): { plain: string; html: string } {
	if (state.state === 'waiting') return asHeadline(waitingText(state, texts));
	const { headline, named } = endsOf(texts)[state.state];
	if (state.state !== 'answered' || state.name === undefined) return asHeadline(headline);
	const parts = (named ?? headline).split('{name}');
	const html = parts.map(escapeHtml).join(`<bdi>${escapeHtml(state.name)}</bdi>`);
	return { plain: parts.join(state.name), html };
}

function asHeadline(plain: string): { plain: string; html: string } {
	return { plain, html: escapeHtml(plain) };
}

function detailOf(state: PageState, texts: PageTexts): string {
	if (state.state === 'waiting') return '';
	if (state.state === 'answered' && state.redirectTo !== undefined) return texts.redirecting;
	return endsOf(texts)[state.state].detail;
}

function renderInvitation({ text, link }: Invitation, code: QrCode, texts: PageTexts): string {
	const address = readAddress(link, linkProtocols, longestLink)?.href;
	const question = cut(text, longestQuestion);
	return [
		'<div id="invitation">',
		question === '' ? '' : `<p class="text" dir="auto">${escapeHtml(question)}</p>`,
		`<div class="frame">${renderQrCode(code, texts.qrCode)}</div>`,
		`<p class="scan">${escapeHtml(texts.scan)}</p>`,
		address === undefined
			? ''
			: `<a class="button" href="${escapeHtml(address)}">${escapeHtml(texts.open)}</a>`,
		'</div>',
	].join('\n');
}

function renderExpiry(expiresAt: string, language: string, texts: PageTexts): string {
	const format = new Intl.DateTimeFormat(language, {
		dateStyle: 'long',
		timeStyle: 'short',
		timeZone: 'UTC',
	});
	const date = `${format.format(new Date(expiresAt))} UTC`;
	return `<p id="countdown" role="timer">${escapeHtml(texts.validUntil.replace('{time}', () => date))}</p>`;
}

function renderContinue(state: PageState, texts: PageTexts): string {
	const address = state.state === 'answered' ? state.redirectTo : undefined;
	const target = address === undefined ? 'hidden' : `href="${escapeHtml(address)}"`;
	return `<a class="button" id="continue" ${target}>${escapeHtml(texts.continue)}</a>`;
}

/** Lets browsers without scripts follow: they load the page again, or the page that follows. */
function renderRefresh(state: PageState): string {
	const address = state.state === 'answered' ? state.redirectTo : undefined;
	if (state.state !== 'waiting' && address === undefined) return '';
	const target = address === undefined ? '10' : `2; url=${address}`;
	return `<noscript><meta http-equiv="refresh" content="${escapeHtml(target)}"></noscript>\n`;
}

function canonicalLanguage(language: string): string {
	try {
		return Intl.getCanonicalLocales(language)[0] ?? 'en';
	} catch {
		return 'en';
	}
}
