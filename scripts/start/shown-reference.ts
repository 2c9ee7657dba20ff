import type { Demo } from './demo';

/**
 * Reference of the QR code that the workflow has shown last.
 *
 * @throws Error if it has shown none yet
 */
export async function shownReference({ n8n, workflows }: Demo, workflow: string): Promise<string> {
	const [execution] = await n8n.executions(workflows.get(workflow) ?? '');
	const run = execution?.data.resultData.runData['Create QR code']?.[0];
	const reference = run?.data?.main[0]?.[0]?.json['truncatedReference'];
	if (typeof reference === 'string') return reference;
	throw new Error(`'${workflow}' has shown no code yet`);
}
