import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { documentationIcon } from './documentation-icon';
import { KeptPage } from './kept-page';
import { openApiDocument } from './openapi';
import type { ServerEnvironment } from './server-environment';
import type { ServerOptions } from './server-options';

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
<rapi-doc spec-url="/docs/json" render-style="focused" show-header="false" load-fonts="false"
 theme="light" use-path-in-nav-bar="true" show-method-in-nav-bar="as-colored-block"
 allow-spec-file-download="true"${attributes}></rapi-doc>
</body>
</html>
`;

/**
 * The document and its page, for everybody; what the page calls needs a key
 * (docs/protocol/http-api.md 8.15). Nothing is loaded from anywhere else.
 */
export function addDocumentation(
	app: Hono<ServerEnvironment>,
	{ version, debug, documentationScript, persistAuth = false }: ServerOptions,
): void {
	if (documentationScript === undefined) return;
	const document = (indent?: number) => (): Uint8Array<ArrayBuffer> =>
		Buffer.from(JSON.stringify(openApiDocument({ version, debug }), null, indent));
	const asJson = new KeptPage(document(), { 'content-type': 'application/json; charset=utf-8' });
	// Every JSON text is YAML as well.
	const asYaml = new KeptPage(document(2), { 'content-type': 'text/vnd.yaml' });
	const viewer = new KeptPage(
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
