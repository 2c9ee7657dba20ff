import { existsSync, readFileSync } from 'node:fs';
import { failureExcerpt } from '../tests/failure-excerpt.mjs';

/** Members of jest's `--json` output that the report reads. */
interface JestResults {
	readonly numPassedTests: number;
	readonly testResults: ReadonlyArray<{
		readonly name: string;
		readonly message: string;
		readonly assertionResults: readonly JestTest[];
	}>;
}

interface JestTest {
	readonly fullName: string;
	readonly status: string;
	readonly failureMessages: readonly string[];
}

/** Note of a test beside its result: see `test/support/backbone/backbone-notes.ts`. */
export type Note =
	| { readonly kind: 'eventTime'; readonly what: string; readonly ms: number }
	| { readonly kind: 'leftOut'; readonly what: string; readonly reason: string };

export interface Sums {
	readonly passed: number;
	readonly failed: number;
	readonly leftOut: number;
	readonly failures: ReadonlyArray<{ readonly name: string; readonly message: string }>;
}

/** Reports passed, differing and skipped tests with their reasons, and the delays of events. */
export function reportOf(resultsFile: string, notesFile: string): { readonly text: string } & Sums {
	const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as JestResults;
	const notes = readNotes(notesFile);
	const tests = results.testResults.flatMap((file) => file.assertionResults);
	const failed = tests.filter(({ status }) => status === 'failed');
	const differed = failed
		.filter((test) => reasonToLeaveOut(test) === undefined)
		.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
	const leftOut = tests.flatMap((test) => {
		const reason = reasonToLeaveOut(test);
		return reason === undefined ? [] : [`${test.fullName}: ${reason}`];
	});
	const broken = results.testResults.filter(
		({ assertionResults, message }) => assertionResults.length === 0 && message !== '',
	);
	const failures = [...differed, ...broken.map(({ name, message }) => ({ name, message }))];
	const sums = {
		passed: results.numPassedTests,
		failed: failures.length,
		leftOut: leftOut.length,
		failures,
	};
	const lines = [
		...failures.flatMap(({ name, message }) => [`DIFFERED  ${name}`, ...failureExcerpt(message)]),
		...section('Left out:', [
			...leftOut,
			...notes.flatMap((note) => (note.kind === 'leftOut' ? [`${note.what}: ${note.reason}`] : [])),
		]),
		...section(
			'From what happened to the event of the other side, in milliseconds:',
			timesOf(notes),
		),
		'',
		`${sums.passed} passed, ${sums.failed} failed, ${sums.leftOut} skipped`,
	];
	return { text: lines.join('\n'), ...sums };
}

/**
 * Reason for which a test cannot run against this server, from an error of
 * `test/support/backbone/backbone-target.ts`.
 */
function reasonToLeaveOut({ status, failureMessages }: JestTest): string | undefined {
	if (status === 'pending' || status === 'todo') return 'its name says why';
	return failureMessages
		.map((message) => /(?:NeedsSandbox|OtherBackbone): left out: (.+)/.exec(message)?.[1])
		.find((reason) => reason !== undefined);
}

function readNotes(file: string): readonly Note[] {
	if (!existsSync(file)) return [];
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as Note);
}

function timesOf(notes: readonly Note[]): string[] {
	const byWhat = new Map<string, number[]>();
	for (const note of notes) {
		if (note.kind !== 'eventTime') continue;
		byWhat.set(note.what, [...(byWhat.get(note.what) ?? []), note.ms]);
	}
	return [...byWhat].map(([what, times]) => {
		const sorted = times.sort((a, b) => a - b);
		const at = (share: number): string =>
			String(
				Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0),
			);
		return `${what}: ${sorted.length} times, median ${at(0.5)}, 95 % within ${at(0.95)}, longest ${at(1)}`;
	});
}

function section(title: string, lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
