import { randomBytes } from 'node:crypto';
import type { FunctionsBase } from 'n8n-workflow';
import type { WaitDto } from '../../../core';
import { noteOf } from '../waiting/answer-item';
import type { VisitNote } from '../waiting/wait-note';

type Host = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>;

/** Parameters in the address of the page that belong to the page itself. */
const ownParameters: readonly string[] = ['visitor', 'show', '__proto__'];

const mostParameters = 20;
const longestName = 100;
const longestValue = 500;

/** Random ID of a visitor, 128 bits, which only the browser of the visitor gets. */
export function newVisitor(): string {
	return randomBytes(16).toString('base64url');
}

/** True if a text can be the ID of a visitor. */
export function isVisitor(text: string): boolean {
	return /^[\w-]{22}$/.test(text);
}

/** ID of the wait of a visitor. */
export function visitId(functions: Host, visitor: string): string {
	return `${visitsOf(functions)}${visitor}`;
}

/** What the wait is for, if it is a visit of the published page of this node. */
export function publishedVisit(functions: Host, wait: WaitDto): VisitNote | undefined {
	if (!wait.id.startsWith(visitsOf(functions))) return undefined;
	const { visit } = noteOf(wait);
	return visit?.isTest === false ? visit : undefined;
}

/** Beginning of the IDs of all visits of a node. */
function visitsOf(functions: Host): string {
	const { id = '' } = functions.getWorkflow();
	return ['page', functions.getInstanceId(), id, functions.getNode().id, ''].join(':');
}

/**
 * Parameters with which a visitor has opened the page: at most 20, with names of at most 100 and
 * values of at most 500 characters. Others are left out.
 */
export function visitorQuery(query: object): Record<string, string> {
	const entries = Object.entries(query).filter(
		(entry): entry is [string, string] =>
			!ownParameters.includes(entry[0]) &&
			entry[0].length <= longestName &&
			typeof entry[1] === 'string' &&
			entry[1].length <= longestValue,
	);
	return Object.fromEntries(entries.slice(0, mostParameters));
}
