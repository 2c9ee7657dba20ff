import { newSeed } from '../support/seeds';
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
 * wallet answers all of them while the host is interrupted. Executions that ran in that moment are
 * retried, as a person does with crashed executions: one process of n8n does not continue them.
 *
 * @returns what the successful executions went on with, by number
 */
export async function askMany(
	{ host, wallet, credentialId }: OnboardedHost,
	{ questions, kills }: { readonly questions: number; readonly kills: number },
	interrupt: () => Promise<void>,
): Promise<Answer[]> {
	const mails = await host.createWorkflow(onMail(credentialId));
	await host.publish(mails);
	const ask = enmeshedNode('Ask', credentialId, {
		resource: 'outgoingRequest',
		operation: 'sendAndWait',
		to: byAddress(wallet.address),
		message: '={{ String($json.body.n) }}',
		responseType: 'approval',
	});
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
	const workflow = workflowOf('many', [webhook('many', 'onReceived'), ask, note]);
	const id = await host.createWorkflow(workflow);
	await host.publish(id);
	for (const { n } of expectedAnswers(questions)) await host.webhook('many', { n });
	const waiting = async (): Promise<number> =>
		(await host.executions(id)).filter(({ status }) => status === 'waiting').length;
	await host.until(async () => (await waiting()) === questions, 'waiting');
	const answering = answerAll(wallet, questions);
	for (let kill = 0; kill < kills; kill++) {
		await new Promise((resolve) => setTimeout(resolve, 300 + (newSeed() % 700)));
		await interrupt();
	}
	await answering;
	const retried = new Set<string>();
	const done = async (): Promise<Answer[]> => {
		const executions = await host.executions(id);
		for (const { id: crashed, status } of executions) {
			if (status !== 'crashed' || retried.has(crashed)) continue;
			retried.add(crashed);
			await host.retryExecution(crashed);
		}
		return executions
			.filter(({ status }) => status === 'success')
			.flatMap(({ data }) => data.resultData.runData['Note'] ?? [])
			.flatMap((run) => run.data?.main[0]?.map(({ json }) => json as unknown as Answer) ?? []);
	};
	await host.until(async () => (await done()).length >= questions, 'done', 300_000);
	await host.deactivate(mails);
	process.stderr.write(`${kills} kills, ${retried.size} of ${questions} executions retried\n`);
	return (await done()).sort((a, b) => a.n - b.n);
}

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
