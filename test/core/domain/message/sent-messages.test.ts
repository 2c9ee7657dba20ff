import { LocalSends } from '../../../../core/domain/message/sending/local-sends';
import {
	newestMessages,
	sealedBodyHash,
	SentMessageSearch,
} from '../../../../core/domain/message/sending/sent-messages';
import type { MessageDependencies } from '../../../../core/domain/message/message-dependencies';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import { intentRecord } from '../../../support/records';
import { failureOf } from '../../backbone/fixture-server';
import { address } from '../../sync/reconciliation/comparison-bench';
import { bodyOf, MessagePages } from './message-pages';

const minuteMs = 60_000;
/** requests for a list of fifty messages */
const everyPage = ['1/1', '10/5', '3/20', '2/20', '1/20'];

let pages: MessagePages;
let local: LocalSends;
let search: SentMessageSearch;

beforeEach(async () => {
	pages = await MessagePages.open();
	local = new LocalSends();
	const { backbone } = pages.bench;
	const account = { address } as MessageDependencies['account'];
	search = new SentMessageSearch({ backbone, account, clock: pages.bench.clock }, local);
});
afterEach(() => pages.bench.close());

const intent = (index: number, parts: Partial<SendIntentRecord> = {}): SendIntentRecord =>
	intentRecord(`SND${index}`, {
		...{ bodyHash: sealedBodyHash(bodyOf(index)), createdAt: pages.bench.now },
		...parts,
	});

const find = async (wanted: SendIntentRecord) => (await search.find(wanted, {})).sent;

const fill = (count: number): void => {
	pages.all = Array.from({ length: count }, (_, index) => pages.message(index));
};

const found = (index: number) => ({
	...{ id: `MSG${index}`, createdAt: new Date(pages.bench.clock.now()).toISOString() },
});

describe('all messages at the Backbone', () => {
	const read = async (): Promise<unknown[]> => {
		const ids: unknown[] = [];
		for await (const message of newestMessages(pages.bench, {})) ids.push(message.id);
		return ids;
	};

	it.each([
		[0, ['1/1']],
		[1, ['1/1', '1/5']],
		[5, ['1/1', '1/5']],
		[6, ['1/1', '2/5', '1/20']],
		[25, ['1/1', '5/5', '1/20']],
		[27, ['1/1', '6/5', '2/20', '1/20']],
	])('of %i are read from the newest on', async (count, requested) => {
		fill(count);
		const ids = await read();
		expect(new Set(ids).size).toBe(count);
		expect(ids.slice(0, 1)).toEqual(count === 0 ? [] : [`MSG${count - 1}`]);
		expect(ids.slice(-1)).toEqual(count === 0 ? [] : ['MSG0']);
		expect(pages.requested).toEqual(requested);
	});

	it('that cannot be read come first on their page', async () => {
		fill(3);
		pages.all[0] = { id: 'MSG0' };
		expect(await read()).toEqual(['MSG0', 'MSG2', 'MSG1']);
	});

	it('end at an empty page, unless it is the last one', async () => {
		fill(20);
		pages.total = 100;
		expect(await read()).toEqual([]);
		expect(pages.requested).toEqual(['1/1', '20/5', '5/20', '4/20']);
		pages.total = 21;
		expect(await read()).toHaveLength(20);
	});

	it('are at most twenty thousand', async () => {
		pages.total = 1_000_000;
		pages.all = [];
		expect(await read()).toEqual([]);
		expect(pages.requested).toHaveLength(4);
	});
});

describe('the search for sent messages', () => {
	it('finds the ones of several sends, by their bodies', async () => {
		fill(12);
		const { found: outcome } = await search.findMany([intent(1), intent(11), intent(99)], {});
		expect([...outcome]).toEqual([
			['SND11', found(11)],
			['SND1', found(1)],
		]);
		expect(['SND1', 'SND11', 'SND99'].map((id) => local.searchedUpTo(id))).toEqual([
			...[undefined, undefined],
			found(11).createdAt,
		]);
		expect(await find(intent(5))).toEqual(found(5));
		expect(await find(intent(98))).toBeUndefined();
	});

	it('ends with the last one found', async () => {
		fill(50);
		await search.findMany([intent(49), intent(48)], {});
		expect(pages.requested).toEqual(['1/1', '10/5']);
	});

	it('asks nothing without a send', async () => {
		expect((await search.findMany([], {})).found.size).toBe(0);
		expect(pages.requested).toEqual([]);
	});

	it('notes no message where there is none', async () => {
		await search.findMany([intent(1)], {});
		expect(local.searchedUpTo('SND1')).toBeUndefined();
	});

	it.each([
		['ends at older ones', 5 * minuteMs + 1, ['1/1', '10/5']],
		['looks again at those that a late call can have been added before', 5 * minuteMs, everyPage],
	])('after a search without a result, %s', async (_, agoMs, requested) => {
		const ages = [...Array.from({ length: 49 }, () => agoMs), 0];
		pages.all = ages.map((age, index) => pages.message(index, { agoMs: age }));
		await search.findMany([intent(99)], {});
		const before = pages.requested.length;
		expect(await find(intent(99))).toBeUndefined();
		expect(pages.requested.slice(before)).toEqual(requested);
	});

	it('finds a message that a late call has added before one of the search before', async () => {
		pages.all = [pages.message(1)];
		expect(await find(intent(2))).toBeUndefined();
		pages.all = [pages.message(2, { agoMs: minuteMs }), pages.message(1)];
		expect(await find(intent(2))).toMatchObject({ id: 'MSG2' });
	});

	it.each([
		[10 * minuteMs, true],
		[10 * minuteMs + 1, false],
	])('goes back ten minutes before a send: %i ms before, found: %s', async (agoMs, isFound) => {
		pages.all = [pages.message(1, { agoMs })];
		expect((await find(intent(1))) !== undefined).toBe(isFound);
	});

	it('counts from the time at which the send was prepared', async () => {
		pages.all = [pages.message(1, { agoMs: 10 * minuteMs })];
		const { now } = pages.bench;
		const later = new Date(pages.bench.clock.now() + 1).toISOString();
		const prepared = intent(1, { createdAt: later, preparedAt: now });
		expect(await find(prepared)).toBeDefined();
		const older = intent(1, { createdAt: now, preparedAt: later });
		expect(await find(older)).toBeUndefined();
	});

	it('leaves out messages of peers', async () => {
		pages.all = [pages.message(1, { isOwn: false })];
		expect(await find(intent(1))).toBeUndefined();
	});

	it('fails if a message of this account cannot be read', async () => {
		fill(2);
		pages.all[0] = { id: 'MSG0', createdBy: address };
		const { found: outcome } = await search.findMany([intent(0), intent(1)], {});
		expect(outcome.get('SND1')).toEqual(found(1));
		expect(outcome.get('SND0')).toMatchObject({
			code: 'error.gateway.backbone.unexpectedAnswer',
		});
		const error = await failureOf(search.find(intent(0), {}));
		expect(error['code']).toBe('error.gateway.backbone.unexpectedAnswer');
		pages.all[0] = { id: 'MSG0' };
		expect((await search.findMany([intent(0)], {})).found.size).toBe(1);
		pages.all[0] = { id: 'MSG0', createdBy: 'did:e:localhost:dids:3a29ae5c1f591bbd9a2aaa' };
		expect((await search.findMany([intent(0)], {})).found.size).toBe(0);
	});
});

it('the hash of a sealed body is the same in both alphabets of base64', () => {
	expect(sealedBodyHash('Pz8/Pj4+')).toBe(sealedBodyHash('Pz8_Pj4-'));
	expect(sealedBodyHash('Pz8_Pj4-')).not.toBe(sealedBodyHash('Pz8_Pj5-'));
});
