import { n8nTraits } from '../../../scripts/n8n/environment';
import { N8nHost, type Execution, type Workflow } from '../../support/n8n/n8n-host';
import { Peer } from '../../support/peer/peer';
import { size } from '../../support/sizes';
import { testsIn } from '../support/n8n-test';
import { OnboardedHost, onboardWallet } from '../support/onboarded-host';
import {
	byAddress,
	enmeshedNode,
	manualStart,
	webhook,
	workflowOf,
} from '../support/workflow-builder';
import { askMany, askManyAtOnce, expectedAnswers } from '../support/waiting-load';
import { onMail } from '../support/workflows';

jest.setTimeout(600_000);

const questions = size({ quick: 8, full: 50 });
const kills = size({ quick: 2, full: 10 });
const answersAtOnce = size({ quick: 20, full: 200 });

describe('executions that wait for a person, in a real n8n', () => {
	let place: OnboardedHost;
	const it = testsIn(() => place?.host, 500_000);

	beforeAll(async () => {
		place = await OnboardedHost.open();
	});

	afterAll(() => place?.close());

	const ask = (fields: object = {}) =>
		enmeshedNode('Ask', place.credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			to: byAddress(place.wallet.address),
			message: 'May we charge 60 € now?',
			responseType: 'approval',
			...fields,
		});

	const note = {
		name: 'Note',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: '={{ JSON.stringify($json) }}', options: {} },
	};

	const asking = (name: string, fields: object = {}): Workflow =>
		workflowOf(name, [webhook(name, 'onReceived'), ask(fields), note]);

	/** Publishes the workflow and starts an execution, which waits when this resolves. */
	async function start(workflow: Workflow): Promise<string> {
		const { host } = place;
		const id = await host.createWorkflow(workflow);
		await host.publish(id);
		await host.webhook(workflow.name);
		await host.until(async () => (await statuses(id)).includes('waiting'), 'waiting');
		return id;
	}

	async function statuses(workflowId: string): Promise<string[]> {
		return (await place.host.executions(workflowId)).map(({ status }) => status);
	}

	/** The wallet decides its open request. */
	async function decide(
		verb: 'acceptRequest' | 'rejectRequest',
		wallet = place.wallet,
	): Promise<void> {
		const { host } = place;
		let id = '';
		await host.until(async () => {
			await wallet.sync();
			const open = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			id = String(open[0]?.id ?? '');
			return id !== '';
		}, 'asking the wallet');
		await wallet[verb](id, [{ accept: verb === 'acceptRequest' }]);
	}

	async function ended(workflowId: string): Promise<Execution> {
		let found: Execution | undefined;
		await place.host.until(async () => {
			[found] = await place.host.executions(workflowId);
			return found !== undefined && !['waiting', 'running', 'new'].includes(found.status);
		}, 'done waiting');
		return found as Execution;
	}

	const noted = ({ data }: Execution): Array<Record<string, unknown>> =>
		(data.resultData.runData['Note'] ?? []).flatMap(
			(run) => run.data?.main[0]?.map(({ json }) => json as Record<string, unknown>) ?? [],
		);

	it('go on with the decision of the person, without any trigger', async () => {
		const id = await start(asking('approve'));
		await decide('acceptRequest');
		const answeredAt = Date.now();
		const execution = await ended(id);
		process.stderr.write(`from the answer to the end: ${Date.now() - answeredAt} ms\n`);
		expect(execution.status).toBe('success');
		expect(noted(execution)).toMatchObject([
			{
				data: { approved: true },
				answered: true,
				peer: place.wallet.address,
				peerName: 'Ada',
				result: 'Accepted',
			},
		]);
	});

	it('go on with the decision in a wallet of version 7', async () => {
		const { host, credentialId } = place;
		const wallet = await Peer.start(7, { baseUrl: place.backbone.baseUrl });
		try {
			await onboardWallet(host, wallet, credentialId, 'onboard-7');
			const id = await start(asking('approve-7', { to: byAddress(wallet.address) }));
			await decide('acceptRequest', wallet);
			expect(noted(await ended(id))).toMatchObject([
				{ data: { approved: true }, answered: true, peer: wallet.address, result: 'Accepted' },
			]);
		} finally {
			await wallet.stop();
		}
	});

	it('go on with a decline', async () => {
		const id = await start(asking('decline'));
		await decide('rejectRequest');
		expect(noted(await ended(id))).toMatchObject([{ data: { approved: false }, answered: true }]);
	});

	it('go on when the time is up', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
		};
		const id = await start(asking('late', { options: { limitWaitTime } }));
		expect(noted(await ended(id))).toMatchObject([{ answered: false, timedOut: true }]);
	});

	it('fail when the time is up, if the workflow wants that', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' },
		};
		const options = { limitWaitTime, noAnswer: 'error' };
		const id = await start(asking('late-error', { options }));
		const execution = await ended(id);
		const message = 'The person did not answer in time';
		if (n8nTraits().failsAfterWait) {
			expect(execution.status).toBe('error');
			expect(execution.data.resultData.error?.message).toBe(message);
		} else {
			expect(noted(execution)).toMatchObject([{ error: message }]);
		}
	});

	it('take the error output when the time is up, if the workflow wants that', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' },
		};
		const options = { limitWaitTime, noAnswer: 'error' };
		const workflow = asking('late-output', { options });
		const link = (node: string) => [{ node, type: 'main', index: 0 }];
		const id = await start({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				'name' in node && node.name === 'Ask' ? { ...node, onError: 'continueErrorOutput' } : node,
			),
			connections: { ...workflow.connections, Ask: { main: [[], link('Note')] } },
		});
		expect(noted(await ended(id))).toMatchObject([
			{
				error: 'The person did not answer in time',
				message: expect.stringContaining('error.gateway.waits.timeIsUp'),
				body: {},
			},
		]);
	});

	it('go on with the reply to a mail', async () => {
		const { wallet, gateway, credentialId } = place;
		const mail = enmeshedNode('Ask', credentialId, {
			resource: 'message',
			operation: 'sendAndWait',
			to: byAddress(wallet.address),
			subject: 'Lunch',
			body: 'When?',
		});
		const id = await start(workflowOf('mail', [webhook('mail', 'onReceived'), mail, note]));
		await wallet.sync();
		await wallet.sendMail(gateway, 'Re: Lunch', 'At noon');
		expect(noted(await ended(id))).toMatchObject([{ subject: 'Re: Lunch', body: 'At noon' }]);
	});

	it('go on with the words of the person', async () => {
		const { wallet, gateway } = place;
		const id = await start(asking('words', { responseType: 'freeText' }));
		await wallet.sync();
		await wallet.sendMail(gateway, 'Re', 'Yes, please.');
		expect(noted(await ended(id))).toMatchObject([{ data: { text: 'Yes, please.' } }]);
	});

	it('run from the editor, too', async () => {
		const { host } = place;
		const id = await host.createWorkflow(workflowOf('manual', [manualStart(), ask(), note]));
		await host.runManually(id, 'Start');
		await host.until(async () => (await statuses(id)).includes('waiting'), 'waiting');
		await decide('acceptRequest');
		expect(noted(await ended(id))).toMatchObject([{ data: { approved: true } }]);
	});

	it('ask one person after the other in a loop', async () => {
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1, options: {} },
		};
		const two = {
			name: 'Two',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }];' },
		};
		const workflow = workflowOf('loop', [webhook('loop', 'onReceived'), two, loop, ask(), note]);
		const link = (node: string) => [{ node, type: 'main', index: 0 }];
		const connections = {
			...workflow.connections,
			Loop: { main: [link('Note'), link('Ask')] },
			Ask: { main: [link('Loop')] },
		};
		const id = await start({ ...workflow, connections });
		await decide('acceptRequest');
		await decide('rejectRequest');
		expect(noted(await ended(id))).toMatchObject([
			{ data: { approved: true } },
			{ data: { approved: false } },
		]);
	});

	it('ask in one branch after the other, if there are several', async () => {
		const workflow = workflowOf('branches', [webhook('branches', 'onReceived'), ask(), note]);
		const link = (node: string) => [{ node, type: 'main', index: 0 }];
		const second = { ...ask({ message: 'And may we write to you?' }), name: 'Ask too' };
		const id = await start({
			...workflow,
			nodes: [...workflow.nodes, { id: 'branches-3', position: [220, 200], ...second }],
			connections: {
				...workflow.connections,
				Webhook: { main: [[...link('Ask'), ...link('Ask too')]] },
				'Ask too': { main: [link('Note')] },
			},
		});
		await place.wallet.sync();
		const open = await place.wallet.incomingRequests({ status: 'ManualDecisionRequired' });
		expect(open).toHaveLength(1);
		await decide('acceptRequest');
		await decide('rejectRequest');
		expect(noted(await ended(id))).toMatchObject([
			{ data: { approved: true } },
			{ data: { approved: false } },
		]);
	});

	it('refuse several items at once', async () => {
		const two = {
			name: 'Two',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }];' },
		};
		const { host } = place;
		const workflow = workflowOf('several', [webhook('several', 'onReceived'), two, ask(), note]);
		const id = await host.createWorkflow(workflow);
		await host.publish(id);
		await host.webhook('several');
		const { status, data } = await ended(id);
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain('waits for one person at a time');
	});

	it('go on with the answer that came while n8n was down', async () => {
		const { host } = place;
		const mails = await host.createWorkflow(onMail(place.credentialId));
		await host.publish(mails);
		const id = await start(asking('killed'));
		await host.kill();
		await decide('acceptRequest');
		await host.start();
		expect(noted(await ended(id))).toMatchObject([{ data: { approved: true } }]);
		await host.deactivate(mails);
	});

	it('that ran with the answer when n8n was killed go on with it when a person retries them', async () => {
		const { host } = place;
		const slow = {
			name: 'Slow',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { resume: 'timeInterval', amount: 10, unit: 'seconds' },
		};
		const workflow = workflowOf('crashed', [webhook('crashed', 'onReceived'), ask(), slow, note]);
		const id = await start(workflow);
		await decide('acceptRequest');
		await host.until(async () => (await host.runningExecutions(id)).length > 0, 'running');
		await host.kill();
		await host.start();
		const crashed = await ended(id);
		expect(crashed.status).toBe('crashed');
		await host.retryExecution(crashed.id);
		await host.until(async () => (await statuses(id)).includes('success'), 'retried');
		const [retry] = await host.executions(id);
		expect(noted(retry as Execution)).toMatchObject([{ data: { approved: true } }]);
	});

	it('end with their own answer, each once, although n8n is killed meanwhile', async () => {
		const { host } = place;
		const answers = await askMany(place, { questions, kills }, async () => {
			await host.kill();
			await host.start();
		});
		expect(answers).toEqual(expectedAnswers(questions));
	});

	it('go on, each once, when all answers arrive with the start of n8n', async () => {
		expect(await askManyAtOnce(place, answersAtOnce)).toEqual(expectedAnswers(answersAtOnce));
	});

	it('go on although the workflow was unpublished meanwhile', async () => {
		const id = await start(asking('unpublished'));
		await place.host.deactivate(id);
		await decide('acceptRequest');
		expect(noted(await ended(id))).toMatchObject([{ data: { approved: true } }]);
	});

	it('end with a workflow that is deleted meanwhile, and others go on', async () => {
		const { host } = place;
		const id = await start(asking('deleted'));
		await host.deactivate(id);
		// n8n refuses this until it has unpublished the workflow.
		await host.until(async () => {
			await host.api('DELETE', `/workflows/${id}`);
			return true;
		}, 'deleting the workflow');
		await decide('acceptRequest');
		const next = await start(asking('after-deleted'));
		await decide('acceptRequest');
		expect(noted(await ended(next))).toMatchObject([{ data: { approved: true } }]);
		expect(await statuses(id)).toEqual([]);
	});

	it('that a person stopped stay stopped', async () => {
		const { host } = place;
		const id = await start(asking('stopped'));
		const [execution] = await host.executions(id);
		await host.stopExecution(String(execution?.id));
		await decide('acceptRequest');
		const next = await start(asking('next'));
		await decide('acceptRequest');
		await ended(next);
		expect(await statuses(id)).toEqual(['canceled']);
	});
});

describe('executions that wait in an n8n with a wrong public address', () => {
	it('end with their own answers, because the local address is called, too', async () => {
		const environment = { WEBHOOK_URL: 'https://n8n.invalid/' };
		const place = await OnboardedHost.open({}, { prepare: () => N8nHost.prepare({ environment }) });
		try {
			expect(await askMany(place, { questions: 2, kills: 0 }, async () => {})).toEqual(
				expectedAnswers(2),
			);
		} finally {
			await place.close();
		}
	});
});
