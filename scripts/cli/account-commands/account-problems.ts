import {
	Gateway,
	judged,
	type DiscardedProblemDto,
	type GatewayConfigInput,
	type ProblemDto,
	type RetriedProblemDto,
} from '../../../core';
import type { Place } from './account-place';
import type { AccountSecrets } from './account-secrets';
import type { Outcome } from './account-output';
import { UsageError } from '../usage-error';

/** Account, and its access to the Backbone. */
export type ProblemPlace =
	| {
			readonly kind: 'given';
			readonly place: Place;
			readonly secrets: AccountSecrets;
			readonly backbone: string | undefined;
	  }
	/** account of the HTTP gateway, as configured for `serve` */
	| { readonly kind: 'served'; readonly config: GatewayConfigInput };

/** Selection of problems on the command line. */
export interface ProblemArguments {
	readonly ids: readonly string[];
	readonly all: boolean;
	readonly kind: string | undefined;
	readonly consumer: string | undefined;
}

/** Command `account problems`: lists the problems that wait for a person, oldest first. */
export async function listProblems(where: ProblemPlace, words: ProblemArguments): Promise<Outcome> {
	const { ids, kind, consumer } = words;
	const filter = { kind, consumer, ids: ids.length === 0 ? undefined : ids };
	const problems = await withGateway(where, (gateway) => gateway.problems.list(judged(filter)));
	return {
		isGood: true,
		report: { ok: true, problems },
		words: problems.length === 0 ? nothing : problems.map(lineOf).join(''),
	};
}

/** Command `account retry`: retries the named problems, or all. */
export async function retryProblems(
	where: ProblemPlace,
	words: ProblemArguments,
): Promise<Outcome> {
	const choice = choiceOf(words);
	const retried = await withGateway(where, ({ problems }) => problems.retry(choice));
	const isGood = retried.every(({ outcome }) => outcome !== 'failed');
	return {
		isGood,
		report: { ok: isGood, retried },
		words: retried.length === 0 ? nothing : retried.map(outcomeOf).join(''),
	};
}

/**
 * Command `account reconcile`: compares with the Backbone, and fetches objects without an event.
 */
export async function reconcile(where: ProblemPlace, isFull: boolean): Promise<Outcome> {
	const report = await withGateway(where, ({ account }) => account.reconcile({ full: isFull }));
	const { relationships, messages, files, templates, deletionProcesses } = report;
	const kinds = { relationships, messages, files, templates, deletionProcesses };
	const lines = Object.entries(kinds).map(
		([kind, { compared, found }]) => `${kind}: ${compared} compared, ${found} found\n`,
	);
	return { isGood: true, report: { ok: true, ...report }, words: lines.join('') };
}

/** Command `account discard`: discards the named problems, or all that can be discarded. */
export async function discardProblems(
	where: ProblemPlace,
	words: ProblemArguments,
): Promise<Outcome> {
	const choice = choiceOf(words);
	const discarded = await withGateway(where, ({ problems }) => problems.discard(choice));
	return {
		isGood: true,
		report: { ok: true, discarded },
		words: discarded.length === 0 ? nothingToDiscard : discarded.map(discardedLine).join(''),
	};
}

const nothing = 'There is no problem.\n';
const nothingToDiscard = 'There is no problem that can be discarded.\n';

/** Requires an explicit `--all`, so that a forgotten id does not select every problem. */
function choiceOf({ ids, all, kind, consumer }: ProblemArguments): object {
	if (all === ids.length > 0) {
		throw new UsageError("Name problems by the ids that 'account problems' lists, or use --all.");
	}
	return all ? { all, kind, consumer } : { ids, kind, consumer };
}

/** Opens the gateway beside other processes that use the same store. */
async function withGateway<Result>(
	where: ProblemPlace,
	work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
	const config = where.kind === 'given' ? await givenAccount(where) : where.config;
	// A mistyped place must not create an account.
	await using gateway = await Gateway.open({ ...config, allowIdentityCreation: false });
	return await work(gateway);
}

async function givenAccount({
	place,
	secrets,
	backbone,
}: Extract<ProblemPlace, { kind: 'given' }>): Promise<GatewayConfigInput> {
	if (place.kind === 'file')
		throw new UsageError('An exported file has no list of problems: name a store.');
	const client = await secrets.client(backbone);
	if (client?.baseUrl === undefined) {
		throw new UsageError(
			'Use --backbone <url> with the Backbone URL of the credential, or --serve for the HTTP gateway.',
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

const kinds: Readonly<Record<ProblemDto['kind'], string>> = {
	receivedEvent: 'could not be applied',
	delivery: 'was not accepted',
	sending: 'may not have been sent',
	unfinishedChange: 'could not be finished',
	wait: 'has its answer, and n8n does not continue it',
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
	return kind === 'delivery' ? ' It will be delivered again.' : ' It is tried again by itself.';
}

function discardedLine(problem: DiscardedProblemDto): string {
	const outcome =
		problem.outcome === 'discarded'
			? 'discarded'
			: 'is no longer sent; syncs find out whether it was sent already';
	return `${headOf(problem)}: ${outcome}\n`;
}

function outcomeOf({ id, outcome, code, message }: RetriedProblemDto): string {
	const reason = [code, message].filter((text) => text !== undefined).join(': ');
	return `${id}  ${outcome}${reason === '' ? '' : `, ${reason}`}\n`;
}
