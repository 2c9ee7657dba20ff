import type { CopyReport, VerificationReport } from '../../../core';

/** Output of a command, for a person or for a program. */
export interface Outcome {
	readonly isGood: boolean;
	readonly report: object;
	readonly words: string;
}

type Done = 'backup' | 'retired' | 'imported' | 'moved';

const meanings: Readonly<Record<Done, (report: CopyReport) => string>> = {
	backup: () =>
		'This is a backup: the account stays in use where it is. Import the backup only if that account is lost.\n',
	retired: ({ from, to }) =>
		`The account cannot be used until ${to} is imported; ${from} can no longer be opened.\n`,
	imported: ({ from }) =>
		`Changes since the export are fetched from the Backbone at the next sync. Do not import ${from} anywhere else.\n`,
	moved: ({ from, to }) =>
		`Enter ${to} in the credential of n8n, or in the configuration of serve. ${from} can no longer be opened; remove it when you no longer need it.\n`,
};

export function copiedOutput(done: Done, report: CopyReport): Outcome {
	const { address, from, to, counts, resumed } = report;
	const begun = resumed ? 'The interrupted transfer is complete. ' : '';
	return {
		isGood: true,
		report: { ok: true, done, ...report },
		words: `${begun}${address} was copied from ${from} to ${to} and proven: ${totalOf(counts)} records.\n${meanings[done](report)}`,
	};
}

export function verifiedOutput(report: VerificationReport): Outcome {
	const { copies, differences } = report;
	const lines = copies.map(
		({ name, address, state, counts, digest }) =>
			`${name}: ${address}, ${state}, ${totalOf(counts)} records, digest ${digest}. All secrets can be decrypted, and the keys sign.\n`,
	);
	const comparison =
		copies.length < 2
			? ''
			: differences.length === 0
				? 'Both have the same content.\n'
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
