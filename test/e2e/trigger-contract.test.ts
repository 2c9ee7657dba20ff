import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { freePort } from '../../scripts/n8n/free-port';
import type { Execution } from '../support/n8n/n8n-host';
import { Forwarder } from '../support/forwarder';
import { testsIn } from './support/n8n-test';
import { credentialFor, OnboardedHost } from './support/onboarded-host';
import { onMail } from './support/workflows';

jest.setTimeout(300_000);

describe('the trigger in a real n8n', () => {
	let folder: string;
	let port: number;
	let place: OnboardedHost;
	let mailId: string;
	let backbone: SandboxBackbone;
	let elsewhere: Forwarder;
	const it = testsIn(() => place?.host);

	const openBackbone = (): Promise<SandboxBackbone> =>
		SandboxBackbone.open({
			port,
			stateFile: join(folder, 'backbone.json'),
			maxUnreceivedMessages: 1_000,
		});

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-backbone-'));
		port = await freePort();
		place = await OnboardedHost.open({ port, stateFile: join(folder, 'backbone.json') });
		({ backbone } = place);
		elsewhere = await Forwarder.to(port);
		mailId = await place.host.createWorkflow(onMail(place.credentialId));
		await place.host.publish(mailId);
	});

	afterAll(async () => {
		await place?.close();
		await elsewhere?.close();
		await backbone?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it('starts one execution for each mail', async () => {
		await sendAndWait(['first', 'second']);
		expect(await runsOf('first')).toBe(1);
		expect(await runsOf('second')).toBe(1);
	});

	it('starts a workflow by push alone while the next look is an hour away', async () => {
		await place.host.updateWorkflow(mailId, onMail(place.credentialId, 0, { seconds: 3_600 }));
		await place.host.publish(mailId);
		// What follows the opening of the connection is over: nothing but push leads to another sync.
		await untilNoSyncFor(5_000);
		const delays = await delaysOf(['pushed 1', 'pushed 2', 'pushed 3', 'pushed 4', 'pushed 5']);
		process.stderr.write(`from the event to the workflow, with push: ${delays.join(', ')} ms\n`);
	});

	it('starts a workflow with the first look after the event where there is no push', async () => {
		const seconds = 3;
		const polling = onMail(place.credentialId, 0, { seconds, push: false });
		await place.host.updateWorkflow(mailId, polling);
		await place.host.publish(mailId);
		const delays = await delaysOf(['polled 1', 'polled 2', 'polled 3', 'polled 4', 'polled 5']);
		process.stderr.write(
			`from the event to the workflow, asking every ${seconds} s: ${delays.join(', ')} ms\n`,
		);
		await place.host.updateWorkflow(mailId, onMail(place.credentialId));
		await place.host.publish(mailId);
	});

	it('follows its credential when that is edited, without being published again', async () => {
		const backboneUrl = `http://localhost:${elsewhere.port}/`;
		await editCredential({ backboneUrl });
		// No action runs, so it is the trigger that has looked.
		await place.host.until(async () => elsewhere.used > 0, 'at the new address');
		await sendAndWait(['at the new address']);
		expect(await runsOf('at the new address')).toBe(1);
		await editCredential({});
	});

	it('goes on when its workflow is published again with another node', async () => {
		await place.host.updateWorkflow(mailId, onMail(place.credentialId, 1));
		await place.host.publish(mailId);
		await sendAndWait(['after the change']);
		expect(await runsOf('after the change')).toBe(1);
		expect(await runsOf('first')).toBe(1);
	});

	it('goes on where it stopped when it is changed and published again', async () => {
		await place.host.deactivate(mailId);
		await place.wallet.sendMail(place.gateway, 'while unpublished', 'text');
		await place.host.updateWorkflow(mailId, onMail(place.credentialId, 0, { seconds: 20 }));
		await place.host.publish(mailId);
		await untilRun(['while unpublished']);
		await sendAndWait(['after the publication']);
		for (const subject of ['first', 'while unpublished', 'after the publication']) {
			expect(await runsOf(subject)).toBe(1);
		}
	});

	it('delivers after a regular stop what came in between', async () => {
		await place.host.stop();
		expect(place.host.endedItself).toBe(true);
		await place.wallet.sendMail(place.gateway, 'while n8n was off', 'text');
		await place.host.start();
		await untilRun(['while n8n was off']);
		expect(await runsOf('while n8n was off')).toBe(1);
	});

	it('is published although the Backbone is down at the start, and works once it is back', async () => {
		await place.host.stop();
		await backbone.close();
		await place.host.start();
		await place.host.untilPublished(mailId);
		backbone = await openBackbone();
		await sendAndWait(['after the outage']);
		expect(await runsOf('after the outage')).toBe(1);
	});

	/**
	 * Sends mails one after the other. Of each: the milliseconds from when the server had its event to the
	 * start of the workflow, whose event the first sync run after that has brought.
	 */
	async function delaysOf(subjects: readonly string[]): Promise<number[]> {
		const { queues, calls } = backbone;
		const carryOut = queues.onDue;
		const delays: number[] = [];
		for (const subject of subjects) {
			let readableAt = Number.NaN;
			let before = 0;
			queues.onDue = (task) => {
				carryOut(task);
				if (task.kind !== 'event' || task.type !== 'MessageReceived') return;
				[readableAt, before] = [Date.now(), calls.entries.length];
			};
			await sendAndWait([subject]);
			queues.onDue = carryOut;
			const [run] = await runsFor(subject);
			delays.push(Date.parse(run?.startedAt ?? '') - readableAt);
			const since = calls.entries.slice(before).map(({ method, path }) => `${method} ${path}`);
			const asked = since.findIndex((call) => /^POST .*SyncRuns$/i.test(call));
			expect(since[asked + 1]).toMatch(/^GET .*ExternalEvents/i);
		}
		return delays;
	}

	async function untilNoSyncFor(quietMs: number): Promise<void> {
		const { calls } = backbone;
		let [seen, since] = [-1, Date.now()];
		await place.host.until(() => {
			const count = calls.count('POST', /SyncRuns$/i);
			if (count !== seen) [seen, since] = [count, Date.now()];
			return Promise.resolve(Date.now() - since > quietMs);
		}, 'without syncs');
	}

	async function editCredential(changes: object): Promise<void> {
		const data = { ...credentialFor(backbone), ...changes };
		await place.host.editCredential(place.credentialId, data);
	}

	async function sendAndWait(subjects: readonly string[]): Promise<void> {
		for (const subject of subjects) await place.wallet.sendMail(place.gateway, subject, 'text');
		await untilRun(subjects);
	}

	async function untilRun(subjects: readonly string[]): Promise<void> {
		await place.host.until(
			async () => {
				const runs = await Promise.all(subjects.map(runsOf));
				return runs.every((count) => count > 0);
			},
			`started by ${subjects.join(', ')}`,
		);
	}

	async function runsOf(subject: string): Promise<number> {
		return (await runsFor(subject)).length;
	}

	async function runsFor(subject: string): Promise<Execution[]> {
		const executions = await place.host.executions(mailId);
		return executions.filter((run) => run.status === 'success' && subjectOf(run) === subject);
	}
});

function subjectOf({ data }: Execution): unknown {
	return data.resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json['subject'];
}
