/** Converts reports of StrykerJS to terminal output. */

const noticed = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);

/** Mutants of the report that count. */
export function changesOf({ files }) {
	return Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants
			.filter(({ status }) => status !== 'Ignored')
			.map((mutant) => ({ ...mutant, file, source, isNoticed: noticed.has(mutant.status) })),
	);
}

/** Key that identifies a mutant across reports. */
export const keyOf = ({ file, location, mutatorName, replacement }) =>
	JSON.stringify([rangeOf({ file, location }), mutatorName, replacement]);

/** Range for StrykerJS: its options count columns from 0, its reports from 1. */
export const rangeOf = ({ file, location: { start, end } }) =>
	`${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;

export function printSummary(changes) {
	for (const file of new Set(changes.map((change) => change.file))) {
		const own = changes.filter((change) => change.file === file);
		const unnoticed = own.filter(({ isNoticed }) => !isNoticed);
		console.log(`\n${file}: ${own.length - unnoticed.length} of ${own.length} noticed`);
		for (const change of unnoticed) console.log(described(change));
	}
	const count = changes.filter(({ isNoticed }) => isNoticed).length;
	const share = changes.length === 0 ? 100 : Math.floor((1_000 * count) / changes.length) / 10;
	console.log(`\n${count} of ${changes.length} changes were noticed (${share} %)`);
}

function described({ file, source, location, mutatorName, replacement = '', status }) {
	const { start, end } = location;
	const lines = source.split('\n').slice(start.line - 1, end.line);
	const last = lines.length - 1;
	lines[last] = lines[last].slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	const [before, after] = [lines.join('\n'), replacement].map(oneLine);
	const untried = status === 'NoCoverage' ? ' (run by no test)' : '';
	return `  ${file}:${start.line}:${start.column} ${mutatorName}${untried}: ${before} → ${after}`;
}

function oneLine(text) {
	const flat = text.replace(/\s+/g, ' ');
	return flat.length <= 80 ? flat : `${flat.slice(0, 79)}…`;
}
