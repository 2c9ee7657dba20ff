import type { WaitRecord } from '../model/record/wait';
import { waitErrors } from '../domain/wait/wait-errors';
import { WebhookCaller, type CallOutcome } from '../publish/webhooks/webhook-caller';
import { isJsonObject } from '../model/json';

/**
 * Answer of n8n to a call that resumes an execution. `taken`: the node took the outcome. `busy`:
 * the execution is running at present. `missing`: it does not exist, was not stored yet, or waits
 * elsewhere. `over`: it has ended. `refused`: the node runs and does not find the wait. `failed`:
 * n8n or the node has failed. `away`: this process did not reach n8n.
 */
export type ResumeAnswer =
	| { readonly kind: 'taken' | 'busy' | 'missing' | 'over' }
	| {
			readonly kind: 'refused' | 'failed' | 'away';
			readonly code: string;
			readonly message: string;
	  };

/** Answers from the least to the most conclusive, for calls at several addresses. */
const conclusiveness: ReadonlyArray<ResumeAnswer['kind']> = [
	'away',
	'failed',
	'missing',
	'over',
	'busy',
	'refused',
	'taken',
];

const timeoutMs = 10_000;

/** Resumes executions by HTTP, as n8n offers it: at the public address, else at the local one. */
export class ResumeCaller {
	private constructor(
		private readonly atPublicAddress: WebhookCaller,
		private readonly atLocalAddress: WebhookCaller,
		private readonly environment: NodeJS.ProcessEnv,
	) {}

	static async open(environment: NodeJS.ProcessEnv = process.env): Promise<ResumeCaller> {
		return new ResumeCaller(
			await WebhookCaller.open({ timeoutMs, skipTlsCheck: false, environment }),
			// The local address has no certificate of its own, and no proxy leads to it.
			await WebhookCaller.open({ timeoutMs, skipTlsCheck: true, environment: {} }),
			environment,
		);
	}

	/** @throws the signal's reason and no other error */
	async resume(
		{ resumeUrl, key }: Pick<WaitRecord, 'resumeUrl' | 'key'>,
		options: { readonly signal: AbortSignal },
	): Promise<ResumeAnswer> {
		const answer = await this.call(this.atPublicAddress, resumeUrl, key, options);
		const localUrl = localAddressOf(resumeUrl, this.environment);
		// Another server may answer at a public address that is wrong.
		if (answer.kind === 'taken' || localUrl === resumeUrl) return answer;
		const second = await this.call(this.atLocalAddress, localUrl, key, options);
		const rank = ({ kind }: ResumeAnswer): number => conclusiveness.indexOf(kind);
		return rank(second) > rank(answer) ? second : answer;
	}

	async close(): Promise<void> {
		await Promise.all([this.atPublicAddress.close(), this.atLocalAddress.close()]);
	}

	private async call(
		caller: WebhookCaller,
		url: string,
		key: string,
		{ signal }: { readonly signal: AbortSignal },
	): Promise<ResumeAnswer> {
		const headers = { 'content-type': 'application/json', 'user-agent': 'n8n-nodes-enmeshed' };
		const outcome = await caller.post({ url, headers, body: '{}' }, { signal, reads: true });
		return judge(outcome, key);
	}
}

/** Body with which the node answers a call. */
export interface NodeAnswer {
	/**
	 * `taken`: n8n continues the execution; `waiting`: there is no outcome yet; `failed`: the account
	 * could not be read
	 */
	readonly enmeshed: 'taken' | 'waiting' | 'unknown' | 'failed';
	/** key of the wait */
	readonly wait: string;
}

/**
 * Address of the same n8n on this host. The signature covers path and query, so it stays valid. A
 * sub path is for the proxy in front of n8n only.
 */
export function localAddressOf(url: string, environment: NodeJS.ProcessEnv): string {
	const local = new URL(url);
	const { N8N_PROTOCOL, N8N_PORT, N8N_LISTEN_ADDRESS = '' } = environment;
	const { N8N_ENDPOINT_WEBHOOK_WAIT: endpoint = 'webhook-waiting' } = environment;
	local.pathname = local.pathname.slice(Math.max(local.pathname.lastIndexOf(`/${endpoint}/`), 0));
	local.protocol = N8N_PROTOCOL === 'https' ? 'https:' : 'http:';
	local.hostname = /^(|::|0\.0\.0\.0)$/.test(N8N_LISTEN_ADDRESS)
		? '127.0.0.1'
		: N8N_LISTEN_ADDRESS.includes(':')
			? `[${N8N_LISTEN_ADDRESS}]`
			: N8N_LISTEN_ADDRESS;
	local.port = N8N_PORT ?? '5678';
	return local.toString();
}

function judge(outcome: CallOutcome, key: string): ResumeAnswer {
	if (outcome.kind === 'notReached') return away(`n8n was not reached: ${outcome.reason}.`);
	const { status, body } = outcome;
	const told = readBody(body);
	if ('enmeshed' in told) return judgeNode(told, key);
	// Only answers of n8n mention an execution; any other server may answer 404, too.
	const message = typeof told['message'] === 'string' ? told['message'] : '';
	const isAboutExecution = /execution/i.test(message);
	if (isAboutExecution && status === 404) return { kind: 'missing' };
	if (isAboutExecution && status === 409) {
		return { kind: /running/i.test(message) ? 'busy' : 'over' };
	}
	// Page for an execution that has ended, or waits at another node.
	if (status === 200 && /no action required/i.test(body)) return { kind: 'over' };
	const reason = `The address of n8n answered ${status}.`;
	// n8n itself answers with these two; other statuses come from a proxy in front of it, or from
	// another server.
	return status === 401 || status === 500 ? failed(reason) : away(reason);
}

function judgeNode({ enmeshed, wait }: Partial<NodeAnswer>, key: string): ResumeAnswer {
	if (wait === key && enmeshed === 'taken') return { kind: 'taken' };
	if (enmeshed === 'failed') return failed('The waiting node could not read the account.');
	const { code } = waitErrors.notAccepted;
	const message =
		enmeshed === 'waiting'
			? 'The waiting node does not see the answer yet.'
			: 'The waiting node does not find this wait in its account.';
	return { kind: 'refused', code, message };
}

function away(message: string): ResumeAnswer {
	return { kind: 'away', code: waitErrors.notResumed.code, message };
}

function failed(message: string): ResumeAnswer {
	return { kind: 'failed', code: waitErrors.notResumed.code, message };
}

function readBody(body: string): Record<string, unknown> {
	try {
		const parsed: unknown = JSON.parse(body);
		return isJsonObject(parsed) ? parsed : {};
	} catch {
		return {};
	}
}
