import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { auditPackages } from '../../../scripts/release/audit-packages';
import { bundledPackages } from '../../../scripts/release/bundled-packages';

/* `npm run audit:bundled`, with the npm of this machine and a registry of the test */
const question = '/-/npm/v1/security/advisories/bulk';

const licences = [
	'@scope/cipher 2.4.0 (MIT)\n\nPermission is granted (see above).\n',
	'parser 4.1.0 (MIT)\n\nVersion 4.1 (2026)\n',
	'parser 5.0.0-rc.1 ((MIT OR Apache-2.0))\n\nText\n',
].join(`\n${'-'.repeat(78)}\n\n`);

describe('the bundled packages', () => {
	let registry: Server;
	let asked: unknown;
	let answer: { readonly status: number; readonly body: unknown };
	let environment: NodeJS.ProcessEnv;

	beforeEach(async () => {
		registry = createServer((request, response) => {
			void bodyOf(request).then((body) => {
				const isQuestion = request.method === 'POST' && request.url === question;
				if (isQuestion) asked = body;
				response.statusCode = isQuestion ? answer.status : 404;
				response.end(JSON.stringify(isQuestion ? answer.body : {}));
			});
		});
		await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
		const { port } = registry.address() as AddressInfo;
		environment = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}` };
	});

	afterEach(async () => {
		registry.closeAllConnections();
		await new Promise((resolve) => registry.close(resolve));
	});

	const audit = () => auditPackages(bundledPackages(licences), environment);

	it('are asked about in exactly the bundled versions', async () => {
		answer = { status: 200, body: {} };
		expect(await audit()).toEqual([]);
		expect(asked).toEqual({ '@scope/cipher': ['2.4.0'], parser: ['4.1.0', '5.0.0-rc.1'] });
	});

	it('are reported with the advisories of the registry', async () => {
		const advisory = {
			id: 1,
			url: 'https://example.com/1',
			title: 'Endless loop',
			severity: 'high',
			vulnerable_versions: '<5',
			cwe: [],
			cvss: { score: 7 },
		};
		answer = { status: 200, body: { parser: [advisory] } };
		expect(await audit()).toMatchObject([
			{ name: 'parser', severity: 'high', title: 'Endless loop', url: 'https://example.com/1' },
		]);
	});

	it('are not called clean by a registry without advisories', async () => {
		answer = { status: 405, body: {} };
		await expect(audit()).rejects.toThrow(/^Nothing was audited, .* 405 Method Not Allowed/s);
	});

	it('are not called clean if the licence file names none', () => {
		expect(() => bundledPackages('MIT License\n')).toThrow("no line 'name version (licence)'");
	});
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const bytes = Buffer.concat(chunks);
	const isPacked = request.headers['content-encoding'] === 'gzip';
	const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
	return text === '' ? undefined : JSON.parse(text);
}
