import type { N8nHost, Workflow } from '../../support/n8n/n8n-host';

/** Picks an own attribute, by the name that the list shows, wherever nothing is picked yet. */
export async function withChosenAttribute(
	host: N8nHost,
	credentialId: string,
	workflow: Workflow,
	name: string,
): Promise<Workflow> {
	const entries = await host.listed('searchAttributes', credentialId);
	const entry = entries.find((candidate) => candidate.name === name);
	if (entry === undefined) throw new Error(`'${name}' is not among ${JSON.stringify(entries)}`);
	const chosen = { __rl: true, mode: 'list', value: entry.value, cachedResultName: name };
	const nodes = JSON.parse(JSON.stringify(workflow.nodes), (_key, value: unknown) =>
		isUnchosen(value) ? chosen : value,
	) as object[];
	return { ...workflow, nodes };
}

function isUnchosen(value: unknown): boolean {
	const locator = value as { __rl?: unknown; mode?: unknown; value?: unknown } | null;
	return locator?.__rl === true && locator.mode === 'list' && locator.value === '';
}
