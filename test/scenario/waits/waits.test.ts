import { ownText } from '../../../core/model/json';
import '../../support/quick/delays';
import type { GatewayConfigInput, NewWait } from '../../../core';
import { isoInstant } from '../../../core/base/clock';
import type { AccountConfig } from '../../../core/store/open-store';
import { mailTo } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';
import { WaitBench } from './wait-bench';

jest.setTimeout(60_000);

const minuteMs = 60_000;
const answered = { kind: 'answered', reference: expect.any(String) };

describe('in SQLite', () => describeWaits(() => ({})));

describeWithPostgres('in PostgreSQL', () => {
	let database: TestDatabase;
	let account: AccountConfig;
	beforeAll(async () => {
		database = await TestDatabase.create();
		account = database.account();
	});
	afterAll(() => database.drop());
	describeWaits(() => {
		const { backbone: _, ...place } = account;
		return place;
	});
	// After the gateways have closed, because hooks run in the order of their definition.
	afterEach(() => database.empty(account));
});

function describeWaits(storeOf: () => Partial<GatewayConfigInput>): void {
	let bench: WaitBench;
	const port = process.env['N8N_PORT'];

	beforeEach(async () => {
		bench = await WaitBench.open(storeOf());
		process.env['N8N_PORT'] = new URL(bench.receiver.url).port;
	});

	afterEach(async () => {
		await bench.close();
		if (port === undefined) delete process.env['N8N_PORT'];
		else process.env['N8N_PORT'] = port;
	});

	const waits = () => bench.gateway.waits.list();

	/** Lets the time pass until no wait is left. */
	async function untilNothingWaits(): Promise<void> {
		await until(async () => {
			bench.clock.advance(10_000);
			return (await waits()).length === 0;
		});
	}

	it('the answer resumes the execution once, and the wait is removed', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		await bench.decide();
		await bench.settle();
		await until(() => bench.resumed.length > 0);
		await untilNothingWaits();
		expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it('an account without any trigger is kept in sync while something waits', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		await bench.decide();
		await until(() => bench.outcomesOf(wait).length > 0);
	});

	it('an answer that came while no process ran resumes the execution afterwards', async () => {
		const wait = await bench.ask();
		await bench.gateway.close();
		await bench.decide();
		(await bench.anotherProcess()).waits.keepResuming();
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it('an answer that was applied by a process that died before it called is not lost', async () => {
		const wait = await bench.ask();
		await bench.decide();
		// Nothing resumes in this process.
		await bench.settle();
		await bench.gateway.close();
		(await bench.anotherProcess()).waits.keepResuming();
		await until(() => bench.outcomesOf(wait).length > 0);
	});

	it('a process that dies after n8n has taken the answer leaves nothing to repeat', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		const dying = bench.gateway;
		bench.fault = async () => {
			bench.fault = () => undefined;
			bench.executions.set(wait.key, 'finished');
			bench.resumed.push({ key: wait.key, outcome: 'taken by the call of the dead process' });
			void dying.close();
			return { status: 503 };
		};
		await bench.decide();
		await until(() => bench.resumed.length > 0);
		(await bench.anotherProcess()).waits.keepResuming();
		await untilNothingWaits();
		expect(bench.outcomesOf(wait)).toHaveLength(1);
	});

	it('n8n that dies after its answer, before it has stored it, is told again', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		bench.fault = (key) => {
			bench.fault = () => undefined;
			return { status: 200, body: JSON.stringify({ enmeshed: 'taken', wait: key }) };
		};
		await bench.decide();
		await until(async () => {
			bench.clock.advance(1_000);
			return bench.outcomesOf(wait).length > 0;
		});
		await untilNothingWaits();
		expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it.each([
		['is not written yet', 'missing'],
		['is still running', 'running'],
	] as const)('an execution that %s is resumed later', async (_name, status) => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		bench.executions.set(wait.key, status);
		await bench.decide();
		await until(() => bench.receiver.received.length > 0);
		bench.executions.set(wait.key, 'waiting');
		await until(() => {
			bench.clock.advance(1_000);
			return bench.outcomesOf(wait).length > 0;
		});
		expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it('an execution that has ended is dropped with a line in the log', async () => {
		await (await bench.anotherProcess()).waits.keepResuming();
		const wait = await bench.ask();
		bench.executions.set(wait.key, 'finished');
		await bench.decide();
		await untilNothingWaits();
		expect(bench.log.lines.join('\n')).toContain('no longer exists');
	});

	it('an execution that was deleted is dropped after some minutes', async () => {
		await (await bench.anotherProcess()).waits.keepResuming();
		const wait = await bench.ask();
		bench.executions.delete(wait.key);
		await bench.decide();
		await until(() => bench.receiver.received.length > 0);
		expect(await waits()).toHaveLength(1);
		await until(async () => {
			bench.clock.advance(minuteMs);
			return (await waits()).length === 0;
		});
		expect(bench.log.lines.join('\n')).toContain('no longer exists');
	});

	it('an execution that crashed after n8n had taken the answer is a problem, then a line in the log', async () => {
		const gateway = await bench.anotherProcess();
		gateway.waits.keepResuming();
		const wait = await bench.ask();
		bench.fault = async () => {
			bench.fault = () => undefined;
			await gateway.waits.handOver(wait.id, wait.key);
			bench.executions.set(wait.key, 'crashed');
			return { status: 503 };
		};
		await bench.decide();
		await until(async () => {
			bench.clock.advance(200);
			return (await gateway.problems.list()).length > 0;
		});
		const [problem] = await gateway.problems.list();
		expect(problem).toMatchObject({
			kind: 'wait',
			message: expect.stringContaining('retry it there'),
		});
		expect(await waits()).toMatchObject([{ isTaken: true }]);
		await until(async () => {
			bench.clock.advance(minuteMs);
			return (await waits()).length === 0;
		});
		expect(bench.log.lines.join('\n')).toContain('retry the execution in n8n');
		expect(bench.outcomesOf(wait)).toEqual([]);
	});

	it('an n8n that fails for long and has not taken the answer is asked until it does', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		bench.executions.set(wait.key, 'crashed');
		await bench.decide();
		await until(() => {
			bench.clock.advance(minuteMs);
			return bench.receiver.received.length > 5;
		});
		expect(await waits()).toMatchObject([{ isTaken: false }]);
		bench.executions.set(wait.key, 'waiting');
		await until(() => {
			bench.clock.advance(minuteMs);
			return bench.outcomesOf(wait).length > 0;
		});
	});

	it('a refusal by the person resumes the execution, too', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		await bench.decide('reject');
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it('an answer after the deadline comes too late', async () => {
		bench.gateway.waits.keepResuming();
		const deadline = isoInstant(bench.clock.now() + minuteMs);
		const wait = await bench.ask(bench.newWait(deadline));
		bench.clock.advance(2 * minuteMs);
		await until(() => bench.outcomesOf(wait).length > 0);
		await bench.decide();
		await bench.settle();
		await untilNothingWaits();
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'timedOut' }]);
	});

	it('a person who leaves ends the wait', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		await bench.network.settle(bench.person);
		const [relationship] = await bench.person.relationships.list();
		await bench.person.relationships.terminate(relationship?.id ?? '');
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'ended', reason: 'peerLeft' }]);
	});

	it('a person whose identity is deleted ends the wait', async () => {
		bench.gateway.waits.keepResuming();
		const wait = await bench.ask();
		const { deletions, state } = bench.network.backbone;
		const identity = state.identities.get(bench.personAddress);
		if (identity === undefined) throw new Error('The sandbox does not know the person');
		deletions.start(identity, { device: 'DVC1' }, 0);
		deletions.runJob();
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'ended', reason: 'peerDeleted' }]);
	});

	it('leaving the person ends the wait, and nothing about the person stays', async () => {
		const wait = await bench.ask();
		const [relationship] = await bench.gateway.relationships.list();
		await bench.gateway.relationships.terminate(relationship?.id ?? '');
		await bench.gateway.relationships.decompose(relationship?.id ?? '');
		expect(JSON.stringify(await waits())).not.toContain(bench.personAddress);
		bench.gateway.waits.keepResuming();
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'ended', reason: 'peerLeft' }]);
	});

	it('the next mail of the person answers a mail, an earlier one does not', async () => {
		bench.gateway.waits.keepResuming();
		await bench.person.messages.send(mailTo(bench.address, 'Earlier'));
		await bench.settle();
		bench.clock.advance(1_000);
		const wait = await bench.askByMail();
		await bench.network.settle(bench.person);
		const { id } = await bench.person.messages.send(mailTo(bench.address, 'Reply'));
		await bench.person.messages.send(mailTo(bench.address, 'Later'));
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'answered', reference: id }]);
	});

	describe('a mail that is not a reply to the question', () => {
		const reply = () => bench.person.messages.send(mailTo(bench.address, 'Yes'));

		/** Expects that only what the person writes now answers the question. */
		async function expectOnlyAnswerOf(wait: NewWait): Promise<void> {
			await bench.settle();
			expect(await waits()).toMatchObject([{ key: wait.key }]);
			expect((await waits())[0]?.outcome).toBeUndefined();
			const { id } = await reply();
			await until(() => bench.outcomesOf(wait).length > 0);
			expect(bench.outcomesOf(wait)).toEqual([{ kind: 'answered', reference: id }]);
		}

		it('because the Backbone shows an old one again, does not answer it', async () => {
			bench.gateway.waits.keepResuming();
			const { id } = await reply();
			await bench.settle();
			const wait = await bench.askByMail();
			bench.network.backbone.events.showAgain(id);
			await expectOnlyAnswerOf(wait);
		});

		it('because it was known, with a time to come, does not answer it', async () => {
			bench.gateway.waits.keepResuming();
			await bench.settle();
			bench.network.backbone.queues.drop({ owner: bench.address, type: 'MessageReceived' });
			const { id } = await reply();
			bench.network.backbone.queues.restore();
			bench.network.backbone.events.showAgain(id, isoInstant(Date.now() + minuteMs));
			await bench.settle();
			const wait = await bench.askByMail();
			await bench.settle();
			expect((await waits())[0]?.outcome).toBeUndefined();
			bench.network.backbone.advanceClock(2 * minuteMs);
			await expectOnlyAnswerOf(wait);
		});

		it.each([
			[61 * minuteMs, false],
			[59 * minuteMs, true],
		])(
			'because it was written %s ms before, and shown late, answers it: %s',
			async (ms, isReply) => {
				bench.gateway.waits.keepResuming();
				bench.network.backbone.queues.drop({ owner: bench.address, type: 'MessageReceived' });
				const { id } = await reply();
				bench.network.backbone.queues.restore();
				bench.clock.advance(ms);
				const wait = await bench.askByMail();
				const shown = bench.network.backbone.events.showAgain(id);
				if (!isReply) return await expectOnlyNextMailAnswers(wait, ms);
				await until(() => bench.outcomesOf(wait).length > 0);
				expect(bench.outcomesOf(wait)).toEqual([{ kind: 'answered', reference: shown }]);
			},
		);

		async function expectOnlyNextMailAnswers(wait: NewWait, ms: number): Promise<void> {
			await bench.settle();
			expect((await waits())[0]?.outcome).toBeUndefined();
			bench.personClock.advance(ms);
			await expectOnlyAnswerOf(wait);
		}
	});

	it('calls that do not reach n8n are repeated', async () => {
		bench.gateway.waits.keepResuming();
		let calls = 0;
		bench.fault = () => (++calls <= 3 ? { status: 502 } : undefined);
		const waits = [await bench.ask(), await bench.ask()];
		await bench.decide();
		await until(() => {
			bench.clock.advance(1_000);
			return waits.every((wait) => bench.outcomesOf(wait).length > 0);
		});
		for (const wait of waits) expect(bench.outcomesOf(wait)).toEqual([answered]);
	});

	it('a reminder is sent once, from any number of processes, unless there is an answer', async () => {
		const one = bench.gateway;
		const other = await bench.anotherProcess();
		one.waits.keepResuming();
		other.waits.keepResuming();
		const remindIn = (ms: number, subject: string) => ({
			reminder: { at: isoInstant(bench.clock.now() + ms), subject, body: 'Please answer.' },
		});
		const answeredSoon = { ...bench.newWait(), ...remindIn(minuteMs, 'Too late') };
		await bench.ask(answeredSoon);
		await bench.decide();
		await until(() => bench.outcomesOf(answeredSoon).length > 0);
		const wait = { ...bench.newWait(), ...remindIn(minuteMs, 'Reminder') };
		await bench.ask(wait);
		bench.clock.advance(2 * minuteMs);
		const mails = async () => {
			await bench.network.settle(bench.person);
			const messages = await bench.person.messages.list();
			return messages.flatMap(({ content }) => ownText(content, 'subject') ?? []);
		};
		await until(async () => (await mails()).length > 0);
		await bench.decide();
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(await mails()).toEqual(['Reminder']);
	});

	it('a reminder that a Backbone does not take is sent later, unlike a refused one', async () => {
		bench.gateway.waits.keepResuming();
		const { faults, calls } = bench.network.backbone;
		const remindedAs = async (subject: string): Promise<void> => {
			const at = isoInstant(bench.clock.now() + minuteMs);
			await bench.ask({ ...bench.newWait(), reminder: { at, subject, body: 'Please answer.' } });
		};
		const subjects = async () => {
			await bench.network.settle(bench.person);
			const messages = await bench.person.messages.list();
			return messages.flatMap(({ content }) => ownText(content, 'subject') ?? []);
		};
		const post = { method: 'POST', path: /\/Messages$/ } as const;
		const sent = () => calls.count('POST', /\/Messages$/);
		const fail = async (status: number): Promise<void> => {
			const before = sent();
			faults.add({ ...post, times: Infinity, action: { kind: 'status', status } });
			bench.clock.advance(2 * minuteMs);
			await until(() => sent() > before);
		};
		await remindedAs('Refused');
		await fail(400);
		faults.clear();
		await remindedAs('Delayed');
		await fail(503);
		faults.clear();
		await until(async () => {
			bench.clock.advance(minuteMs);
			return (await subjects()).length > 0;
		});
		expect(await subjects()).toEqual(['Delayed']);
	});

	it('no reminder follows the deadline when both pass at once', async () => {
		bench.gateway.waits.keepResuming();
		const later = (minutes: number) => isoInstant(bench.clock.now() + minutes * minuteMs);
		const reminder = { at: later(5), subject: 'Reminder', body: 'Please' };
		const wait = await bench.ask({ ...bench.newWait(later(10)), reminder });
		const earlier = await bench.ask(bench.newWait(later(1)));
		bench.clock.advance(2 * minuteMs);
		await until(() => bench.outcomesOf(earlier).length > 0);
		bench.clock.advance(20 * minuteMs);
		await until(() => bench.outcomesOf(wait).length > 0);
		expect(bench.outcomesOf(wait)).toEqual([{ kind: 'timedOut' }]);
		await bench.network.settle(bench.person);
		const received = await bench.person.messages.list();
		expect(received.filter(({ content }) => content['@type'] === 'Mail')).toEqual([]);
	});

	it('a message that is not sent leaves no wait', async () => {
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/Messages$/,
			action: { kind: 'status', status: 400 },
		});
		await expect(bench.askByMail()).rejects.toBeDefined();
		expect(await waits()).toEqual([]);
	});

	it('a repetition of the send lets the later execution wait for the same answer', async () => {
		bench.gateway.waits.keepResuming();
		const first = await bench.ask(bench.newWait(), 'once');
		bench.executions.set(first.key, 'finished');
		const second = await bench.ask(bench.newWait(), 'once');
		await bench.decide();
		await until(() => bench.outcomesOf(second).length > 0);
		expect(bench.outcomesOf(first)).toEqual([]);
		const messages = await bench.gateway.messages.list();
		expect(messages.filter(({ isOwn }) => isOwn)).toHaveLength(1);
	});

	it('a node that asks again in its execution no longer waits for the first answer', async () => {
		bench.gateway.waits.keepResuming();
		const first = await bench.ask(bench.newWait(undefined, 'instance:7:node'));
		const second = await bench.ask(bench.newWait(undefined, 'instance:7:node'));
		expect(await bench.gateway.waits.find(first.id, first.key)).toBeUndefined();
		expect(await bench.gateway.waits.find(second.id, second.key)).toMatchObject({
			kind: 'request',
		});
	});

	it('two processes resume an execution once', async () => {
		const one = bench.gateway;
		const other = await bench.anotherProcess();
		one.waits.keepResuming();
		other.waits.keepResuming();
		const all = await Promise.all([bench.ask(), bench.ask(), bench.ask()]);
		await bench.decide();
		await until(() => all.every((wait) => bench.outcomesOf(wait).length > 0));
		await untilNothingWaits();
		expect(bench.resumed.map(({ key }) => key).sort()).toEqual(all.map(({ key }) => key).sort());
	});

	it('a wait whose answer n8n does not take is a problem, which a person can retry or discard', async () => {
		bench.gateway.waits.keepResuming();
		bench.fault = () => ({ status: 502 });
		const wait = await bench.ask();
		await bench.decide();
		await until(async () => {
			bench.clock.advance(minuteMs);
			return (await bench.gateway.problems.list()).length > 0;
		});
		expect(await bench.gateway.problems.list()).toMatchObject([
			{
				id: wait.id,
				kind: 'wait',
				subject: 'request',
				code: 'error.gateway.waits.notResumed',
				isRetriedAutomatically: true,
				isDiscardable: true,
			},
		]);
		bench.fault = () => undefined;
		await bench.gateway.problems.retry({ ids: [wait.id] });
		await until(() => bench.outcomesOf(wait).length > 0);
		await until(async () => (await bench.gateway.problems.list()).length === 0);
	});

	it('a discarded problem ends the wait', async () => {
		bench.gateway.waits.keepResuming();
		bench.fault = () => ({ status: 502 });
		const wait = await bench.ask();
		await bench.decide();
		await until(async () => {
			bench.clock.advance(minuteMs);
			return (await bench.gateway.problems.list()).length > 0;
		});
		await bench.gateway.problems.discard({ ids: [wait.id] });
		expect(await waits()).toEqual([]);
	});

	describe('a template that a visitor sees', () => {
		it('resumes the execution with the answer of the first person', async () => {
			bench.gateway.waits.keepResuming();
			const wait = bench.newWait();
			const { id, reference } = await bench.invite(wait);
			const visitor = await bench.network.gateway();
			const { address } = await visitor.account.getIdentity();
			await bench.scan(reference, visitor);
			await bench.settle();
			await bench.scan(reference, await bench.network.gateway());
			await bench.settle();
			await until(() => bench.resumed.length > 0);
			await untilNothingWaits();
			expect(bench.outcomesOf(wait)).toEqual([answered]);
			const [{ reference: requestId } = { reference: '' }] = bench.outcomesOf(wait) as [
				{ reference: string },
			];
			expect(await bench.gateway.outgoingRequests.get(requestId)).toMatchObject({
				peer: address,
				source: { type: 'RelationshipTemplate', reference: id },
				response: { content: { result: 'Accepted' } },
			});
		});

		it.each(['accept', 'reject'] as const)(
			'resumes the execution when a connected person answers: %s',
			async (verb) => {
				bench.gateway.waits.keepResuming();
				const wait = bench.newWait();
				const { reference } = await bench.invite(wait);
				await bench.scan(reference, bench.person, verb);
				await bench.settle();
				await until(() => bench.outcomesOf(wait).length > 0);
				const [{ reference: requestId } = { reference: '' }] = bench.outcomesOf(wait) as [
					{ reference: string },
				];
				const { peer, response } = await bench.gateway.outgoingRequests.get(requestId);
				expect(peer).toBe(bench.personAddress);
				expect(response?.content['result']).toBe(verb === 'accept' ? 'Accepted' : 'Rejected');
			},
		);

		it('can show the outcome for a while before the execution goes on', async () => {
			const wait = { ...bench.newWait(), holdMs: 3_000 };
			const { reference } = await bench.invite(wait);
			await bench.scan(reference);
			await bench.settle();
			bench.gateway.waits.keepResuming();
			await until(async () => (await waits())[0]?.outcome !== undefined);
			bench.clock.advance(2_900);
			const other = await bench.ask();
			await bench.decide();
			await bench.settle();
			await until(() => bench.outcomesOf(other).length > 0);
			expect(bench.outcomesOf(wait)).toEqual([]);
			expect(await bench.gateway.waits.find(wait.id, wait.key)).toMatchObject({
				outcome: answered,
			});
			bench.clock.advance(200);
			await until(() => bench.outcomesOf(wait).length > 0);
		});

		it('is found by the template, and forgotten without a call if nothing is resumed', async () => {
			bench.gateway.waits.keepResuming();
			const wait = { ...bench.newWait(), resumeUrl: '', holdMs: 3_000 };
			const { id, reference } = await bench.invite(wait);
			expect(await bench.gateway.waits.ofTemplate(id)).toMatchObject([{ id: wait.id }]);
			expect(await bench.gateway.waits.ofTemplate('RLT')).toEqual([]);
			await bench.scan(reference);
			await bench.settle();
			await until(async () => (await waits())[0]?.outcome !== undefined);
			bench.clock.advance(2_900);
			const other = await bench.ask();
			await bench.decide();
			await bench.settle();
			await until(() => bench.outcomesOf(other).length > 0);
			expect(await bench.gateway.waits.ofTemplate(id)).toMatchObject([{ outcome: answered }]);
			bench.clock.advance(200);
			await untilNothingWaits();
			expect(bench.outcomesOf(wait)).toEqual([]);
		});

		it('ends the wait when it is deleted', async () => {
			bench.gateway.waits.keepResuming();
			const wait = bench.newWait();
			const { id } = await bench.invite(wait);
			const other = await bench.ask();
			await bench.decide();
			await until(() => bench.outcomesOf(other).length > 0);
			await bench.gateway.templates.delete(id);
			await until(() => bench.outcomesOf(wait).length > 0);
			expect(bench.outcomesOf(wait)).toEqual([{ kind: 'ended', reason: 'templateDeleted' }]);
		});

		it('ends the wait at its deadline, and a later answer changes nothing', async () => {
			bench.gateway.waits.keepResuming();
			const deadline = isoInstant(bench.clock.now() + minuteMs);
			const wait = { ...bench.newWait(deadline), holdMs: 3_000 };
			const { reference } = await bench.invite(wait);
			bench.clock.advance(minuteMs);
			await until(async () => (await waits())[0]?.outcome !== undefined);
			await bench.scan(reference);
			await bench.settle();
			bench.clock.advance(3_000);
			await until(() => bench.outcomesOf(wait).length > 0);
			expect(bench.outcomesOf(wait)).toEqual([{ kind: 'timedOut' }]);
		});
	});
}
