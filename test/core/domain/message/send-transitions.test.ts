import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	claimedAt,
	fieldsOf,
	sendStateOf,
	sendStates,
	type SendState,
} from '../../../../core/domain/message/sending/send-states';
import {
	sendTransitions,
	type SendTransition,
	type SendTransitionName,
} from '../../../../core/domain/message/sending/send-transitions';
import { projectRoot } from '../../../../scripts/docs/source-files';
import { intentRecord } from '../../../support/records';
import { SendBench, type SendingProcess } from './send-bench';
import { arrange, attempts, refuseLate, steps } from './send-steps';

const states = Object.keys(sendStates) as SendState[];
const names = Object.keys(sendTransitions) as SendTransitionName[];
const rowOf = (name: SendTransitionName): SendTransition => sendTransitions[name];

const key = 'once';

describe('the state of a send', () => {
	it.each([
		['absent', undefined],
		['pending', intentRecord('SND1')],
		['requested', intentRecord('SND1', { again: true })],
		['required', intentRecord('SND1', { mustArrive: true })],
		['required', intentRecord('SND1', { mustArrive: true, again: true })],
		['sent', intentRecord('SND1', { state: 'sent', mustArrive: true })],
		['failed', intentRecord('SND1', { state: 'failed', again: true })],
	])('is %s by its row', (state, record) => {
		expect(sendStateOf(record)).toBe(state);
	});

	it.each(['pending', 'requested', 'required'] as const)('%s is stored as its fields', (state) => {
		expect(sendStateOf(intentRecord('SND1', fieldsOf(state)))).toBe(state);
	});
});

describe('a send', () => {
	let bench: SendBench;
	let process: SendingProcess;

	beforeEach(async () => {
		bench = await SendBench.open();
		process = await bench.start();
	});
	afterEach(() => bench.close());

	/** Another process goes on after this one has crashed. */
	const crash = async (): Promise<void> => {
		const crashed = process;
		process = await bench.start();
		await bench.crash(crashed);
	};

	const rows = names.flatMap((name) =>
		rowOf(name).from.flatMap((from) =>
			// Without a key a finished send has no row, unless it failed in the hands of no caller.
			[key, undefined]
				.filter((used) => used !== undefined || (from !== 'sent' && from !== 'failed'))
				.filter((used) => used !== undefined || name !== 'forget')
				.map((used) => ({ name, from, key: used, with: used === undefined ? 'without' : 'with' })),
		),
	);

	const expectRow = async (name: SendTransitionName, from: SendState, usedKey?: string) => {
		const { to, row, publishes, claim } = rowOf(name);
		const before = await bench.intent();
		const eventsBefore = (await bench.published()).length;
		bench.clock.advance(1);
		await steps[name](bench, process, usedKey);
		const isRemoved = row === 'deleted' || (row === 'keptWithKey' && usedKey === undefined);
		const state = to === 'same' ? from : to;
		const after = await bench.intent();
		expect(sendStateOf(after)).toBe(isRemoved ? 'absent' : state);
		const events = (await bench.published()).slice(eventsBefore);
		const isTold = publishes !== undefined && from !== to;
		expect(events).toEqual(isTold ? [publishes] : []);
		// A finished send leaves no notes in memory, and a row without what was to be sent.
		const isFinished = state === 'sent' || state === 'failed';
		if (isFinished) expect(process.localSends['sends'].size).toBe(0);
		if (after === undefined || before === undefined) return;
		if (isFinished) {
			expect(after.content).toEqual({});
			const entry = await process.store.read((tx) => tx.sendIntents.get(after.id));
			expect(entry?.secrets).toEqual({ messageKey: '' });
		}
		expect(after.id).toBe(before.id);
		const isClaimed = claim !== undefined && claim !== 'unchanged';
		if (isClaimed) expect(claimedAt(after) > claimedAt(before)).toBe(true);
		// Each call sends the same bytes, which are erased with the outcome.
		expect(after.postBody).toEqual(
			state === from || to in openStates ? before.postBody : undefined,
		);
	};
	const openStates = { pending: true, requested: true, required: true };

	it.each(rows)('takes $name from $from, $with a key', async ({ name, from, key: usedKey }) => {
		await arrange[from](bench, process, usedKey);
		expect(await bench.state()).toBe(from);
		await expectRow(name, from, usedKey);
	});

	it.each(rows.filter(({ name }) => rowOf(name).claim !== 'own'))(
		'takes $name from $from, $with a key, after a crash',
		async ({ name, from, key: usedKey }) => {
			await arrange[from](bench, process, usedKey);
			await crash();
			await expectRow(name, from, usedKey);
		},
	);

	const others = (Object.keys(attempts) as Array<keyof typeof attempts>).flatMap((name) =>
		states.filter((from) => !rowOf(name).from.includes(from)).map((from) => ({ name, from })),
	);

	it.each(others)('does not take $name from $from', async ({ name, from }) => {
		await arrange[from](bench, process, key);
		const before = await bench.intent();
		const eventsBefore = await bench.published();
		await attempts[name](process, before ?? intentRecord('SND1'));
		expect(await bench.intent()).toEqual(before);
		expect(await bench.published()).toEqual(eventsBefore);
	});

	it.each(rowOf('renewClaim').from)(
		'does not renew the claim of a crashed process: %s',
		async (from) => {
			await arrange[from](bench, process, key);
			const before = await bench.intent();
			await crash();
			await attempts.renewClaim(process, before ?? intentRecord('SND1'));
			expect(await bench.intent()).toEqual(before);
		},
	);
});

describe('a send that has ended', () => {
	let bench: SendBench;
	beforeEach(async () => {
		bench = await SendBench.open();
	});
	afterEach(() => bench.close());

	it.each(['absent', 'sent', 'failed'] as const)('is not refused any more: %s', async (state) => {
		const process = await bench.start();
		await arrange[state](bench, process, key);
		const before = await bench.intent();
		const eventsBefore = await bench.published();
		expect(await refuseLate(process, before ?? intentRecord('SND1'))).toBe('failed');
		expect(await bench.intent()).toEqual(before);
		expect(await bench.published()).toEqual(eventsBefore);
	});
});

describe('a send that is given up', () => {
	let bench: SendBench;
	let process: SendingProcess;

	beforeEach(async () => {
		bench = await SendBench.open();
		process = await bench.start();
		await arrange.pending(bench, process, key);
	});
	afterEach(() => bench.close());

	it('says why, in its row and in the event, which keeps the content', async () => {
		const before = await bench.intent();
		await process.settle();
		// The Backbone may still carry out the call.
		expect(await bench.state()).toBe('pending');
		await steps.giveUp(bench, process, key);
		const code = 'error.gateway.messages.notSent';
		expect(await bench.intent()).toMatchObject({ attachments: [], failure: { code } });
		const [event] = await process.store.read((tx) => tx.outbox.readAfter(0, 1));
		expect(event?.data).toMatchObject({ intentId: before?.id, code, content: before?.content });
	});

	it('stays open when its call was claimed since the search', async () => {
		const searched = await bench.intent();
		if (searched === undefined) throw new Error('There is no send');
		bench.clock.advance(1);
		await steps.claim(bench, process, key);
		await process.sendIntents.giveUp(searched);
		expect(await bench.state()).toBe('pending');
	});

	it('is stored as sent when a late answer says so', async () => {
		const late = await process.store.read((tx) => tx.sendIntents.first());
		if (late === undefined) throw new Error('There is no send');
		bench.clock.advance(1);
		await steps.giveUp(bench, process, key);
		const sent = { id: 'MSG00000000000000001', createdAt: late.record.createdAt };
		const stored = await process.sendIntents.complete(late, sent);
		expect(stored).toMatchObject({ ...sent, isOwn: true, content: late.record.content });
		expect(await process.messages.get(sent.id)).toEqual(stored);
		expect(await bench.state()).toBe('sent');
	});
});

describe('the page about sends', () => {
	const page = readFileSync(join(projectRoot, 'docs/adr/0006-sends-are-intents-first.md'), 'utf8');
	/** Cells of the table whose first column has this title. */
	const tableOf = (title: string): string[][] => {
		const lines = page.split('\n');
		const first = lines.findIndex((line) => line.startsWith(`| ${title} |`));
		const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
		return lines.slice(first + 2, first + length).map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		);
	};
	const code = (text: string): string => `\`${text}\``;

	it('names every state with the crash that it survives', () => {
		const expected = Object.entries(sendStates).map(([state, { meaning, survives }]) => [
			code(state),
			meaning,
			survives,
		]);
		expect(tableOf('State')).toEqual(expected);
	});

	it('names every transition', () => {
		const claims = { own: 'own', free: 'free', ownOrFree: 'own or free', unchanged: 'unchanged' };
		const kept = { keptWithKey: 'kept with a key', deleted: 'deleted' };
		const expected = names.map((name) => {
			const { from, to, event, claim, guard, row, publishes, afterCrash } = rowOf(name);
			return [
				code(name),
				from.map(code).join(', '),
				to === 'same' ? 'same' : code(to),
				event,
				claim === undefined ? '' : claims[claim],
				guard ?? '',
				row === undefined ? '' : kept[row],
				publishes === undefined ? '' : code(publishes),
				afterCrash,
			];
		});
		expect(tableOf('Transition')).toEqual(expected);
	});
});
