import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { claimDemo, describeRunning, runningDemo } from '../../../scripts/lib/demo-state.mjs';

/* `npm start`, started twice on one checkout */
describe('the state of the demo', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-demo-'));
	});

	afterEach(() => rmSync(folder, { recursive: true }));

	it('is free before the first start and after each end', async () => {
		expect(await runningDemo(folder)).toBeUndefined();
		const claim = await claimDemo(join(folder, 'new'));
		await claim.release();
		expect(await runningDemo(join(folder, 'new'))).toBeUndefined();
	});

	it('is refused to a second start, which says where the first one is', async () => {
		const claim = await claimDemo(folder);
		expect(await runningDemo(folder)).toEqual({});
		claim.announce({ n8n: 'http://127.0.0.1:5678', 'demo wallet': 'http://127.0.0.1:5691' });
		await expect(claimDemo(folder)).rejects.toThrow(
			'The demo of this checkout is running already.\n' +
				'  n8n               http://127.0.0.1:5678\n' +
				'  demo wallet       http://127.0.0.1:5691\n' +
				'Ctrl-C there stops it.',
		);
		await claim.release();
		await (await claimDemo(folder)).release();
	});

	it('is free after a crash, also when another program has got the port since', async () => {
		const other = createServer((_request, response) => response.end('{"id":"other"}'));
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const { port } = other.address() as AddressInfo;
		writeFileSync(join(folder, 'running.json'), JSON.stringify({ id: 'mine', port }));
		expect(await runningDemo(folder)).toBeUndefined();
		await new Promise((resolve) => other.close(resolve));
		expect(await runningDemo(folder)).toBeUndefined();
		writeFileSync(join(folder, 'running.json'), '{"id');
		expect(await runningDemo(folder)).toBeUndefined();
	});

	it('says that a demo without addresses is still starting', () => {
		expect(describeRunning({})).toContain('It is still starting.');
	});
});
