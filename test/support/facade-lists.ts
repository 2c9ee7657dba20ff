import { attributeQueryFields } from '../../core/domain/attribute/attribute-query';
import { readQuery, type QueryFields } from '../../core/domain/query/collection-query';
import { fileQueryFields } from '../../core/domain/file/file-query';
import { localNotificationQueryFields } from '../../core/domain/local-notification/local-notification-service';
import { messageQueryFields } from '../../core/domain/message/message-query';
import { operators, type QueryValue } from '../../core/domain/query/query-terms';
import { relationshipQueryFields } from '../../core/domain/relationship/relationship-service';
import {
	incomingRequestQueryFields,
	outgoingRequestQueryFields,
} from '../../core/domain/request/request-query';
import { draftQueryFields, settingQueryFields } from '../../core/domain/setting/setting-query';
import { templateQueryFields } from '../../core/domain/template/template-query';
import { tokenQueryFields } from '../../core/domain/token/token-query';
import type { CollectionName } from '../../core/store/collections/collections';
import type { Condition } from '../../core/store/store';

/** A list of the facade that can be asked: for which fields, and with which conditions of its own. */
export interface FacadeList {
	readonly name: string;
	readonly collection: CollectionName;
	// Fields of different collections and DTOs stand side by side here.
	readonly fields: Readonly<Record<string, unknown>>;
	readonly where: ReadonlyArray<Condition<string>>;
}

const me = 'did:e:example.com:dids:me';
const peer = 'did:e:example.com:dids:peer';
const ownedBy = (value: string) => ({ field: 'owner', op: 'eq', value }) as const;
const isOwn = (value: boolean) => ({ field: 'isOwn', op: 'eq', value }) as const;

const list = (
	name: string,
	collection: CollectionName,
	fields: FacadeList['fields'],
	where: FacadeList['where'] = [],
): FacadeList => ({ name, collection, fields, where });

export const facadeLists: readonly FacadeList[] = [
	list('attributes', 'attributes', attributeQueryFields.all),
	list('repository attributes', 'attributes', attributeQueryFields.repository, [
		ownedBy(me),
		{ field: 'peer', op: 'missing' },
	]),
	list('own shared attributes', 'attributes', attributeQueryFields.ownShared, [
		ownedBy(me),
		{ field: 'peer', op: 'eq', value: peer },
	]),
	list('peer shared attributes', 'attributes', attributeQueryFields.peerShared, [
		ownedBy(peer),
		{ field: 'peer', op: 'exists' },
	]),
	list('outgoing requests', 'requests', outgoingRequestQueryFields, [isOwn(true)]),
	list('incoming requests', 'requests', incomingRequestQueryFields, [isOwn(false)]),
	list('local notifications', 'localNotifications', localNotificationQueryFields),
	list('settings', 'settings', settingQueryFields),
	list('drafts', 'drafts', draftQueryFields),
	list('templates', 'templates', templateQueryFields),
	list('relationships', 'relationships', relationshipQueryFields),
	list('messages', 'messages', messageQueryFields),
	list('files', 'files', fileQueryFields),
	list('tokens', 'tokens', tokenQueryFields),
];

/** Texts of which some field understands one as a value, others another. */
const samples = ['2030-01-01', 'true', '5'] as const;

/** One sign for each operator: others are written in several ways. */
const signs = [...new Map(Object.entries(operators).map(([sign, op]) => [op, sign])).values()];

/** Every way to ask with a value: each operator, nothing, `!`, several, none of several. */
const waysToAsk = (sample: string): QueryValue[] => [
	'',
	'!',
	...signs.map((sign) => `${sign}${sample}`),
	[sample, `${sample}1`],
	[`!${sample}`, `!${sample}1`],
];

export interface Question {
	/** as a caller writes it */
	readonly asked: string;
	readonly where: ReadonlyArray<Condition<string>>;
}

/** What a list can be asked about a field, in every way; a refused way is none. */
export function questionsAbout({ fields, where }: FacadeList, field: string): Question[] {
	const known = fields as QueryFields<string>;
	const questions = samples.flatMap((sample) =>
		waysToAsk(sample).flatMap((given) => {
			try {
				const { where: conditions } = readQuery({ [field]: given }, known);
				return [{ asked: JSON.stringify(given), where: [...where, ...conditions] }];
			} catch {
				return [];
			}
		}),
	);
	return [...new Map(questions.map((one) => [shapeOf(one), one])).values()];
}

/** Those that differ in their values only are one statement. */
function shapeOf({ where }: Question): string {
	const typeOf = (value: unknown) =>
		Array.isArray(value) ? value.map((one) => typeof one) : typeof value;
	return JSON.stringify(where, (name, value: unknown) =>
		name === 'value' ? typeOf(value) : value,
	);
}

/** What every attribute has, and what one is asked for when it does not have something. */
export function isOfMost(condition: Condition<string>): boolean {
	if (condition.op === 'anyOf') return false;
	const { field, op } = condition;
	const isNegative = ['ne', 'notIn', 'missing'].includes(op);
	const isSearch = ['exists', 'contains', 'startsWith', 'endsWith'].includes(op);
	const isAlwaysThere = ['createdAt', 'owner', 'valueType'].includes(field);
	return isNegative || (isSearch && isAlwaysThere) || field === 'contentType';
}
