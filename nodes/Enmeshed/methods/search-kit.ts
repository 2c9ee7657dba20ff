import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../helpers/acquire-gateway';
import { shownText } from '../helpers/shown-text';
import { toNodeError } from '../helpers/to-node-error';

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
}

export interface Entry {
	readonly name: string;
	readonly value: string;
	/** additional text for the search */
	readonly details?: string;
}

/**
 * Runs a search with an open gateway. Failures become node errors, and texts of
 * peers are shown as plain text.
 */
export function listSearch(
	search: (gateway: GatewayFacade, page: Page) => Promise<INodeListSearchResult>,
): Search {
	return async function (this, filter = '', paginationToken) {
		try {
			const config = toGatewayConfig(await this.getCredentials(credentialName));
			const lease = await leaseGateway(this, config);
			try {
				const offset = Number(paginationToken ?? 0);
				const found = await search(lease.gateway, { filter: filter.trim(), offset });
				const shown = found.results.map((entry) => ({ ...entry, name: shownText(entry.name) }));
				return { ...found, results: shown };
			} finally {
				lease.release();
			}
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
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
