import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { documentationIcon } from './documentation-icon';
import { openApiDocument } from './openapi';
import { jsonAnswer } from './route-answer';
import type { ServerEnvironment } from './server-environment';
import type { ServerOptions } from './server-options';

const page = `<!doctype html>
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
 allow-spec-file-download="true"></rapi-doc>
</body>
</html>
`;

/**
 * The document and its page, for everybody; what the page calls needs a key
 * (docs/protocol/http-api.md 8.15). Nothing is loaded from anywhere else.
 */
export function addDocumentation(
	app: Hono<ServerEnvironment>,
	{ version, debug, documentationScript }: ServerOptions,
): void {
	if (documentationScript === undefined) return;
	let written: object | undefined;
	const document = (): object => (written ??= openApiDocument({ version, debug }));
	app.get('/docs', (context) => context.redirect('/docs/rapidoc', 301));
	app.get('/docs/swagger', (context) => context.redirect('/docs/rapidoc', 301));
	app.get('/docs/rapidoc', (context) => context.html(page));
	app.get('/favicon.ico', (context) =>
		context.body(documentationIcon, 200, {
			'content-type': 'image/svg+xml',
			'cache-control': 'max-age=86400',
		}),
	);
	app.get('/docs/json', () => jsonAnswer(document(), 200));
	// Every JSON text is YAML as well.
	app.get('/docs/yaml', (context) =>
		context.body(JSON.stringify(document(), null, 2), 200, { 'content-type': 'text/vnd.yaml' }),
	);
	app.get('/rapidoc/rapidoc-min.js', async (context) =>
		context.body(await readFile(documentationScript), 200, {
			'content-type': 'text/javascript; charset=utf-8',
			'content-encoding': 'gzip',
			'cache-control': 'max-age=86400',
		}),
	);
}
