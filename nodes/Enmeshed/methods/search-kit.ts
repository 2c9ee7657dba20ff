import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { shownText } from '../helpers/shown-text';
import { toNodeError } from '../errors/to-node-error';

export const pageSize = 50;
/** number of the newest records that a search by name examines */
export const searchDepth = 1_000;

export type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export interface Page {
	readonly filter: string;
	readonly offset: number;
	/** operation whose field asks */
	readonly operation: string;
	/** what the operation does if it leaves a choice, otherwise the operation itself */
	readonly action: string;
}

export interface Entry {
	readonly name: string;
	readonly value: string;
	/** additional text for the search */
	readonly details?: string;
}

/** Fields by which one operation does different things to a relationship. */
const choices: Readonly<Record<string, string>> = { end: 'ending', reactivate: 'step' };

/**
 * Runs a search with an open gateway. Failures become node errors, and texts of
 * peers are shown as plain text.
 */
export function listSearch(
	search: (gateway: GatewayFacade, page: Page) => Promise<INodeListSearchResult>,
): Search {
	return async function (this, filter = '', paginationToken) {
		const offset = Number(paginationToken ?? 0);
		const operation = String(this.getCurrentNodeParameter('operation'));
		const chosenBy = choices[operation];
		const action = chosenBy === undefined ? operation : this.getCurrentNodeParameter(chosenBy);
		const page = { filter: filter.trim(), offset, operation, action: String(action) };
		const found = await withGateway(this, (gateway) => search(gateway, page));
		const shown = found.results.map((entry) => ({ ...entry, name: shownText(entry.name) }));
		return { ...found, results: shown };
	};
}

/** Operations that only read or delete a record, which they can after its expiry as well. */
const expiredIsOffered = ['get', 'getAll', 'delete'];

/** True if the operation can use what is valid until then. */
export function isUsable(operation: string, expiresAt: string | null | undefined): boolean {
	if (expiresAt === undefined || expiresAt === null) return true;
	return expiredIsOffered.includes(operation) || Date.parse(expiresAt) > Date.now();
}

export type OptionsLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Loads the options of a field with several values, like a search without its pages. */
export function optionsLoader(
	load: (gateway: GatewayFacade, functions: ILoadOptionsFunctions) => Promise<readonly Entry[]>,
): OptionsLoader {
	return async function (this) {
		const entries = await withGateway(this, (gateway) => load(gateway, this));
		return entries.map(({ name, value }) => ({ name: shownText(name), value }));
	};
}

async function withGateway<Result>(
	functions: ILoadOptionsFunctions,
	use: (gateway: GatewayFacade) => Promise<Result>,
): Promise<Result> {
	try {
		const config = toGatewayConfig(await functions.getCredentials(credentialName));
		const lease = await leaseGateway(functions, config);
		try {
			return await use(lease.gateway);
		} finally {
			lease.release();
		}
	} catch (error) {
		throw toNodeError(functions.getNode(), error);
	}
}

export function matching(
	entries: readonly Entry[],
	filter: string,
): INodeListSearchResult['results'] {
	const wanted = filter.toLowerCase();
	return entries
		.filter(({ name, details = '' }) => `${name} ${details}`.toLowerCase().includes(wanted))
		.map(({ name, value }) => ({ name, value }));
}

export function nextPage(found: number, offset: number): { paginationToken?: string } {
	return found < pageSize ? {} : { paginationToken: String(offset + pageSize) };
}
