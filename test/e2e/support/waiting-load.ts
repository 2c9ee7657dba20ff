import { newSeed } from '../../support/seeds';
import type { OnboardedHost } from './onboarded-host';
import { byAddress, enmeshedNode, webhook, workflowOf } from './workflow-builder';
import { onMail } from './workflows';

interface Answer {
	readonly n: number;
	readonly approved: boolean;
}

/** Even numbers are approved, odd ones are declined. */
const isApproved = (n: number): boolean => n % 2 === 0;

export function expectedAnswers(questions: number): Answer[] {
	return Array.from({ length: questions }, (_, n) => ({ n, approved: isApproved(n) }));
}

/**
 * Lets many executions wait, each with a number, while a published trigger keeps the account. The
 * wallet answers all of them while the host is interrupted.
 *
 * @returns what the successful executions went on with, by number
 */
export async function askMany(
	place: OnboardedHost,
	{ questions, kills }: { readonly questions: number; readonly kills: number },
	interrupt: () => Promise<void>,
): Promise<Answer[]> {
	const asked = await WaitingExecutions.ask(place, questions);
	const answering = answerAll(place.wallet, questions);
	for (let kill = 0; kill < kills; kill++) {
		await new Promise((resolve) => setTimeout(resolve, 300 + (newSeed() % 700)));
		await interrupt();
	}
	await answering;
	const answers = await asked.ended();
	process.stderr.write(`${kills} kills, ${asked.retried} of ${questions} executions retried\n`);
	return answers;
}

/** As {@link askMany}, but n8n is down until the wallet has answered everything. */
export async function askManyAtOnce(place: OnboardedHost, questions: number): Promise<Answer[]> {
	const asked = await WaitingExecutions.ask(place, questions);
	await place.host.kill();
	await answerAll(place.wallet, questions);
	await place.host.start();
	return await asked.ended();
}

/** Executions of one workflow that each wait for the answer to a question with a number. */
class WaitingExecutions {
	private readonly retries = new Set<string>();

	private constructor(
		private readonly host: OnboardedHost['host'],
		private readonly questions: number,
		private readonly workflowId: string,
		private readonly triggerId: string,
	) {}

	static async ask(
		{ host, wallet, credentialId }: OnboardedHost,
		questions: number,
	): Promise<WaitingExecutions> {
		const triggerId = await host.createWorkflow(onMail(credentialId));
		await host.publish(triggerId);
		const path = `many-${triggerId}`;
		const ask = enmeshedNode('Ask', credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			to: byAddress(wallet.address),
			message: '={{ String($json.body.n) }}',
			responseType: 'approval',
		});
		const workflow = workflowOf('many', [webhook(path, 'onReceived'), ask, note]);
		const workflowId = await host.createWorkflow(workflow);
		await host.publish(workflowId);
		for (const { n } of expectedAnswers(questions)) await host.webhook(path, { n });
		const asked = new WaitingExecutions(host, questions, workflowId, triggerId);
		await host.until(async () => (await asked.waiting()) === questions, 'waiting');
		return asked;
	}

	get retried(): number {
		return this.retries.size;
	}

	/** Resolves when every execution has ended with success. */
	async ended(): Promise<Answer[]> {
		try {
			await this.host.until(
				async () => (await this.answers()).length >= this.questions,
				'done',
				300_000,
			);
		} catch (error) {
			throw new Error(`${await this.states()}\n${String(error)}`);
		}
		await this.host.deactivate(this.triggerId);
		return (await this.answers()).sort((a, b) => a.n - b.n);
	}

	/** State of each execution, for the message of a failed test. */
	private async states(): Promise<string> {
		const executions = await this.host.executions(this.workflowId);
		return executions
			.map((execution) => {
				const { id, status, data } = execution;
				const { runData, error } = data.resultData;
				return `${id} ${status} ${JSON.stringify(error)} ran ${Object.keys(runData).join(', ')}`;
			})
			.join('\n');
	}

	private async waiting(): Promise<number> {
		const executions = await this.host.executions(this.workflowId);
		return executions.filter(({ status }) => status === 'waiting').length;
	}

	/**
	 * Retries executions that ran when n8n was killed, as a person does with crashed executions: one
	 * process of n8n does not continue them.
	 */
	private async answers(): Promise<Answer[]> {
		const executions = await this.host.executions(this.workflowId);
		for (const { id, status } of executions) {
			if (status !== 'crashed' || this.retries.has(id)) continue;
			this.retries.add(id);
			await this.host.retryExecution(id);
		}
		return executions
			.filter(({ status }) => status === 'success')
			.flatMap(({ data }) => data.resultData.runData['Note'] ?? [])
			.flatMap((run) => run.data?.main[0]?.map(({ json }) => json as unknown as Answer) ?? []);
	}
}

const note = {
	name: 'Note',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput:
			"={{ JSON.stringify({ n: $('Webhook').first().json.body.n, approved: $json.data.approved }) }}",
		options: {},
	},
};

async function answerAll(wallet: OnboardedHost['wallet'], questions: number): Promise<void> {
	for (let answered = 0; answered < questions;) {
		await wallet.sync();
		const open = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
		for (const { id, content } of open) {
			const [item] = (content as { items: Array<{ consent: string }> }).items;
			const accept = isApproved(Number(item?.consent));
			await wallet[accept ? 'acceptRequest' : 'rejectRequest'](String(id), [{ accept }]);
			answered++;
		}
	}
}
