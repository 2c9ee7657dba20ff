import type { AddressInfo } from 'node:net';

import { writeReferenceUrl, writeTruncatedReference } from '../../core/model/reference';
import { createWalletServer } from '../../scripts/start/wallet/wallet-server';
import type { Peer } from '../support/peer/peer';

const reference = {
	id: 'RLT7pITIqN7MJkARHHhn',
	backboneBaseUrl: 'http://localhost:5690',
	key: Buffer.alloc(32, 7).toString('base64url'),
};
const truncated = writeTruncatedReference(reference);
const link = writeReferenceUrl(reference);

describe('the demo wallet', () => {
	const loaded: string[] = [];
	const runtime = {
		loadTemplate: (text: string): Promise<void> => {
			loaded.push(text);
			return Promise.resolve();
		},
	};
	const server = createWalletServer(runtime as unknown as Peer);
	let url: string;

	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/load`;
	});

	beforeEach(() => {
		loaded.length = 0;
	});

	afterAll(() => server.close());

	async function load(text: string): Promise<{ status: number; message?: unknown }> {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ reference: text }),
		});
		return { status: response.status, ...((await response.json()) as object) };
	}

	it.each([
		['the text of a QR code', `nmshd://tr#${truncated}`],
		['the truncated reference', truncated],
		['the link', link],
		['the link between blanks', ` ${link}\n`],
	])('opens %s', async (_what, text) => {
		expect(await load(text)).toEqual({ status: 200 });
		expect(loaded).toEqual([truncated]);
	});

	it('says in plain words that a text is no reference', async () => {
		expect(await load('http://localhost:5690/r/RLT7pITIqN7MJkARHHhn#')).toEqual({
			status: 400,
			message: 'This is not a complete reference. Copy it from the workflow again.',
		});
		expect(loaded).toEqual([]);
	});
});
