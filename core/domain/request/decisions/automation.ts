import type { AutomationConfig, AutomationRule } from '../../../model/automation';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { Request } from '../../../model/content/requests/requests';
import { parseInstant } from '../../../model/instant';
import { ownJson, ownMember } from '../../../model/json';
import type { RequestDto } from '../../../model/record/request';
import type { Decision, ItemDecision } from './decisions';
import { requestErrors } from '../request-errors';
import { flatItemsOf, isGroup } from '../request-items';

const itemPrefix = 'content.item.';

/** Types that a rule without conditions on items accepts (docs/protocol/consumption.md 10.2). */
const plainlyAccepted: ReadonlyArray<RequestItem['@type']> = [
	'AuthenticationRequestItem',
	'ConsentRequestItem',
	'CreateAttributeRequestItem',
	'RegisterAttributeListenerRequestItem',
	'ShareAttributeRequestItem',
];

/** Parameter that an acceptance needs beside `accept`; other types take no further parameter. */
const neededMember: Readonly<Record<string, string>> = {
	DeleteAttributeRequestItem: 'deletionDate',
	FreeTextRequestItem: 'freeText',
	ProposeAttributeRequestItem: 'attribute',
	ReadAttributeRequestItem: 'newAttribute',
};

/**
 * Requires that the response of each rule fits the items that the rule names.
 *
 * @throws `error.runtime.decide.requestConfigDoesNotMatchResponseConfig`
 */
export function requireUsable(config: AutomationConfig): void {
	for (const [index, rule] of config.entries()) {
		if (isUsable(rule)) continue;
		throw requestErrors.create('configMismatch', {
			message: `The response of automation rule ${index + 1} does not fit the items that the rule names.`,
			facts: { field: `automation.${index}.responseConfig` },
		});
	}
}

function isUsable({ requestConfig, responseConfig }: AutomationRule): boolean {
	if (!responseConfig.accept) return true;
	const type = requestConfig[`${itemPrefix}@type`];
	const needed = typeof type === 'string' ? neededMember[type] : undefined;
	if (needed !== undefined) return responseConfig[needed] !== undefined;
	return Object.keys(responseConfig).length === 1;
}

/**
 * Applies the rules to a request; undefined when a person has to decide. The first rule that fits an item
 * decides about it, and every item must be decided.
 *
 * @param request public form of the request
 */
export function automaticDecisions(
	request: RequestDto,
	config: AutomationConfig,
	relationshipAlreadyExists: boolean,
): Decision[] | undefined {
	const items = flatItemsOf(request.content);
	if (items.some((item) => item.requireManualDecision === true)) return undefined;
	const decided: Array<ItemDecision | undefined> = items.map(() => undefined);
	for (const rule of config) {
		if (!fitsRequest(rule, request, relationshipAlreadyExists)) continue;
		for (const [index, item] of items.entries()) {
			if (decided[index] === undefined && fitsItem(rule, item)) decided[index] = decisionOf(rule);
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
): boolean {
	return Object.entries(requestConfig).every(([key, wanted]) => {
		if (wanted === undefined || key.startsWith(itemPrefix)) return true;
		if (key === 'relationshipAlreadyExists') return wanted === relationshipAlreadyExists;
		return fits(key, wanted, memberAt(request, key));
	});
}

function fitsItem({ requestConfig, responseConfig }: AutomationRule, item: RequestItem): boolean {
	const ofItem = Object.entries(requestConfig).filter(([key]) => key.startsWith(itemPrefix));
	if (ofItem.length === 0 && responseConfig.accept) {
		return plainlyAccepted.includes(item['@type']);
	}
	return ofItem.every(([key, wanted]) => {
		const path = key.slice(itemPrefix.length);
		return wanted === undefined || fits(path, wanted, memberAt(item, path));
	});
}

/** Reads a member by its dotted path; names that contain dots do not occur. */
function memberAt(value: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>(ownMember, value);
}

function fits(path: string, wanted: unknown, found: unknown): boolean {
	if (found === undefined || found === null) return false;
	if (path.endsWith('tags')) return hasCommon(listOf(wanted), listOf(found));
	if (/(At|From|To)$/.test(path)) {
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
