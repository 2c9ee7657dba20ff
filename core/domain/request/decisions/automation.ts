import type { AutomationConfig, AutomationRule } from '../../../model/automation';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { Request } from '../../../model/content/requests/requests';
import { parseInstant } from '../../../model/instant';
import { ownJson, ownMember } from '../../../model/json';
import type { Generation } from '../../../model/peer-version';
import type { RequestDto } from '../../../model/record/request';
import type { Decision, ItemDecision } from './decisions';
import { requestErrors } from '../request-errors';
import { flatItemsOf, isGroup } from '../request-items';

/** Rules that answer requests, and the version in which they are read. */
export interface Automation {
	readonly rules: AutomationConfig;
	readonly version: Generation;
}

type ItemType = RequestItem['@type'];

interface Dialect {
	/** types that a rule without conditions on items accepts */
	readonly plainlyAccepted: readonly ItemType[];
	/** types that a person decides about, whatever the rules say */
	readonly leftToPerson: readonly ItemType[];
	/** keys that are compared as dates */
	readonly dates: RegExp;
}

/** Rules of both versions (docs/protocol/consumption.md 10.2, docs/protocol/generation-7.md 12). */
const dialects: Readonly<Record<Generation, Dialect>> = {
	6: {
		plainlyAccepted: [
			'AuthenticationRequestItem',
			'ConsentRequestItem',
			'CreateAttributeRequestItem',
			'RegisterAttributeListenerRequestItem',
			'ShareAttributeRequestItem',
		],
		leftToPerson: [],
		dates: /(At|From|To)$/,
	},
	7: {
		plainlyAccepted: ['CreateAttributeRequestItem', 'ShareAttributeRequestItem'],
		leftToPerson: ['AuthenticationRequestItem', 'ConsentRequestItem'],
		dates: /At$/,
	},
};

const itemPrefix = 'content.item.';
const itemTypeKey = `${itemPrefix}@type`;

/** Keys of rules that version 7 does not have. */
const goneKeys =
	/^content\.item\.(title|freeText|consent|link|linkDisplayText|requiresInteraction)$|\.valid(From|To)$/;

/** Types of items that no rule of version 7 can name, with the reason. */
const goneTypes: Readonly<Record<string, string>> = {
	AuthenticationRequestItem: 'a person decides about it',
	ConsentRequestItem: 'a person decides about it',
	FreeTextRequestItem: 'it does not exist there',
	RegisterAttributeListenerRequestItem: 'it does not exist there',
};

/** Parameter that an acceptance needs beside `accept`; other types take no further parameter. */
const neededMember: Readonly<Record<string, string>> = {
	DeleteAttributeRequestItem: 'deletionDate',
	FreeTextRequestItem: 'freeText',
	ProposeAttributeRequestItem: 'attribute',
	ReadAttributeRequestItem: 'newAttribute',
};

/**
 * Requires that each rule has only keys of the version, and a response that fits the items that it
 * names.
 *
 * @throws `error.gateway.configuration.invalid`,
 * `error.runtime.decide.requestConfigDoesNotMatchResponseConfig`
 */
export function requireUsable({ rules, version }: Automation): void {
	for (const [index, rule] of rules.entries()) {
		if (version === 7) requireKeysOf7(rule, index);
		if (isUsable(rule)) continue;
		throw requestErrors.create('configMismatch', {
			message: `The response of automation rule ${index + 1} does not fit the items that the rule names.`,
			facts: { field: `automation.${index}.responseConfig` },
		});
	}
}

function requireKeysOf7({ requestConfig }: AutomationRule, index: number): void {
	const key = Object.keys(requestConfig).find((one) => goneKeys.test(one));
	const type = listOf(requestConfig[itemTypeKey]).find(
		(one) => typeof one === 'string' && Object.hasOwn(goneTypes, one),
	);
	if (key === undefined && type === undefined) return;
	const problem =
		key === undefined
			? `names '${String(type)}' as '${itemTypeKey}', but in version 7 ${goneTypes[String(type)]}`
			: `has the key '${key}', which rules of version 7 do not have`;
	throw requestErrors.create('keyOfOtherVersion', {
		message: `Automation rule ${index + 1} ${problem}.`,
		facts: { field: `automation.${index}.requestConfig.${key ?? itemTypeKey}` },
	});
}

function isUsable({ requestConfig, responseConfig }: AutomationRule): boolean {
	if (!responseConfig.accept) return true;
	const type = requestConfig[itemTypeKey];
	const needed = typeof type === 'string' ? neededMember[type] : undefined;
	if (needed !== undefined) return responseConfig[needed] !== undefined;
	return Object.keys(responseConfig).length === 1;
}

/**
 * Applies the rules to a request; undefined when a person has to decide. The first rule that fits
 * an item decides about it, and every item must be decided.
 *
 * @param request public form of the request
 */
export function automaticDecisions(
	request: RequestDto,
	{ rules, version }: Automation,
	relationshipAlreadyExists: boolean,
): Decision[] | undefined {
	const dialect = dialects[version];
	const items = flatItemsOf(request.content);
	const needsPerson = ({ '@type': type, requireManualDecision }: RequestItem): boolean =>
		requireManualDecision === true || dialect.leftToPerson.includes(type);
	if (items.some(needsPerson)) return undefined;
	const decided: Array<ItemDecision | undefined> = items.map(() => undefined);
	for (const rule of rules) {
		if (!fitsRequest(rule, request, relationshipAlreadyExists, dialect)) continue;
		for (const [index, item] of items.entries()) {
			if (decided[index] === undefined && fitsItem(rule, item, dialect)) {
				decided[index] = decisionOf(rule);
			}
		}
		if (!decided.includes(undefined)) break;
	}
	const decisions = decided.filter((decision) => decision !== undefined);
	return decisions.length < items.length ? undefined : inGroups(request.content, decisions);
}

function decisionOf({ responseConfig }: AutomationRule): ItemDecision {
	return { kind: 'item', accept: responseConfig.accept, parameters: ownJson(responseConfig) };
}

function inGroups({ items }: Request, decisions: readonly ItemDecision[]): Decision[] {
	const rest = [...decisions];
	const take = (count: number): ItemDecision[] => rest.splice(0, count);
	return items.flatMap((item): Decision[] =>
		isGroup(item) ? [{ kind: 'group', items: take(item.items.length) }] : take(1),
	);
}

function fitsRequest(
	{ requestConfig }: AutomationRule,
	request: RequestDto,
	relationshipAlreadyExists: boolean,
	dialect: Dialect,
): boolean {
	return Object.entries(requestConfig).every(([key, wanted]) => {
		if (wanted === undefined || key.startsWith(itemPrefix)) return true;
		if (key === 'relationshipAlreadyExists') return wanted === relationshipAlreadyExists;
		return fits(key, wanted, memberAt(request, key), dialect);
	});
}

function fitsItem(
	{ requestConfig, responseConfig }: AutomationRule,
	item: RequestItem,
	dialect: Dialect,
): boolean {
	const ofItem = Object.entries(requestConfig).filter(([key]) => key.startsWith(itemPrefix));
	if (ofItem.length === 0 && responseConfig.accept) {
		return dialect.plainlyAccepted.includes(item['@type']);
	}
	return ofItem.every(([key, wanted]) => {
		const path = key.slice(itemPrefix.length);
		return wanted === undefined || fits(path, wanted, memberAt(item, path), dialect);
	});
}

/** Reads a member by its dotted path; names that contain dots do not occur. */
function memberAt(value: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>(ownMember, value);
}

function fits(path: string, wanted: unknown, found: unknown, { dates }: Dialect): boolean {
	if (found === undefined || found === null) return false;
	if (path.endsWith('tags')) return hasCommon(listOf(wanted), listOf(found));
	if (dates.test(path)) {
		return listOf(wanted).every((bound) => fitsDate(bound, found));
	}
	// Alternatives apply to text only; official software fails on lists of other values.
	if (Array.isArray(wanted)) return typeof found === 'string' && wanted.includes(found);
	return typeof found === 'object'
		? JSON.stringify(found) === JSON.stringify(wanted)
		: found === wanted;
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [value];
}

function hasCommon(some: readonly unknown[], others: readonly unknown[]): boolean {
	return some.some((one) => others.includes(one));
}

/** Compares dates: `>X` matches later ones, `<X` earlier ones, `X` the same instant. */
function fitsDate(bound: unknown, found: unknown): boolean {
	if (typeof bound !== 'string' || typeof found !== 'string') return false;
	const sign = /^[<>]/.exec(bound)?.[0] ?? '';
	const wanted = parseInstant(bound.slice(sign.length));
	const instant = parseInstant(found);
	if (wanted === undefined || instant === undefined) return false;
	const difference = Date.parse(instant) - Date.parse(wanted);
	return sign === '' ? difference === 0 : sign === '>' ? difference > 0 : difference < 0;
}
