import type { FileRecord } from '../../../../core/model/record/file';
import { compareFiles } from '../../../../core/sync/reconciliation/file-comparison';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { address, ComparisonBench, otherAddress, ownFile, recovered } from './comparison-bench';

const wireOf = (id: string, parts: object = {}) => ({
	id,
	createdAt: '2029-12-01T00:00:00.000Z',
	createdBy: address,
	createdByDevice: 'DVC1',
	owner: address,
	cipherHash: 'aGFzaA',
	expiresAt: '2040-01-01T00:00:00.000Z',
	encryptedProperties: 'eyJhIjoxfQ',
	...parts,
});

const lookUp = /\/Files\/(FIL[A-Za-z0-9]+)\/metadata$/;

let bench: ComparisonBench;
/** What the Backbone has; lists show the first kind only. */
let listed: object[];
let single: Record<string, unknown>;

const unknown = problem(404, 'error.platform.recordNotFound');

beforeEach(async () => {
	[listed, single] = [[], {}];
	const lookUps = Array.from({ length: 60 }, (_, index): [string, Responder] => [
		`GET /api/v2/Files/FIL${index}/metadata`,
		(request, response) => {
			const found = single[`FIL${index}`];
			const answer = found === undefined ? unknown : result(found);
			answer(request, response);
		},
	]);
	bench = await ComparisonBench.open({
		'GET /api/v2/Files': (request, response) => result(listed)(request, response),
		...Object.fromEntries(lookUps),
	});
});
afterEach(() => bench.close());

const compare = (position: number, looks: Parameters<typeof compareFiles>[2]) =>
	compareFiles(bench, position, looks, {});

const askedIds = (): string[] =>
	bench.server.seen.flatMap(({ path }) => lookUp.exec(path)?.[1] ?? []);

const add = async (count: number, from = 0, parts: Partial<FileRecord> = {}): Promise<void> =>
	await bench.addFiles(
		...Array.from({ length: count }, (_, index) => ownFile(`FIL${from + index}`, parts)),
	);

describe('comparing files that the list shows', () => {
	it('finds those that were locked, and those that have another owner', async () => {
		await add(4);
		await bench.addFiles(ownFile('FIL4', { ownershipIsLocked: true }));
		listed = [
			wireOf('FIL0'),
			wireOf('FIL1', { ownershipIsLocked: true }),
			wireOf('FIL2', { owner: otherAddress, ownershipIsLocked: true }),
			wireOf('FIL3', { ownershipIsLocked: false }),
			wireOf('FIL4', { ownershipIsLocked: true }),
		];
		expect(await compare(0, { isAll: false })).toStrictEqual({
			compared: 5,
			found: [
				recovered({
					id: `recovered:FIL1:locked:${bench.now}`,
					type: 'FileOwnershipLocked',
					payload: { fileId: 'FIL1' },
					createdAt: bench.now,
				}),
				recovered({
					id: `recovered:FIL2:${otherAddress}:${bench.now}`,
					type: 'FileOwnershipClaimed',
					payload: { fileId: 'FIL2', newOwnerAddress: otherAddress },
					createdAt: bench.now,
				}),
			],
		});
	});

	it('leaves out files of others, deleted ones and expired ones', async () => {
		await bench.addFiles(
			ownFile('FIL0', { isOwn: false }),
			ownFile('FIL1', { deletedAt: '2029-12-31T00:00:00.000Z' }),
			ownFile('FIL2', { expiresAt: bench.now }),
			ownFile('FIL3', { expiresAt: new Date(bench.clock.now() + 1).toISOString() }),
		);
		listed = [0, 1, 2, 3].map((index) => wireOf(`FIL${index}`, { owner: otherAddress }));
		const { compared, found } = await compare(0, { isAll: true });
		expect(compared).toBe(1);
		expect(found.map(({ payload }) => payload['fileId'])).toStrictEqual(['FIL3']);
		expect(
			bench.server.calls('/api/v2/Files').map(({ query }) => query.getAll('ids')),
		).toStrictEqual([['FIL3']]);
	});

	it('reads a group, and continues after it', async () => {
		await add(51);
		listed = Array.from({ length: 51 }, (_, index) => wireOf(`FIL${index}`));
		const first = await compare(0, { isAll: false });
		expect(first).toStrictEqual({ compared: 50, found: [], next: expect.any(Number) });
		expect(await compare(first.next ?? 0, { isAll: false })).toStrictEqual({
			compared: 1,
			found: [],
		});
	});

	it('does not end with a group that is full', async () => {
		await add(50);
		listed = Array.from({ length: 50 }, (_, index) => wireOf(`FIL${index}`));
		const first = await compare(0, { isAll: false });
		expect(await compare(first.next ?? 0, { isAll: false })).toStrictEqual({
			compared: 0,
			found: [],
		});
	});
});

describe('comparing files that no list shows', () => {
	it('asks for each of them when all are wanted', async () => {
		await add(3);
		listed = [wireOf('FIL1')];
		single = {
			FIL0: wireOf('FIL0', { ownershipIsLocked: true }),
			FIL2: wireOf('FIL2', { owner: otherAddress }),
		};
		const { compared, found, ...rest } = await compare(0, { isAll: true });
		expect(compared).toBe(3);
		expect(found.map(({ type, payload }) => [type, payload['fileId']])).toStrictEqual([
			['FileOwnershipLocked', 'FIL0'],
			['FileOwnershipClaimed', 'FIL2'],
		]);
		expect(askedIds()).toStrictEqual(['FIL0', 'FIL2']);
		expect(rest).toStrictEqual({});
	});

	it('asks for one of them in each comparison, one after the other, and begins anew', async () => {
		await add(5);
		listed = [wireOf('FIL0'), wireOf('FIL3')];
		for (const id of ['FIL1', 'FIL2', 'FIL4']) single[id] = wireOf(id);
		let askedTo = 0;
		for (let turn = 0; turn < 4; turn++) {
			const seen = await compare(0, { isAll: false, askedTo });
			expect(seen).toStrictEqual({ compared: 3, found: [], askedTo: expect.any(Number) });
			askedTo = seen.askedTo ?? -1;
			if (turn === 2) expect(askedTo).toBe(0);
		}
		expect(askedIds()).toStrictEqual(['FIL1', 'FIL2', 'FIL4', 'FIL1']);
	});

	it('asks for none after the turn of this comparison', async () => {
		await add(1);
		single = { FIL0: wireOf('FIL0', { ownershipIsLocked: true }) };
		expect(await compare(0, { isAll: false })).toStrictEqual({ compared: 0, found: [] });
		expect(askedIds()).toStrictEqual([]);
	});

	it('begins the next turn at the start when none is left', async () => {
		await add(2);
		listed = [wireOf('FIL0'), wireOf('FIL1')];
		const { position } = await bench.store.read((tx) => tx.files.scan(0, 1));
		for (const askedTo of [0, position, 1_000]) {
			expect(await compare(0, { isAll: false, askedTo })).toStrictEqual({
				compared: 2,
				found: [],
				askedTo: 0,
			});
		}
	});

	it('leaves the turn to a later group', async () => {
		await add(52);
		listed = Array.from({ length: 50 }, (_, index) => wireOf(`FIL${index}`));
		single = { FIL50: wireOf('FIL50'), FIL51: wireOf('FIL51') };
		// No file of the first group is without a list, or all of them had their turn.
		const { next = 0, ...first } = await compare(0, { isAll: false, askedTo: 0 });
		expect(first).toStrictEqual({ compared: 50, found: [] });
		const afterFirst = await compare(0, { isAll: false, askedTo: next });
		expect(afterFirst).toStrictEqual({ compared: 50, found: [], next });
		const second = await compare(next, { isAll: false, askedTo: 0 });
		expect(second).toStrictEqual({ compared: 1, found: [], askedTo: expect.any(Number) });
		expect(askedIds()).toStrictEqual(['FIL50']);
		const third = await compare(next, { isAll: false, askedTo: second.askedTo ?? 0 });
		expect(third).toStrictEqual({ compared: 1, found: [], askedTo: 0 });
		expect(askedIds()).toStrictEqual(['FIL50', 'FIL51']);
	});

	it('continues in a group that begins before the position reached', async () => {
		await add(51);
		listed = [wireOf('FIL50')];
		for (let index = 0; index < 50; index++) single[`FIL${index}`] = wireOf(`FIL${index}`);
		const { position: askedTo } = await bench.store.read((tx) => tx.files.scan(0, 49));
		const last = await compare(0, { isAll: false, askedTo });
		expect(askedIds()).toStrictEqual(['FIL49']);
		// The last file of a group is not the last of all.
		expect(last).toStrictEqual({
			compared: 1,
			found: [],
			next: expect.any(Number),
			askedTo: last.next,
		});
	});

	it('takes a file without a usable answer for unchanged', async () => {
		await add(2);
		single = { FIL1: 'no file' };
		const seen = await compare(0, { isAll: true });
		expect(seen).toStrictEqual({ compared: 2, found: [] });
		expect(askedIds()).toStrictEqual(['FIL0', 'FIL1']);
	});
});

it('a Backbone that does not answer ends the comparison of files', async () => {
	const away = await ComparisonBench.open({
		'GET /api/v2/Files': result([]),
		'GET /api/v2/Files/FIL0/metadata': empty(503),
	});
	try {
		await away.addFiles(ownFile('FIL0'));
		const error = await failureOf(compareFiles(away, 0, { isAll: true }, {}));
		expect(error['kind']).toBe('unavailable');
	} finally {
		await away.close();
	}
});
