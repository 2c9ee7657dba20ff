import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { serve } from './serve';
import { TrafficMeter } from './traffic';

/** Accepts any body and answers with the number of bytes in the query. */
function echo(request: IncomingMessage, response: ServerResponse): void {
	const length = Number(new URLSearchParams(request.url?.split('?')[1]).get('bytes'));
	request.resume().on('end', () => {
		response.writeHead(200, { 'content-length': length }).end(Buffer.alloc(length, 'x'));
	});
}

const meter = new TrafficMeter();

serve({
	/** Backbone for both sides, and a plain server for the floor. */
	async open({ port }: { port?: number } = {}) {
		const backbone = await SandboxBackbone.open({
			maxUnreceivedMessages: 1_000_000,
			...(port === undefined ? {} : { port }),
		});
		const floor = createServer(echo);
		await new Promise<void>((resolve) => floor.listen(0, '127.0.0.1', resolve));
		const { port: floorPort } = floor.address() as AddressInfo;
		return { baseUrl: backbone.baseUrl, floorUrl: `http://127.0.0.1:${floorPort}` };
	},
	traffic: () => meter.take(),
});
