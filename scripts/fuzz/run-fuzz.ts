import type { AttackedGateway } from './attacked-gateway';
import { Attacker, type RawAnswer } from './attacker';
import { Dice } from '../harness/dice';
import { hostileRequests, type HostileRequest } from './hostile-requests';
import { changedTables } from './state-watch';

export interface FuzzReport {
	/** number of answers by status */
	readonly statuses: ReadonlyMap<number, number>;
	/** number of answers by code */
	readonly codes: ReadonlyMap<string, number>;
	/** number of requests that were valid by chance and changed data */
	readonly accepted: number;
	/** answers without an explanation, and refused requests that changed data */
	readonly surprises: readonly string[];
}

/**
 * Sends the requests of a seed one at a time and watches the store between them: a refusal must
 * have a code, and must not change anything.
 */
export async function runFuzz(
	{ address, apiKey, known, watch }: AttackedGateway,
	{ requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<FuzzReport> {
	const attacker = new Attacker(address, apiKey);
	const statuses = new Map<number, number>();
	const codes = new Map<string, number>();
	const surprises: string[] = [];
	let accepted = 0;
	let sent = 0;
	watch.wasWritten();
	let before = watch.digests();
	try {
		for (const request of hostileRequests(new Dice(seed), known)) {
			if (sent >= requests) break;
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
				if (changed.length > 0 && isRefused && !unlocks(code)) {
					surprised(`refused with ${String(code)}, but changed ${changed.join(', ')}`);
				}
			}
		}
	} finally {
		attacker.close();
	}
	return { statuses, codes, accepted, surprises };
}

/** A file is unlocked although the Backbone keeps its former ownership token, which the error says. */
const unlocks = (code: string | undefined): boolean =>
	code === 'error.gateway.files.tokenNotRenewed';

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

/** Fault of an answer (docs/protocol/http-api.md 3); undefined if it is correct. */
function wrongWith({ status, text }: RawAnswer, code: string | undefined): string | undefined {
	if (status < 400) return undefined;
	// Answers to HEAD have no body.
	if (text === '' && status < 500) return undefined;
	if (code === undefined || !/^error\.[\w.-]+$/.test(code))
		return `${status} without a code (${text.slice(0, 200)})`;
	if (code === 'error.connector.unexpected') return 'unexpected';
	// The operator's list of codes is the one refusal with 500 (docs/protocol/http-api.md 8.4).
	if (status >= 500 && !code.endsWith('.notification.codeDoesNotExist')) return `${status} ${code}`;
	if (/node_modules|\bat .*:\d+:\d+|\.[cm]?[jt]s:\d+/.test(text))
		return 'reveals a place in the code';
	return undefined;
}

function shown({ method, path, headers, body }: HostileRequest): string {
	const type = headers['content-type'] ?? '';
	return `${method} ${path.slice(0, 400)} ${type} ${String(body ?? '').slice(0, 600)}`;
}
