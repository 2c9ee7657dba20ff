import { bundledPage } from './bundled-page';

export interface PageFile {
	readonly type: string;
	readonly content: string;
}

let files: ReadonlyMap<string, PageFile> | undefined;

/** File of the page by its path; undefined for other paths. */
export function pageFile(path: string): PageFile | undefined {
	files ??= bundlePage();
	return files.get(path);
}

const html = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<meta name="color-scheme" content="light dark">
		<title>Demo wallet</title>
		<link rel="icon" href="/icon.svg">
		<link rel="stylesheet" href="/page.css">
		<script type="module" src="/page.js"></script>
	</head>
	<body>
		<noscript>The demo wallet needs JavaScript.</noscript>
		<div id="wallet"></div>
	</body>
</html>
`;

const icon =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="7" y="2" width="18" ' +
	'height="28" rx="4" fill="#2b5ce0"/><circle cx="16" cy="24" r="2" fill="#fff"/></svg>';

function bundlePage(): ReadonlyMap<string, PageFile> {
	const { script, style } = bundledPage();
	return new Map([
		['/', { type: 'text/html; charset=utf-8', content: html }],
		['/page.js', { type: 'text/javascript; charset=utf-8', content: script }],
		['/page.css', { type: 'text/css; charset=utf-8', content: style }],
		['/icon.svg', { type: 'image/svg+xml', content: icon }],
	]);
}
