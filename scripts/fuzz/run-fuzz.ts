import { Attacker, type RawAnswer } from './attacker';
import { Dice } from './dice';
import { hostileRequests, type HostileRequest } from './hostile-requests';
import { changedTables, type StateWatch } from './state-watch';

export interface FuzzOptions {
	readonly address: string;
	readonly apiKey: string;
	readonly seed: number;
	readonly requests: number;
	/** ids, references and addresses that exist */
	readonly known: readonly string[];
	readonly watch: StateWatch;
	readonly onProgress?: (sent: number) => void;
}

export interface FuzzReport {
	/** answers by status */
	readonly statuses: ReadonlyMap<number, number>;
	/** how often each code was answered */
	readonly codes: ReadonlyMap<string, number>;
	/** requests that were right after all, and changed something as they should */
	readonly accepted: number;
	/** answers that say nothing of what is wrong, and refused requests that changed something */
	readonly surprises: readonly string[];
}

/**
 * Sends the requests that belong to a seed, one at a time, and watches the store between them: what is
 * refused must be refused with a code, and must not have changed anything.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
	const { seed, known, watch } = options;
	const attacker = new Attacker(options.address, options.apiKey);
	const statuses = new Map<number, number>();
	const codes = new Map<string, number>();
	const surprises: string[] = [];
	let accepted = 0;
	let sent = 0;
	watch.wasWritten();
	let before = watch.digests();
	try {
		for (const request of hostileRequests(new Dice(seed), known)) {
			if (sent >= options.requests) break;
			const number = ++sent;
			const surprised = (what: string): number =>
				surprises.push(`request ${number}: ${what}: ${shown(request)}`);
			const answer = await attacker.send(request).catch((error: unknown) => String(error));
			if (typeof answer === 'string') {
				surprised(answer);
				continue;
			}
			count(statuses, answer.status);
			const code = codeOf(answer);
			if (code !== undefined) count(codes, code);
			const wrong = wrongWith(answer, code);
			if (wrong !== undefined) surprised(wrong);
			if (watch.wasWritten()) {
				const after = watch.digests();
				const changed = changedTables(before, after);
				before = after;
				const isRefused = answer.status >= 400;
				if (changed.length > 0 && !isRefused) accepted++;
				if (changed.length > 0 && isRefused) {
					surprised(`refused with ${String(code)}, but changed ${changed.join(', ')}`);
				}
			}
			if (number % 5_000 === 0) options.onProgress?.(number);
		}
	} finally {
		attacker.close();
	}
	return { statuses, codes, accepted, surprises };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

function codeOf({ type, text }: RawAnswer): string | undefined {
	if (!type.startsWith('application/json')) return undefined;
	try {
		const { error } = JSON.parse(text) as { error?: { code?: unknown } };
		return typeof error?.code === 'string' ? error.code : undefined;
	} catch {
		return undefined;
	}
}

/** What an answer may not be (docs/protocol/http-api.md 3); the Backbone's own refusals are 500. */
function wrongWith({ status, text }: RawAnswer, code: string | undefined): string | undefined {
	if (status < 400) return undefined;
	// The answer to HEAD has no body.
	if (text === '' && status < 500) return undefined;
	if (code === undefined || !/^error\.[\w.-]+$/.test(code))
		return `${status} without a code (${text.slice(0, 200)})`;
	if (code === 'error.connector.unexpected') return 'unexpected';
	if (status >= 500 && !code.startsWith('error.platform.')) return `${status} ${code}`;
	if (/node_modules|\bat .*:\d+:\d+|\.[cm]?[jt]s:\d+/.test(text)) return 'tells where in the code';
	return undefined;
}

function shown({ method, path, headers, body }: HostileRequest): string {
	const type = headers['content-type'] ?? '';
	return `${method} ${path.slice(0, 400)} ${type} ${String(body ?? '').slice(0, 600)}`;
}
