import { existsSync, readFileSync } from 'node:fs';
import { failureExcerpt } from '../tests/failure-excerpt.mjs';
import { readFileResults, type FileResult, type TestResult } from '../tests/file-results.mjs';

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

const cutOff = {
	name: 'the run',
	message: 'It was cut off, so the tests that are not listed were not played.',
};

/**
 * Reports passed, differing and skipped tests with their reasons, and the delays of events; of a
 * run that was cut off, what was played until then.
 */
export function reportOf(resultsFile: string, notesFile: string): { readonly text: string } & Sums {
	const { files, isComplete } = readFileResults(resultsFile);
	const notes = readNotes(notesFile);
	const tests = files.flatMap((file) => file.tests);
	const leftOut = tests.flatMap((test) => {
		const reason = reasonToLeaveOut(test);
		return reason === undefined ? [] : [`${test.fullName}: ${reason}`];
	});
	const failures = [...files.flatMap(failuresOf), ...(isComplete ? [] : [cutOff])];
	const sums = {
		passed: tests.filter(({ status }) => status === 'passed').length,
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
 * Failed tests of a file, and the file itself when it could not run or end. What fails after a test
 * was left out follows from that: hooks close what was never opened.
 */
function failuresOf({ name, problem, tests }: FileResult): Sums['failures'] {
	const differed = tests
		.filter((test) => test.status === 'failed' && reasonToLeaveOut(test) === undefined)
		.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
	const isPartlyLeftOut = tests.some((test) => reasonToLeaveOut(test) !== undefined);
	if (problem === undefined || isPartlyLeftOut) return differed;
	return [...differed, { name, message: problem }];
}

/**
 * Reason for which a test cannot run against this server, from an error of
 * `test/support/backbone/backbone-target.ts`.
 */
function reasonToLeaveOut({ status, failureMessages }: TestResult): string | undefined {
	if (status === 'pending' || status === 'todo') return 'its name says why';
	return failureMessages
		.map((message) => /(?:NeedsSandbox|OtherBackbone|NotServed): left out: (.+)/.exec(message)?.[1])
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
