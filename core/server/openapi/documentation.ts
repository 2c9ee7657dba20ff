import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { CachedPage } from './cached-page';
import { openApiDocument } from './openapi';
import type { ServerEnvironment } from '../server-environment';
import type { ServerOptions } from '../server-options';

const pageWith = (attributes: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.ico">
<title>enmeshed gateway</title>
<script type="module" src="/rapidoc/rapidoc-min.js"></script>
</head>
<body>
<div id="swagger-ui" style="display: contents">
<rapi-doc spec-url="/docs/json" render-style="focused" show-header="false" load-fonts="false"
 theme="light" use-path-in-nav-bar="true" show-method-in-nav-bar="as-colored-block"
 allow-spec-file-download="true"${attributes}></rapi-doc>
</div>
</body>
</html>
`;

/**
 * Icon that browsers show beside the title of the page, which is the icon of the nodes
 * (`icons/enmeshed.svg`).
 */
const documentationIcon = [
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60">',
	'<path fill="#0B7A75" d="M15 42h-3a12 12 0 0 1-12-12V12a12 12 0 0 1 12-12h18a12 12 0 0 1 12 12v18',
	'a12 12 0 0 1-12 12v-9a3 3 0 0 0 3-3V12a3 3 0 0 0-3-3H12a3 3 0 0 0-3 3v18a3 3 0 0 0 3 3h3z"/>',
	'<path fill="#E8590C" d="M45 18h3a12 12 0 0 1 12 12v18a12 12 0 0 1-12 12H30a12 12 0 0 1-12-12V30',
	'a12 12 0 0 1 12-12v9a3 3 0 0 0-3 3v18a3 3 0 0 0 3 3h18a3 3 0 0 0 3-3V30a3 3 0 0 0-3-3h-3z"/>',
	'</svg>',
].join('');

/**
 * Serves the OpenAPI document and its page without authentication; the calls that the page makes
 * need a key (docs/protocol/http-api.md 8.15). The page loads nothing from other hosts.
 */
export function addDocumentation(app: Hono<ServerEnvironment>, options: ServerOptions): void {
	const { documentationScript, persistAuth = false } = options;
	if (documentationScript === undefined) return;
	const document = (indent?: number) => (): Uint8Array<ArrayBuffer> =>
		Buffer.from(JSON.stringify(openApiDocument(options), null, indent));
	const asJson = new CachedPage(document(), { 'content-type': 'application/json; charset=utf-8' });
	// JSON is valid YAML.
	const asYaml = new CachedPage(document(2), { 'content-type': 'text/vnd.yaml' });
	const viewer = new CachedPage(
		() => readFile(documentationScript),
		{ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=86400' },
		true,
	);
	const page = pageWith(persistAuth ? ' persist-auth="true"' : '');
	app.get('/docs', (context) => context.redirect('/docs/swagger', 301));
	for (const path of ['/docs/swagger', '/docs/rapidoc']) {
		app.get(path, (context) => context.html(page));
	}
	app.get('/favicon.ico', (context) =>
		context.body(documentationIcon, 200, {
			'content-type': 'image/svg+xml',
			'cache-control': 'max-age=86400',
		}),
	);
	app.get('/docs/json', (context) => asJson.answer(context));
	app.get('/docs/yaml', (context) => asYaml.answer(context));
	app.get('/rapidoc/rapidoc-min.js', (context) => viewer.answer(context));
}
