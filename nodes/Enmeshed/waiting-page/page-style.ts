/**
 * Ground of the page, for the first bytes of the document: browsers paint it before the rest has
 * arrived, so that nothing flashes white in dark mode.
 */
export const groundStyle =
	'html{background:#fbfcfe}@media(prefers-color-scheme:dark){html{background:#171717}}';

/** Style of the waiting page: the look of n8n's forms, with contrasts of at least 4.5 to 1. */
export const pageStyle = `
:root {
	color-scheme: light dark;
	--ground: #fbfcfe;
	--card: #fff;
	--border: #dbdfe7;
	--shadow: 0 4px 16px rgb(99 77 255 / 6%);
	--heading: #2d2e33;
	--text: #525356;
	--faint: #64676d;
	--accent: #c93a24;
	--accent-hover: #a92c19;
	--on-accent: #fff;
	--focus: #5a4cc2;
	--good: #1d7a4f;
}
@media (prefers-color-scheme: dark) {
	:root {
		--ground: #171717;
		--card: #232323;
		--border: #3d3d3d;
		--shadow: none;
		--heading: #f5f5f5;
		--text: #d4d4d4;
		--faint: #a8a8a8;
		--accent: #ff8571;
		--accent-hover: #ff9f8f;
		--on-accent: #241310;
		--focus: #a79ff5;
		--good: #4ec98c;
	}
}
* { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-text-size-adjust: 100%; }
body {
	min-height: 100vh;
	min-height: 100svh;
	display: flex;
	padding: 24px 16px;
	background: var(--ground);
	color: var(--text);
	font: 400 16px/1.5 'Open Sans', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
	text-align: center;
	overflow-wrap: anywhere;
}
main {
	width: 100%;
	max-width: 448px;
	margin: auto;
	padding: 32px 24px 28px;
	background: var(--card);
	border: 1px solid var(--border);
	border-radius: 8px;
	box-shadow: var(--shadow);
}
h1 { color: var(--heading); font-size: 22px; line-height: 1.3; font-weight: 600; text-wrap: balance; }
.text { margin-top: 8px; white-space: pre-line; text-wrap: pretty; }
.frame {
	display: inline-block;
	max-width: 100%;
	margin-top: 24px;
	line-height: 0;
	background: #fff;
	border: 1px solid var(--border);
	border-radius: 8px;
	overflow: hidden;
}
.code { max-width: 100%; }
.scan { margin-top: 12px; color: var(--faint); font-size: 14px; }
.button {
	display: block;
	margin-top: 20px;
	padding: 12px 24px;
	border-radius: 6px;
	background: var(--accent);
	color: var(--on-accent);
	font-weight: 600;
	text-decoration: none;
}
.button:hover { background: var(--accent-hover); }
a:focus-visible, #status:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
#status {
	display: flex;
	align-items: center;
	justify-content: center;
	gap: 10px;
	margin-top: 24px;
	font-size: 15px;
}
#detail:empty, [hidden] { display: none; }
#countdown { margin-top: 4px; color: var(--faint); font-size: 14px; font-variant-numeric: tabular-nums; }
.spinner {
	display: block;
	width: 16px;
	height: 16px;
	border: 2px solid var(--border);
	border-top-color: var(--accent);
	border-radius: 50%;
	animation: turn 1s linear infinite;
}
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 6s; } }
.icon { display: none; width: 56px; height: 56px; color: var(--faint); }
body:not([data-state='waiting']) #status { flex-direction: column; gap: 0; margin-top: 28px; }
body:not([data-state='waiting']) .spinner { display: none; }
body:not([data-state='waiting']) #headline {
	margin-top: 16px;
	color: var(--heading);
	font-size: 20px;
	line-height: 1.3;
	font-weight: 600;
}
body:not([data-state='waiting']) #detail { margin-top: 8px; text-wrap: balance; }
body:not([data-state='waiting']) h1 { color: var(--faint); font-size: 15px; font-weight: 400; }
[data-state='answered'] .icon.answered { display: block; color: var(--good); }
[data-state='rejected'] .icon.rejected,
[data-state='expired'] .icon.expired,
[data-state='gone'] .icon.gone { display: block; }
/* A mouse belongs to a screen that is scanned, so the button steps back behind the code. */
@media (hover: hover) and (pointer: fine) {
	#invitation .button { background: none; box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent); }
	#invitation .button:hover { box-shadow: inset 0 0 0 1px var(--accent-hover); color: var(--accent-hover); }
}
@media (forced-colors: active) { .button { border: 1px solid; } }
@media (min-width: 600px) {
	main { padding: 40px 40px 36px; }
	h1 { font-size: 24px; }
}
`;

/** Width of the QR code on narrow phones, on usual phones and on other screens, in pixels. */
const widths = [
	{ minWidth: 0, room: 278 },
	{ minWidth: 390, room: 308 },
	{ minWidth: 600, room: 366 },
] as const;

/** Gives every module of the QR code the same number of whole pixels. */
export function codeStyle(modules: number): string {
	return widths
		.map(({ minWidth, room }) => {
			const width = Math.max(1, Math.floor(room / modules)) * modules;
			return `@media (min-width: ${minWidth}px) { .code { width: ${width}px; } }\n`;
		})
		.join('');
}
