import type { CopyReport, VerificationReport } from '../../core';

/** What a command has to say: to a person, or to a program. */
export interface Outcome {
	readonly isGood: boolean;
	readonly report: object;
	readonly words: string;
}

type Done = 'backup' | 'retired' | 'imported' | 'moved';

const meanings: Readonly<Record<Done, (report: CopyReport) => string>> = {
	backup: () =>
		'This is a backup: the account goes on living where it is. Import it only when that one is lost.\n',
	retired: ({ from, to }) =>
		`The account lives nowhere until ${to} is imported; ${from} refuses to be opened.\n`,
	imported: ({ from }) =>
		`What happened since the file was written is taken from the Backbone at the next sync. Do not import ${from} anywhere else.\n`,
	moved: ({ from, to }) =>
		`Enter ${to} in the credential of n8n. ${from} refuses to be opened; remove it when you do not need it any more.\n`,
};

export function copiedWords(done: Done, report: CopyReport): Outcome {
	const { address, from, to, counts, resumed } = report;
	const begun = resumed ? 'What was begun before is complete. ' : '';
	return {
		isGood: true,
		report: { ok: true, done, ...report },
		words: `${begun}${address} was copied from ${from} to ${to} and proven: ${totalOf(counts)} records.\n${meanings[done](report)}`,
	};
}

export function verifiedWords(report: VerificationReport): Outcome {
	const { copies, differences } = report;
	const lines = copies.map(
		({ name, address, state, counts, digest }) =>
			`${name}: ${address}, ${state}, ${totalOf(counts)} records, digest ${digest}. Every secret opens, the keys sign.\n`,
	);
	const comparison =
		copies.length < 2
			? ''
			: differences.length === 0
				? 'Both hold the same.\n'
				: `They differ in: ${differences.join(', ')}.\n`;
	return {
		isGood: differences.length === 0,
		report: { ok: differences.length === 0, ...report },
		words: `${lines.join('')}${comparison}`,
	};
}

function totalOf(counts: CopyReport['counts']): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
