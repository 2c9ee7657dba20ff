import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { freePort } from '../../scripts/n8n/free-port';
import type { Execution, Workflow } from '../support/n8n-host';
import { Forwarder } from '../support/forwarder';
import { testsIn } from './n8n-test';
import { credentialFor, OnboardedHost } from './onboarded-host';
import type { TestNode } from './workflow-builder';
import { onMail } from './workflows';

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
		await place.host.updateWorkflow(mailId, withSyncInterval(onMail(place.credentialId), 20));
		await place.host.publish(mailId);
		await untilRun(['while unpublished']);
		await sendAndWait(['after the publication']);
		for (const subject of ['first', 'while unpublished', 'after the publication']) {
			expect(await runsOf(subject)).toBe(1);
		}
	});

	it('delivers after a regular stop what came in between', async () => {
		await place.host.stop();
		expect(place.host.exitCode).toBe(0);
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
		const executions = await place.host.executions(mailId);
		return executions.filter((run) => run.status === 'success' && subjectOf(run) === subject)
			.length;
	}
});

/** The workflow with another parameter in its trigger, for which n8n starts that again. */
function withSyncInterval(workflow: Workflow, syncIntervalSeconds: number): Workflow {
	const [trigger, ...others] = workflow.nodes as readonly TestNode[];
	const parameters = trigger?.parameters as { options: object };
	const options = { ...parameters.options, syncIntervalSeconds };
	return {
		...workflow,
		nodes: [{ ...trigger, parameters: { ...parameters, options } }, ...others],
	};
}

function subjectOf({ data }: Execution): unknown {
	return data.resultData.runData['Mail']?.[0]?.data?.main[0]?.[0]?.json['subject'];
}
