import {
	Gateway,
	type DiscardedProblemDto,
	type GatewayConfigInput,
	type ProblemDto,
	type RetriedProblemDto,
} from '../../core';
import type { Place } from './account-place';
import type { AccountSecrets } from './account-secrets';
import type { Outcome } from './account-words';
import { WrongUse } from './wrong-use';

/** Which account, and how it reaches its Backbone. */
export type ProblemPlace =
	| {
			readonly kind: 'given';
			readonly place: Place;
			readonly secrets: AccountSecrets;
			readonly backbone: string | undefined;
	  }
	/** that of the HTTP gateway, as `serve` is configured */
	| { readonly kind: 'served'; readonly file: string | undefined };

/** Which problems a command is about. */
export interface ProblemWords {
	readonly ids: readonly string[];
	readonly all: boolean;
	readonly kind: string | undefined;
	readonly consumer: string | undefined;
}

/** Behind `account problems`: what waits for a person, oldest first. */
export async function listProblems(where: ProblemPlace, words: ProblemWords): Promise<Outcome> {
	const { ids, kind, consumer } = words;
	const filter = { kind, consumer, ids: ids.length === 0 ? undefined : ids };
	const problems = await withGateway(where, (gateway) => gateway.problems.list(filter));
	return {
		isGood: true,
		report: { ok: true, problems },
		words: problems.length === 0 ? nothing : problems.map(lineOf).join(''),
	};
}

/** Behind `account retry`: tries the named ones once more, or all. */
export async function retryProblems(where: ProblemPlace, words: ProblemWords): Promise<Outcome> {
	const choice = choiceOf(words);
	const retried = await withGateway(where, ({ problems }) => problems.retry(choice));
	const isGood = retried.every(({ outcome }) => outcome !== 'failed');
	return {
		isGood,
		report: { ok: isGood, retried },
		words: retried.length === 0 ? nothing : retried.map(outcomeOf).join(''),
	};
}

/** Behind `account reconcile`: compares with the Backbone, and fetches what was never announced. */
export async function reconcile(where: ProblemPlace, isFull: boolean): Promise<Outcome> {
	const report = await withGateway(where, ({ account }) => account.reconcile({ full: isFull }));
	const { relationships, messages, files, templates, deletionProcesses } = report;
	const kinds = { relationships, messages, files, templates, deletionProcesses };
	const lines = Object.entries(kinds).map(
		([kind, { compared, found }]) => `${kind}: ${compared} compared, ${found} found\n`,
	);
	return { isGood: true, report: { ok: true, ...report }, words: lines.join('') };
}

/** Behind `account discard`: gives up the named ones, or all that can be given up. */
export async function discardProblems(where: ProblemPlace, words: ProblemWords): Promise<Outcome> {
	const choice = choiceOf(words);
	const discarded = await withGateway(where, ({ problems }) => problems.discard(choice));
	return {
		isGood: true,
		report: { ok: true, discarded },
		words: discarded.length === 0 ? nothingToDiscard : discarded.map(goneOf).join(''),
	};
}

const nothing = 'There is no problem.\n';
const nothingToDiscard = 'There is no problem that can be discarded.\n';

/** Nothing is done with all of them because somebody forgot to name one. */
function choiceOf({ ids, all, kind, consumer }: ProblemWords): object {
	if (all === ids.length > 0) {
		throw new WrongUse("Name the problems as 'account problems' lists them, or say --all.");
	}
	return all ? { all, kind, consumer } : { ids, kind, consumer };
}

/** The account is in use elsewhere as well: both work on one store. */
async function withGateway<Result>(
	where: ProblemPlace,
	work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
	const config = where.kind === 'given' ? await givenAccount(where) : await served(where.file);
	// A wrong place must not become an account.
	await using gateway = await Gateway.open({ ...config, allowIdentityCreation: false });
	return await work(gateway);
}

async function givenAccount({
	place,
	secrets,
	backbone,
}: Extract<ProblemPlace, { kind: 'given' }>): Promise<GatewayConfigInput> {
	if (place.kind === 'file') throw new WrongUse('An exported file has no problems: name a store.');
	const client = await secrets.client(backbone);
	if (client?.baseUrl === undefined) {
		throw new WrongUse(
			'Say --backbone <url>, the Backbone URL of the credential, or --serve for the HTTP gateway.',
		);
	}
	const { account, store, passphrase } = await secrets.source(place);
	const { baseUrl, clientId, clientSecret } = client;
	return {
		backbone: { baseUrl, clientId, clientSecret },
		account,
		store,
		...(passphrase === undefined ? {} : { passphrase }),
	};
}

/** What reads the configuration of `serve` is a file of its own, as it is. */
async function served(file: string | undefined): Promise<GatewayConfigInput> {
	const { servedAccount } = await import('./serve');
	return await servedAccount(file);
}

const kinds: Readonly<Record<ProblemDto['kind'], string>> = {
	receivedEvent: 'could not be applied',
	delivery: 'was not taken',
	sending: 'may not have been sent',
	unfinishedChange: 'could not be finished',
};

function lineOf(problem: ProblemDto): string {
	const { code, message, nextTryAt } = problem;
	const reason = code === undefined ? message : `${code}: ${message}`;
	const next = nextTryAt === undefined ? '' : ` Next try at ${nextTryAt}.`;
	return `${headOf(problem)}\n    ${reason}${next}${noteOn(problem)}\n`;
}

function headOf({ id, kind, subject, since, consumer }: ProblemDto): string {
	const by = consumer === undefined ? '' : ` by ${consumer}`;
	return `${id}  ${subject} ${kinds[kind]}${by}, since ${since}`;
}

function noteOn({ kind, isErased, isRetriedAutomatically, nextTryAt }: ProblemDto): string {
	if (isErased === true) return ' Its data was erased: it can only be discarded.';
	if (!isRetriedAutomatically || nextTryAt !== undefined) return '';
	return kind === 'delivery' ? ' It is to be delivered again.' : ' It is tried again by itself.';
}

function goneOf(problem: DiscardedProblemDto): string {
	const outcome =
		problem.outcome === 'discarded'
			? 'discarded'
			: 'is not sent any more; whether it was sent already is found out by syncs';
	return `${headOf(problem)}: ${outcome}\n`;
}

function outcomeOf({ id, outcome, code, message }: RetriedProblemDto): string {
	const reason = [code, message].filter((text) => text !== undefined).join(': ');
	return `${id}  ${outcome}${reason === '' ? '' : `, ${reason}`}\n`;
}
