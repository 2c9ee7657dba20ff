import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Workflow } from '../../scripts/n8n/n8n-api';
import { startDemo, type Demo } from '../../scripts/start/demo';
import { shownReference } from '../../scripts/start/shown-reference';
import type { Arena } from '../arena';
import type { Visit } from '../programs/people';
import { alignedTable, shown } from '../support/report';
import { median } from '../support/statistics';

const withinMinuteMs = 60_000;
const patienceMs = 15 * 60_000;
/** Parts of the crowd, in the order of their mails, whose times are compared. */
const parts = 5;
const codeWorkflow = '1. Show a QR code';
const welcomeWorkflow = '2. Welcome the person';

/**
 * Lets people scan one code within a minute, whose template has no limit, while a published workflow of
 * a real n8n accepts and welcomes each of them.
 */
export async function measureManyPeople(arena: Arena, count: number): Promise<readonly Visit[]> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-n8n-'));
	const demo = await startDemo({
		say: (line) => console.log(line),
		signal: new AbortController().signal,
		folder,
	});
	try {
		const crowd = { baseUrl: demo.backbone.baseUrl, folder: arena.newFolder(), count };
		const people = arena.start('people');
		console.log(`Creating the wallets of ${count} people`);
		await people.call('create', crowd);
		await onlyWelcome(demo);
		const reference = await codeForEverybody(demo);
		console.log('They scan the code');
		await people.call('scan', { ...crowd, reference, overMs: withinMinuteMs });
		console.log('They wait for their mails');
		return await people.call<Visit[]>('visits', { ...crowd, withinMs: patienceMs });
	} finally {
		await demo.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function onlyWelcome({ n8n, workflows }: Demo): Promise<void> {
	for (const [name, id] of workflows) {
		const isPublished = await n8n.isPublished(id);
		if (isPublished && name !== welcomeWorkflow) await n8n.deactivate(id);
	}
}

/** Shows a code that any number of people may scan; returns its reference. */
async function codeForEverybody(demo: Demo): Promise<string> {
	const { n8n, workflows } = demo;
	const id = workflows.get(codeWorkflow) ?? '';
	const { name, nodes, connections } = (await n8n.api('GET', `/workflows/${id}`)) as Workflow;
	const unlimited = (nodes as Array<{ type: string; parameters: object }>).map((node) =>
		node.type.endsWith('.enmeshed')
			? { ...node, parameters: { ...node.parameters, options: {} } }
			: node,
	);
	await n8n.updateWorkflow(id, { name, nodes: unlimited, connections });
	const trigger = (nodes as Array<{ type: string; name: string }>).find(({ type }) =>
		type.endsWith('.manualTrigger'),
	);
	await n8n.runManually(id, trigger?.name ?? '');
	await n8n.until(async () => (await shownReference(demo, codeWorkflow)) !== '', 'the code');
	return await shownReference(demo, codeWorkflow);
}

/** People without a welcome mail, or with several. */
export const notWelcomedOnce = (visits: readonly Visit[]): readonly Visit[] =>
	visits.filter(({ mails }) => mails.length !== 1);

/** Table for the terminal: the people in the order of their mails, in equal parts. */
export function manyPeopleTable(visits: readonly Visit[]): string {
	const times = visits
		.flatMap(({ scannedAt, mails: [mail] }) =>
			mail === undefined ? [] : [{ scanned: Date.parse(scannedAt), sent: Date.parse(mail.sentAt) }],
		)
		.sort((a, b) => a.sent - b.sent);
	const scanned = times.map((one) => one.scanned).sort((a, b) => a - b);
	const size = Math.ceil(times.length / parts);
	const rows = Array.from({ length: parts }, (_, part) => {
		const members = times.slice(part * size, (part + 1) * size);
		const [first, last] = [members[0], members.at(-1)];
		const span = (last?.sent ?? 0) - (first?.sent ?? 0);
		return [
			`${part * size + 1} to ${part * size + members.length}`,
			`${shown(span / Math.max(1, members.length - 1))} ms`,
			`${shown(median(members.map((one) => one.sent - one.scanned)) / 1_000)} s`,
		];
	});
	const scanMs = (scanned.at(-1) ?? 0) - (scanned[0] ?? 0);
	const allMs = (times.at(-1)?.sent ?? 0) - (scanned[0] ?? 0);
	return [
		alignedTable([['', 'between two mails', 'from the scan to the mail'], ...rows]),
		`${times.length} people scanned within ${shown(scanMs / 1_000)} s; the last mail was sent ${shown(allMs / 1_000)} s after the first scan.`,
	].join('\n\n');
}
