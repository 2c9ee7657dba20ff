import { Gateway, type ProblemDto, type RetriedProblemDto } from '../../core';
import type { Place } from './account-place';
import type { AccountSecrets } from './account-secrets';
import type { Outcome } from './account-words';
import { WrongUse } from './wrong-use';

/** Which account, and how it reaches its Backbone. */
export interface ProblemPlace {
	readonly place: Place;
	readonly secrets: AccountSecrets;
	readonly backbone: string | undefined;
}

/** Behind `account problems`: what waits for a person, oldest first. */
export async function listProblems(where: ProblemPlace): Promise<Outcome> {
	const problems = await withGateway(where, (gateway) => gateway.problems.list());
	return {
		isGood: true,
		report: { ok: true, problems },
		words: problems.length === 0 ? 'There is no problem.\n' : problems.map(lineOf).join(''),
	};
}

/** Behind `account retry`: tries the named ones once more, or all. */
export async function retryProblems(
	where: ProblemPlace,
	named: readonly string[],
	all: boolean,
): Promise<Outcome> {
	if (all === named.length > 0) {
		throw new WrongUse("Name the problems as 'account problems' lists them, or say --all.");
	}
	const retried = await withGateway(where, async ({ problems }) => {
		const ids = all ? (await problems.list()).map(({ id }) => id) : named;
		return ids.length === 0 ? [] : await problems.retry({ ids });
	});
	const isGood = retried.every(({ outcome }) => outcome !== 'failed');
	return {
		isGood,
		report: { ok: isGood, retried },
		words: retried.length === 0 ? 'There is no problem.\n' : retried.map(outcomeOf).join(''),
	};
}

/** The account is in use elsewhere as well: both work on one store. */
async function withGateway<Result>(
	{ place, secrets, backbone }: ProblemPlace,
	work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
	if (place.kind === 'file') throw new WrongUse('An exported file has no problems: name a store.');
	const client = await secrets.client(backbone);
	if (client?.baseUrl === undefined) {
		throw new WrongUse('Say --backbone <url>, the Backbone URL of the credential.');
	}
	const { account, store, passphrase } = await secrets.source(place);
	const { baseUrl, clientId, clientSecret } = client;
	await using gateway = await Gateway.open({
		backbone: { baseUrl, clientId, clientSecret },
		account,
		store,
		// A wrong place must not become an account.
		allowIdentityCreation: false,
		...(passphrase === undefined ? {} : { passphrase }),
	});
	return await work(gateway);
}

const kinds: Readonly<Record<ProblemDto['kind'], string>> = {
	receivedEvent: 'could not be applied',
	delivery: 'was not taken',
	sending: 'may not have been sent',
};

function lineOf(problem: ProblemDto): string {
	const { id, kind, subject, since, code, message, consumer, nextTryAt } = problem;
	const by = consumer === undefined ? '' : ` by ${consumer}`;
	const reason = code === undefined ? message : `${code}: ${message}`;
	const next = nextTryAt === undefined ? '' : ` Next try at ${nextTryAt}.`;
	return `${id}  ${subject} ${kinds[kind]}${by}, since ${since}\n    ${reason}${next}\n`;
}

function outcomeOf({ id, outcome, code, message }: RetriedProblemDto): string {
	const reason = [code, message].filter((text) => text !== undefined).join(': ');
	return `${id}  ${outcome}${reason === '' ? '' : `, ${reason}`}\n`;
}
