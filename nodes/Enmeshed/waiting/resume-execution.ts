import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { GatewayError } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { loadCore } from '../gateway/core';
import { textMember } from '../helpers/members';
import { toNodeError } from '../errors/to-node-error';
import { isToolVariant } from '../operation/tool-variant';
import { forAgent } from '../output/for-agent';
import { toErrorJson } from '../output/to-items';
import { acceptAnswers } from './accept-answer';
import { answerItems, noteOf, type Ended } from './answer-item';
import type { AnswerItem } from './group-items';
import { failResumedNode, keepFurtherCalls } from './resumed-node';
import { showPage } from './show-page';

/**
 * Answers a call of the waiting webhook: continues the execution with the outcome that the account
 * has stored for its wait. What the caller sends is ignored, apart from the signed names of the
 * wait. Without an outcome the execution keeps waiting, and a GET, which robots send, too, only
 * shows the page of the wait. Never throws: n8n would continue the execution with an empty item.
 */
export async function resumeExecution(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query = this.getQueryData();
	const id = textMember(query, 'wait') ?? '';
	const key = textMember(query, 'key') ?? '';
	const { method } = this.getRequestObject();
	try {
		return method === 'POST'
			? await continueWith(this, id, key)
			: await show(this, id, key, textMember(query, 'show'));
	} catch (error) {
		this.logger.warn(`A waiting execution could not be continued: ${String(error)}`);
		return refuse(this, 503, { enmeshed: 'failed', wait: key });
	}
}

/** Shows the page of a template, or its state, to its visitor. Other addresses have no page. */
async function show(
	functions: IWebhookFunctions,
	id: string,
	key: string,
	part: string | undefined,
): Promise<IWebhookResponseData> {
	if (part === undefined) return refuse(functions, 405, { enmeshed: 'waiting' });
	const credential = await functions.getCredentials(credentialName);
	const { gateway, release } = await leaseGateway(functions, toGatewayConfig(credential));
	try {
		const wait = await gateway.waits.find(id, key);
		const isStatus = part === 'status';
		const acceptLanguage = textMember(functions.getHeaderData(), 'accept-language');
		const page = await showPage(gateway, wait, { isStatus, acceptLanguage });
		functions.getResponseObject().writeHead(page.statusCode, page.headers).end(page.body);
		return { noWebhookResponse: true };
	} finally {
		release();
	}
}

async function continueWith(
	functions: IWebhookFunctions,
	id: string,
	key: string,
): Promise<IWebhookResponseData> {
	const credential = await functions.getCredentials(credentialName);
	const { gateway, release } = await leaseGateway(functions, toGatewayConfig(credential));
	try {
		const wait = await gateway.waits.find(id, key);
		const { outcome } = wait ?? {};
		if (wait === undefined || outcome === undefined) {
			const enmeshed = wait === undefined ? 'unknown' : 'waiting';
			return refuse(functions, 409, { enmeshed, wait: key });
		}
		const ended = { ...wait, outcome };
		await acceptAnswers(gateway, ended);
		const answers = await answerItems(gateway, ended);
		const failure = await failureOf(ended, answers);
		const items =
			failure === undefined
				? answers.map(({ json, item }) => ({
						json: forCaller(functions, json),
						pairedItem: { item },
					}))
				: [{ ...failing(functions, failure), pairedItem: { item: 0 } }];
		await gateway.waits.handOver(id, key);
		keepFurtherCalls(functions);
		return { webhookResponse: { enmeshed: 'taken', wait: key }, workflowData: [items] };
	} finally {
		release();
	}
}

function forCaller(functions: IWebhookFunctions, answer: IDataObject): IDataObject {
	return isToolVariant(functions.getNode()) ? forAgent('awaitedAnswer', answer) : answer;
}

/** Error with which the node fails for want of an answer; undefined if the execution goes on. */
async function failureOf(
	wait: Ended,
	answers: readonly AnswerItem[],
): Promise<GatewayError | undefined> {
	const { outcome } = wait;
	if (outcome.kind === 'answered' || noteOf(wait).noAnswer !== 'error') return undefined;
	// Several people were asked, and some of them have answered.
	if (answers.some(({ json }) => json.answered)) return undefined;
	const { waitErrors } = await loadCore();
	return outcome.kind === 'timedOut'
		? waitErrors.create('timeIsUp', { message: 'The person did not answer in time' })
		: waitErrors.create('noAnswerPossible', {
				message: `The person can no longer answer (${outcome.reason})`,
			});
}

function failing(
	functions: IWebhookFunctions,
	failure: GatewayError,
): Pick<INodeExecutionData, 'json' | 'error'> {
	const node = functions.getNode();
	const error = toNodeError(node, failure);
	const json = toErrorJson(error);
	if (node.onError === 'continueRegularOutput') return { json };
	if (node.onError === 'continueErrorOutput') {
		// Every version of the engine takes these two members, and no others, for an error.
		const { code, remedy = '' } = failure;
		return { json: { error: json.message, message: `${json.message}. ${remedy} (${code})` } };
	}
	failResumedNode(functions, error);
	return { json: { error: error.message }, error };
}

function refuse(
	functions: IWebhookFunctions,
	status: number,
	answer: IDataObject,
): IWebhookResponseData {
	functions.getResponseObject().status(status).json(answer);
	return { noWebhookResponse: true };
}
