import * as z from 'zod';
import type { JsonObject } from '../json';
import {
	anyAttribute,
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './attributes';
import { contentErrors } from './content-errors';
import { contentType, namedType, tagged, type ContentType } from './content-type';
import { otherRequestItemTypes } from './content-types';
import { addressField, dateField, idField, listField, objectField, textField } from './fields';
import { parseAs } from './parse';

const title = textField({ max: 200 }).optional();
const description = textField({ max: 500 }).optional();
const metadata = objectField.nullish();

/** Members that every request item has, validated after its own (docs/protocol/content.md 5.3). */
const itemMembers = {
	title,
	description,
	mustBeAccepted: z.boolean(),
	metadata,
	requireManualDecision: z.boolean().optional(),
};

/** The name that version 7 gives to the third party (docs/protocol/content.md 13.2). */
export function readThirdPartyOfVersion7(value: JsonObject): void {
	const named = value['initialAttributePeer'];
	if (named !== undefined && value['thirdPartyAddress'] === undefined) {
		value['thirdPartyAddress'] = named;
	}
}

const readAttributeRequestItem = contentType('ReadAttributeRequestItem', () => ({
	query: tagged(() => [
		identityAttributeQuery,
		relationshipAttributeQuery,
		thirdPartyRelationshipAttributeQuery,
		iqlQuery,
	]),
	...itemMembers,
}));

/**
 * Version 6 names the shared attribute in `sourceAttributeId`, version 7 in `attributeId`; which of the
 * two is there tells in which dialect the answer is expected.
 */
const shareAttributeRequestItem = contentType(
	'ShareAttributeRequestItem',
	() => ({
		attribute: anyAttribute,
		sourceAttributeId: idField.optional(),
		attributeId: idField.optional(),
		thirdPartyAddress: addressField.nullish(),
		...itemMembers,
	}),
	{
		adjust: (value) => {
			if (value['sourceAttributeId'] !== undefined) delete value['attributeId'];
			readThirdPartyOfVersion7(value);
		},
		check: (value, report) => {
			if (value['sourceAttributeId'] === undefined && value['attributeId'] === undefined) {
				report('is missing', 'sourceAttributeId');
			}
		},
	},
);

/** Items whose members are known here; the others are read as they are. One entry per type. */
export const builtRequestItems: readonly ContentType[] = [
	readAttributeRequestItem,
	shareAttributeRequestItem,
];

const requestItems = (): readonly ContentType[] => [
	...builtRequestItems,
	...otherRequestItemTypes.map((name) => namedType(name)),
];

/** docs/protocol/content.md 5.2; groups do not nest. */
export const requestItemGroup = contentType('RequestItemGroup', () => ({
	title,
	description,
	items: listField(tagged(requestItems), { required: true, min: 1 }),
	metadata,
}));

/** docs/protocol/content.md 5.1 */
export const request = contentType('Request', () => ({
	id: idField.nullish(),
	expiresAt: dateField.nullish(),
	items: listField(
		tagged(() => [requestItemGroup, ...requestItems()]),
		{ required: true, min: 1 },
	),
	title,
	description,
	metadata,
}));

/**
 * Reads a request that we want to send. `@type` may be missing; what we write is version 6.
 *
 * @throws `error.runtime.requestDeserialization`, `error.runtime.unknownType`,
 * `error.runtime.servalError`
 */
export function parseOwnRequest(content: unknown): JsonObject {
	const parsed = parseAs(request, content, 'The request');
	refuseVersion7Items(parsed, 'The request');
	return parsed;
}

/** @throws `error.runtime.requestDeserialization` */
export function refuseVersion7Items(ownRequest: JsonObject, what: string): void {
	const items = (ownRequest['items'] as JsonObject[]).flatMap((item) =>
		item['@type'] === 'RequestItemGroup' ? (item['items'] as JsonObject[]) : [item],
	);
	const isForeign = (item: JsonObject): boolean =>
		item['@type'] === 'ShareAttributeRequestItem' && item['sourceAttributeId'] === undefined;
	if (!items.some(isForeign)) return;
	throw contentErrors.create('notReadable', {
		message: `${what} has a ShareAttributeRequestItem without 'sourceAttributeId'.`,
		facts: { field: 'items' },
	});
}
