import '../../support/quick/file-passwords';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportAccount, importAccount, verifyAccount } from '../../../core';
import { AccountFileReader, AccountFileWriter } from '../../../core/account-transfer/account-file';
import type { ContentRow } from '../../../core/account-transfer/account-content';
import { headerLength, sealedPieceLength } from '../../../core/account-transfer/sealed-stream';
import { TestNetwork } from '../../support/gateways';
import { fullAccount } from './full-account';
import { deps, accountStateIn, placeIn } from './places';

jest.setTimeout(300_000);

const password = 'a long enough password';
let network: TestNetwork;
/** a file of a full account, more than one piece long */
let good: Buffer;

beforeAll(async () => {
	network = await TestNetwork.open();
	const { folder, peerAddress } = await fullAccount(network);
	const gateway = await network.gateway(network.config(folder));
	const content = { '@type': 'ArbitraryMessageContent' as const, value: 'b'.repeat(150_000) };
	await gateway.messages.send({ recipients: [peerAddress], content });
	await gateway.close();
	const file = join(network.newFolder(), 'good');
	await exportAccount({ from: placeIn(folder), file, password, retire: false });
	good = readFileSync(file);
});

afterAll(() => network.close());

function written(content: Uint8Array): string {
	const file = join(network.newFolder(), 'hostile');
	writeFileSync(file, content);
	return file;
}

const flipped = (at: number): Buffer => {
	const bytes = Buffer.from(good);
	bytes[at] = (bytes[at] ?? 0) ^ 1;
	return bytes;
};

const damaged = 'error.gateway.moving.fileDamaged';
const wrongPassword = 'error.gateway.moving.wrongPassword';
const piece = (index: number): Buffer =>
	good.subarray(
		headerLength + index * sealedPieceLength,
		headerLength + (index + 1) * sealedPieceLength,
	);
const header = () => good.subarray(0, headerLength);

async function expectRefused(content: Uint8Array, code: string, entered = password): Promise<void> {
	const file = written(content);
	const to = placeIn(network.newFolder());
	const refusal = { code, remedy: expect.stringMatching(/\w+ \w+/) as string };
	await expect(importAccount({ file, password: entered, to })).rejects.toMatchObject(refusal);
	expect(await accountStateIn(to)).toBeUndefined();
	const copy = { kind: 'file', file, password: entered } as const;
	await expect(verifyAccount([copy], undefined)).rejects.toMatchObject(refusal);
}

describe('an exported file is refused as a whole', () => {
	it.each<readonly [string, () => Uint8Array, string]>([
		['nothing', () => new Uint8Array(), 'error.gateway.moving.fileForeign'],
		['something else', () => Buffer.alloc(5_000, 'x'), 'error.gateway.moving.fileForeign'],
		['a magic and no more', () => good.subarray(0, 16), damaged],
		['half a header', () => good.subarray(0, 60), damaged],
		['a header only', () => header(), damaged],
		['a cut within a piece', () => good.subarray(0, headerLength + 1_000), damaged],
		['a cut between pieces', () => good.subarray(0, headerLength + sealedPieceLength), damaged],
		['the last byte missing', () => good.subarray(0, -1), damaged],
		['a byte more', () => Buffer.concat([good, Buffer.from('x')]), damaged],
		['another piece at the end', () => Buffer.concat([good, piece(0)]), damaged],
		['a flipped salt', () => flipped(20), wrongPassword],
		['a flipped stream header', () => flipped(60), wrongPassword],
		['a flipped check', () => flipped(headerLength - 1), wrongPassword],
		['a flipped first piece', () => flipped(headerLength + 5), damaged],
		['a flipped last byte', () => flipped(good.length - 1), damaged],
		[
			'pieces in another order',
			() =>
				Buffer.concat([
					header(),
					piece(1),
					piece(0),
					good.subarray(headerLength + 2 * sealedPieceLength),
				]),
			damaged,
		],
		[
			'a piece left out',
			() =>
				Buffer.concat([header(), piece(0), good.subarray(headerLength + 2 * sealedPieceLength)]),
			damaged,
		],
	])('with %s', async (_name, content, code) => {
		await expectRefused(content(), code);
	});

	it('with another password, which is not told', async () => {
		await expectRefused(good, wrongPassword, 'another password');
	});

	it('of a newer version, which says so', async () => {
		const newer = Buffer.from(good);
		newer.writeUInt16BE(2, 16);
		await expectRefused(newer, 'error.gateway.moving.fileNewer');
	});

	it('that is not there', async () => {
		const file = join(network.newFolder(), 'nothing');
		await expect(
			importAccount({ file, password, to: placeIn(network.newFolder()) }),
		).rejects.toMatchObject({
			code: 'error.gateway.moving.fileNotUsable',
			facts: { field: 'file' },
		});
	});

	it('that is cut while it is being imported; nothing lives', async () => {
		const file = written(good);
		const to = placeIn(network.newFolder());
		const onStep = (sentence: string): void => {
			if (sentence.startsWith('Copying')) truncateSync(file, good.length - 100);
		};
		await expect(importAccount({ file, password, to }, { onStep })).rejects.toMatchObject({
			code: damaged,
		});
		expect(await accountStateIn(to)).toMatchObject({ state: 'arriving' });
		await importAccount({ file: written(good), password, to });
		expect(await accountStateIn(to)).toMatchObject({ state: 'living' });
	});
});

describe('what an attacker who knows the password has put into a file', () => {
	/** The rows of the good file, changed, in a file that is sealed and summed up properly. */
	async function rewritten(change: (row: ContentRow) => readonly ContentRow[]): Promise<string> {
		await using reader = await AccountFileReader.open(written(good), password);
		const file = join(network.newFolder(), 'rewritten');
		const writer = await AccountFileWriter.create({ file, password }, reader.head, deps.random);
		for await (const row of reader.rows()) {
			for (const changed of change(row)) await writer.add(changed);
		}
		await writer.complete();
		await writer.publish();
		return file;
	}

	const inSection =
		(section: string, change: (row: ContentRow) => readonly ContentRow[]) =>
		(row: ContentRow): readonly ContentRow[] =>
			row.section === section ? change(row) : [row];

	it.each<readonly [string, (row: ContentRow) => readonly ContentRow[], string]>([
		['a record twice', inSection('messages', (row) => [row, row]), 'contentInvalid'],
		['a counter twice', inSection('counters', (row) => [row, row]), 'contentInvalid'],
		['an event twice', inSection('outbox', (row) => [row, row]), 'contentInvalid'],
		[
			'a record that fits no schema',
			inSection('templates', (row) => [{ ...row, record: { id: 'RLT1', content: 7 } }]),
			'contentInvalid',
		],
		[
			'a record without an id',
			inSection('drafts', (row) => [{ ...row, record: {} }]),
			'contentInvalid',
		],
		[
			'a counter that goes back',
			inSection('counters', (row) => [{ ...row, record: { ...row.record, next: -1 } }]),
			'contentInvalid',
		],
		[
			'secrets left out',
			inSection('messages', ({ secrets: _, ...row }) => [row]),
			'contentInvalid',
		],
		['no identity', inSection('identity', () => []), 'noAccount'],
		[
			'the key of another account',
			inSection('identity', (row) => [
				{ ...row, record: { ...row.record, publicKey: Buffer.alloc(32, 1).toString('base64url') } },
			]),
			'keyDoesNotSign',
		],
		[
			'another address than it says',
			inSection('identity', (row) => [
				{ ...row, record: { ...row.record, address: 'did:e:another:dids:identity' } },
			]),
			'contentInvalid',
		],
		[
			'members that would be lost',
			inSection('settings', (row) => [{ ...row, record: { ...row.record, unknown: 1 } }]),
			'copyDiffers',
		],
	])('does not come to life with %s', async (_name, change, code) => {
		const file = await rewritten(change);
		const to = placeIn(network.newFolder());
		await expect(importAccount({ file, password, to })).rejects.toMatchObject({
			code: `error.gateway.moving.${code}`,
		});
		expect((await accountStateIn(to))?.state).not.toBe('living');
		await expect(network.gateway({ ...network.config(), store: to.store })).rejects.toMatchObject({
			code: 'error.gateway.store.moveUnfinished',
		});
	});
});
