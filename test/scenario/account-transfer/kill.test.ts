import { execFile } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, type AccountPlace } from '../../../core';
import { mailTo, TestNetwork } from '../../support/gateways';
import { fullAccount, type FullAccount } from './full-account';
import { nodesOfThisRun, quietNode } from '../../support/nodes';
import { testProgram } from '../../support/quick/test-program';
import { contentOf, accountStateIn, placeIn } from './places';

jest.setTimeout(900_000);

const password = 'a long enough password';
const program = testProgram('test/scenario/account-transfer/kill-worker.ts');
let network: TestNetwork;
let account: FullAccount;
let node: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	account = await fullAccount(network);
});

afterAll(() => network.close());

interface Outcome {
	readonly killed: boolean;
	readonly failure: string;
}

type Operation = 'move' | 'export' | 'retire' | 'import';

interface Places {
	readonly from: AccountPlace;
	readonly to: AccountPlace;
	readonly file: string;
}

function work(operation: Operation, places: Places, killAt: number): Promise<Outcome> {
	const task = { operation, ...places, password, killAt };
	return new Promise((resolve) => {
		execFile(node, [quietNode, program, JSON.stringify(task)], (error, _out, failure) => {
			resolve({ killed: error?.signal === 'SIGKILL', failure });
		});
	});
}

/** The same account again, as it was before anything was moved. */
function freshPlaces(): Places {
	const folder = network.newFolder();
	cpSync(account.folder, folder, { recursive: true });
	const other = network.newFolder();
	return { from: placeIn(folder), to: placeIn(other), file: join(other, 'file') };
}

/** How a gateway finds the place: `opens`, or the code of its refusal; nothing where nothing is. */
async function foundAt(place: AccountPlace): Promise<string> {
	if ((await accountStateIn(place)) === undefined) return 'nothing';
	try {
		const gateway = await network.gateway({ ...network.config(), store: place.store });
		await gateway.close();
		return 'opens';
	} catch (error) {
		return codeOf(error) ?? String(error);
	}
}

const moved = 'error.gateway.store.accountMoved';
const unfinished = 'error.gateway.store.moveUnfinished';

async function atEveryPoint(
	operation: Operation,
	step: (places: Places, point: number) => Promise<Outcome>,
): Promise<number> {
	for (let point = 1; point < 400; point++) {
		if (!(await step(freshPlaces(), point)).killed) return point - 1;
	}
	throw new Error(`the ${operation} never came to its end`);
}

describe.each(nodesOfThisRun)('a process that dies while moving on %s', (_name, nodeProgram) => {
	beforeAll(async () => {
		node = await nodeProgram();
	});

	it('leaves one living copy, or none and both say so; the same command completes it', async () => {
		const before = await contentOf(placeIn(account.folder));
		const seen = new Set<string>();
		const points = await atEveryPoint('move', async (places, point) => {
			const first = await work('move', places, point);
			const found = [await foundAt(places.from), await foundAt(places.to)];
			seen.add(found.join(' '));
			expect(await work('move', places, 0)).toEqual({ killed: false, failure: '' });
			expect([await foundAt(places.from), await foundAt(places.to)]).toEqual([moved, 'opens']);
			expect((await contentOf(places.to)).digests).toEqual(before.digests);
			return first;
		});
		expect(points).toBeGreaterThan(20);
		expect([...seen].sort()).toEqual(
			[
				'opens nothing',
				`opens ${unfinished}`,
				// The source is retired, the copy not awake: both name what is to be done.
				`${moved} ${unfinished}`,
				`${moved} opens`,
			].sort(),
		);
	});

	it('leaves the account living, or all of it in the file, when it exports', async () => {
		const seen = new Set<string>();
		const points = await atEveryPoint('retire', async (places, point) => {
			const first = await work('retire', places, point);
			const found = await foundAt(places.from);
			seen.add(`${found} ${existsSync(places.file)}`);
			if (found === moved) {
				expect((await work('import', places, 0)).failure).toBe('');
				expect(await foundAt(places.to)).toBe('opens');
			} else {
				rmSync(places.file, { force: true });
				expect((await work('retire', places, 0)).failure).toBe('');
			}
			return first;
		});
		expect(points).toBeGreaterThan(10);
		expect([...seen].sort()).toEqual(['opens false', 'opens true', `${moved} true`].sort());
	});

	it('leaves nothing living when it imports, until everything is there', async () => {
		const source = freshPlaces();
		expect((await work('export', source, 0)).failure).toBe('');
		const seen = new Set<string>();
		const points = await atEveryPoint('import', async (fresh, point) => {
			const places = { ...fresh, file: source.file };
			const first = await work('import', places, point);
			const found = await foundAt(places.to);
			seen.add(found);
			const again = await work('import', places, 0);
			expect(again.failure).toBe(found === 'opens' ? 'error.gateway.moving.identityLivesHere' : '');
			expect(await foundAt(places.to)).toBe('opens');
			return first;
		});
		expect(points).toBeGreaterThan(10);
		expect([...seen].sort()).toEqual(['nothing', 'opens', unfinished].sort());
	});

	it('has moved it, and it sends', async () => {
		const places = freshPlaces();
		await work('move', places, 9);
		await work('move', places, 0);
		const gateway = await network.gateway({ ...network.config(), store: places.to.store });
		await gateway.messages.send(mailTo(account.peerAddress, 'after a death'));
		await gateway.close();
	});
});
