import * as z from 'zod';
import type { Random } from '../base/random';
import { alphanumeric } from '../base/random';

/**
 * Prefixes of ids. Every id has 20 characters: the prefix of its kind, then random letters and
 * digits. Checks are anchored; official software accepts longer text around an id.
 *
 * Source: docs/protocol/crypto-and-identity.md 13
 */
export const idPrefixes = {
	template: 'RLT',
	relationship: 'REL',
	message: 'MSG',
	token: 'TOK',
	file: 'FIL',
	device: 'DVC',
	username: 'USR',
	challenge: 'CHL',
	syncRun: 'SYR',
	externalEvent: 'SYI',
	syncError: 'SYE',
	datawallet: 'DWL',
	datawalletModification: 'DWM',
	deletionProcess: 'IDP',
	deletionProcessAuditLogEntry: 'IDA',
	relationshipAuditLogEntry: 'RAL',
	announcement: 'ANC',
	announcementAction: 'AAC',
	pushIdentifier: 'DPI',
	client: 'CLT',
	quota: 'QUO',
	tier: 'TIR',
	tierQuotaDefinition: 'TQD',
	error: 'ERR',
	attribute: 'ATT',
	request: 'REQ',
	notification: 'NOT',
	attributeListener: 'ATL',
	identityMetadata: 'IDM',
	draft: 'LCLDRF',
	setting: 'LCLSET',
	templateKey: 'TRPRTK',
	accessKey: 'KEY',
	webhook: 'WHK',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Kinds whose ids this gateway generates; all other ids come from the Backbone. */
export const clientIdKinds = [
	'attribute',
	'request',
	'notification',
	'attributeListener',
	'identityMetadata',
	'draft',
	'setting',
	'templateKey',
	'accessKey',
	'webhook',
] as const satisfies readonly IdKind[];
type ClientIdKind = (typeof clientIdKinds)[number];

const idLength = 20;
const alphanumericText = /^[A-Za-z0-9]*$/;
/** Alphabet of error ids, without characters that look alike (docs/protocol/http-api.md 3.2). */
const errorIdText = /^[A-HJ-NP-Z1-9]*$/;

export function isId(kind: IdKind, text: string): boolean {
	const prefix = idPrefixes[kind];
	const characters = kind === 'error' ? errorIdText : alphanumericText;
	return (
		text.length === idLength &&
		text.startsWith(prefix) &&
		characters.test(text.slice(prefix.length))
	);
}

/** Schema for one kind of id, with a message that names the expected form. */
export function idSchema(kind: IdKind): z.ZodType<string, string> {
	const prefix = idPrefixes[kind];
	const message = `expected '${prefix}' followed by ${idLength - prefix.length} letters or digits`;
	return z.string().refine((text) => isId(kind, text), message);
}

/** Generates an id of a kind that this gateway creates. */
export function newId(kind: ClientIdKind, random: Random): string {
	const prefix = idPrefixes[kind];
	return prefix + random.text(idLength - prefix.length, alphanumeric);
}

export const templateIdSchema = idSchema('template');
export const fileIdSchema = idSchema('file');
export const attributeIdSchema = idSchema('attribute');
