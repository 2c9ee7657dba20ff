import { LocalSends } from '../../../../core/domain/message/sending/local-sends';
import { intentRecord } from '../../../support/records';

let local: LocalSends;
beforeEach(() => {
	local = new LocalSends();
});

const record = intentRecord('SND1', { triedAt: '2030-01-01T00:00:00.000Z', caller: 'one' });

describe('the work on a send', () => {
	it('is begun once, until it ends', () => {
		expect(local.isActive('SND1')).toBe(false);
		expect(local.begin('SND1')).toBe(true);
		expect(local.begin('SND1')).toBe(false);
		expect(local.isActive('SND1')).toBe(true);
		expect(local.isActive('SND2')).toBe(false);
		local.end('SND1');
		expect(local.begin('SND1')).toBe(true);
	});

	it('is done by one at a time, and ends with a failure, too', async () => {
		const outer = local.alone('SND1', () =>
			local.alone('SND1', () => Promise.resolve('inner')).then((inner) => ({ inner })),
		);
		expect(await outer).toEqual({ inner: undefined });
		const failing = local.alone('SND1', () => Promise.reject(new Error('failed')));
		await expect(failing).rejects.toThrow('failed');
		expect(local.isActive('SND1')).toBe(false);
	});
});

describe('a queued message', () => {
	it('is taken once', () => {
		local.queue(record);
		expect(local.takeQueued(record)).toBe(true);
		expect(local.takeQueued(record)).toBe(false);
		expect(local.takeQueued(intentRecord('SND2'))).toBe(false);
	});

	it.each([{ caller: 'other' }, { triedAt: '2030-01-01T00:00:01.000Z' }])(
		'is not taken when it was claimed since: %j',
		(claim) => {
			local.queue(record);
			expect(local.takeQueued({ ...record, ...claim })).toBe(false);
		},
	);
});

describe('what was seen of a send', () => {
	const seen = (): unknown[] => [local.searchedUpTo('SND1'), local.takeQueued(record)];

	beforeEach(() => {
		local.noteSearch('SND1', 'MSG1');
		local.queue(record);
		local.begin('SND1');
	});

	it('stays while work begins and ends', () => {
		local.end('SND1');
		local.forgetAllBut(['SND1']);
		expect(seen()).toEqual(['MSG1', true]);
	});

	it('is dropped with the send; work on it goes on', () => {
		local.forget('SND1');
		expect(local.isActive('SND1')).toBe(true);
		expect(seen()).toEqual([undefined, false]);
	});

	it('is dropped when the send is not open any more', () => {
		local.forgetAllBut(['SND2']);
		expect(seen()).toEqual([undefined, false]);
	});

	it('leaves nothing in memory after the end of the work', () => {
		local.end('SND1');
		expect(local['sends'].size).toBe(1);
		local.forget('SND1');
		expect(local['sends'].size).toBe(0);
		expect(local.searchedUpTo('SND1')).toBeUndefined();
	});

	it('dates a dead owner from the first look at its claim', () => {
		let nowMs = 1_000;
		jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
		expect(local.ownerDeadForMs(record)).toBe(0);
		nowMs += 500;
		expect(local.ownerDeadForMs(record)).toBe(500);
		expect(local.ownerDeadForMs({ ...record, caller: 'other' })).toBe(0);
		local.ownerLives('SND1');
		nowMs += 500;
		expect(local.ownerDeadForMs(record)).toBe(0);
		jest.restoreAllMocks();
	});
});
