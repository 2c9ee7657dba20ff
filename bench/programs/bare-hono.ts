import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { serve } from './serve';

/** Server of the same library that does nothing but answer the small call, as its floor. */
serve({
	async open() {
		const app = new Hono();
		const address = 'did:e:localhost:dids:0123456789abcdef012345';
		const result = { address, publicKey: 'x'.repeat(90), realm: 'id1' };
		app.get('/api/v2/Account/IdentityInfo', (context) => context.json({ result }));
		const listener = getRequestListener(app.fetch);
		const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		return { url: `http://127.0.0.1:${port}`, pid: process.pid };
	},
});
