import type { IExecuteFunctions } from 'n8n-workflow';

/** Part of n8n's functions with which it signs addresses; absent on other hosts. */
interface Signing {
	readonly additionalData?: { readonly webhookWaitingBaseUrl?: string };
}

/**
 * Signed address of the waiting execution. Where n8n has a sub path (`N8N_PATH`), n8n signs the
 * path with it, but checks the path that its proxy leaves, which is without it. So the signature is
 * made for what n8n will see.
 */
export function resumeAddress(functions: IExecuteFunctions, query: Record<string, string>): string {
	const address = functions.getSignedResumeUrl(query);
	const { additionalData }: IExecuteFunctions & Signing = functions;
	const base = new URL(additionalData?.webhookWaitingBaseUrl ?? address);
	// n8n tells nodes the address, but not where its own part begins: that is a setting of its
	// process.
	// eslint-disable-next-line @n8n/community-nodes/no-restricted-globals
	const subPath = subPathOf(base.pathname, process.env);
	if (subPath === '') return address;
	base.pathname = base.pathname.slice(subPath.length);
	const seen: IExecuteFunctions = Object.create(functions, {
		additionalData: { value: { ...additionalData, webhookWaitingBaseUrl: String(base) } },
	});
	const signed = new URL(seen.getSignedResumeUrl(query));
	signed.pathname = `${subPath}${signed.pathname}`;
	return signed.toString();
}

/** What stands before the endpoint of n8n for waiting executions. */
function subPathOf(path: string, environment: NodeJS.ProcessEnv): string {
	const { N8N_ENDPOINT_WEBHOOK_WAIT: endpoint = 'webhook-waiting' } = environment;
	return path.endsWith(`/${endpoint}`) ? path.slice(0, -endpoint.length - 1) : '';
}
