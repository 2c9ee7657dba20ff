import { isGatewayError, type GatewayError } from '../../../base/errors';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { RequestItemGroup } from '../../../model/content/requests/requests';
import type { JsonObject } from '../../../model/json';
import type { RelationshipRecord } from '../../../model/record/relationship';
import type { RequestRecord } from '../../../model/record/request';
import { relationshipState } from '../../../model/relationship-state';
import type { ValidationResultDto } from '../../../facade/requests';
import { currentRelationship } from '../../current-relationship';
import { handlerOf } from '../items';
import type { DecisionDependencies } from '../items/item-handler';
import { doubleKey } from '../key-uniqueness';
import { peerDeletionProblem } from '../request-peer';
import { requestErrors } from '../request-errors';
import { flatItemsOf, isGroup, isMandatory } from '../request-items';
import { transitionOf } from '../request-transitions';
import { failure, inherited, success } from '../validation-result';
import type { Decision, ItemDecision } from './decisions';

export type DecisionMode = 'accept' | 'reject';

/** Relationship statuses in which a request can be decided, by its source. */
const decidableIn: Readonly<Record<string, ReadonlyArray<RelationshipRecord['status']>>> = {
	Message: ['Active'],
	RelationshipTemplate: ['Active', 'Rejected', 'Revoked'],
};

/**
 * Checks a decision and returns the result tree, in the order of docs/protocol/consumption.md 5.5.
 * The first failure that concerns the whole request is returned alone.
 *
 * @throws `error.runtime.unknown` for a request that is not to be decided (any more),
 * `error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes` for a request that can
 * never be accepted
 */
export async function checkDecision(
	record: RequestRecord,
	decisions: readonly Decision[],
	mode: DecisionMode,
	context: DecisionDependencies,
): Promise<ValidationResultDto> {
	const relationship = (await currentRelationship(context.tx, record.peer))?.record;
	const wrongStatus = checkRelationship(record, relationship);
	if (wrongStatus !== undefined) return failure(wrongStatus);
	transitionOf(record, 'decide');
	const leaving = peerDeletionProblem(relationship);
	if (leaving !== undefined) return failure(leaving);
	const { items } = record.content;
	if (items.length !== decisions.length) {
		return failure(wrongNumber(items.length, decisions.length));
	}
	const result = await checkItems(items, decisions, mode, context);
	if (!result.isSuccess || mode === 'reject') return result;
	return checkKeys(items, decisions, context.ownAddress) ?? result;
}

function checkRelationship(
	{ source }: RequestRecord,
	relationship: RelationshipRecord | undefined,
): GatewayError | undefined {
	if (relationship === undefined) return undefined;
	if (decidableIn[source?.type ?? '']?.includes(relationship.status) === true) return undefined;
	return requestErrors.create('wrongRelationshipStatus', {
		message: `${relationshipState(relationship)}.`,
		remedy: 'The request can be decided when the relationship is active.',
	});
}

/**
 * Checks the decisions by item. When the shapes differ, only the difference is reported, because
 * decisions and items cannot be matched.
 */
async function checkItems(
	items: ReadonlyArray<RequestItem | RequestItemGroup>,
	decisions: readonly Decision[],
	mode: DecisionMode,
	context: DecisionDependencies,
): Promise<ValidationResultDto> {
	const isOfShape = items.every((item, index) => hasShape(item, decisions[index]));
	const check = isOfShape
		? (item: RequestItem, decision: ItemDecision) => checkItem(item, decision, context)
		: () => Promise.resolve(undefined);
	const nodes = [];
	for (const [index, item] of items.entries()) {
		nodes.push(await checkNode(item, decisions[index], mode, check));
	}
	return inherited(nodes);
}

function hasShape(item: RequestItem | RequestItemGroup, decision: Decision | undefined): boolean {
	if (!isGroup(item)) return true;
	return decision?.kind === 'group' && decision.items.length === item.items.length;
}

type CheckItem = (item: RequestItem, decision: ItemDecision) => Promise<GatewayError | undefined>;

async function checkNode(
	item: RequestItem | RequestItemGroup,
	decision: Decision | undefined,
	mode: DecisionMode,
	check: CheckItem,
): Promise<ValidationResultDto> {
	if (decision === undefined) throw new TypeError('Expected as many decisions as items');
	if (isGroup(item)) {
		if (decision.kind === 'item') return failure(groupAnsweredAsItem());
		const { items: children } = item;
		if (children.length !== decision.items.length) {
			return failure(wrongNumber(children.length, decision.items.length));
		}
		const nodes = [];
		for (const [index, child] of children.entries()) {
			nodes.push(await checkNode(child, decision.items[index], mode, check));
		}
		return inherited(nodes);
	}
	if (decision.kind === 'group') {
		const message = 'The item was answered with a list of decisions.';
		return failure(requestErrors.create('itemAnsweredAsGroup', { message }));
	}
	const problem = structureProblem(item, decision, mode);
	if (problem !== undefined) return failure(problem);
	const refused = await check(item, decision);
	return refused === undefined ? success : failure(refused);
}

function structureProblem(
	item: RequestItem,
	decision: ItemDecision,
	mode: DecisionMode,
): GatewayError | undefined {
	if (mode === 'reject' && decision.accept) {
		return requestErrors.create('itemAcceptedButRequestNotAccepted', {
			message: 'The item was accepted, but the request is to be rejected.',
		});
	}
	if (mode === 'accept' && isMandatory(item) && !decision.accept) {
		return requestErrors.create('mustBeAcceptedItemNotAccepted', {
			message: 'The item must be accepted when the request is accepted.',
		});
	}
	return undefined;
}

async function checkItem(
	item: RequestItem,
	{ accept, parameters }: ItemDecision,
	context: DecisionDependencies,
): Promise<GatewayError | undefined> {
	if (!accept) return checkRejection(parameters);
	try {
		return await handlerOf(item).checkAccept?.(item, parameters, context);
	} catch (error) {
		if (!isGatewayError(error) || error.kind !== 'invalid') throw error;
		// Unreadable content counts as a malformed parameter, whatever code its reader throws.
		return requestErrors.create('malformedParameters', {
			message: error.message,
			facts: error.facts,
			cause: error,
		});
	}
}

function checkRejection({ code, message }: JsonObject): GatewayError | undefined {
	const field = isText(code, 200) ? 'message' : 'code';
	if (field === 'message' && isText(message, 1_000)) return undefined;
	return requestErrors.create('malformedParameters', {
		message: `'${field}' is not valid: expected text of at most ${field === 'code' ? 200 : 1_000} characters.`,
		facts: { field },
	});
}

function isText(value: unknown, max: number): boolean {
	return value === undefined || (typeof value === 'string' && value.length <= max);
}

/** Refuses to accept two items that would create the same attribute. */
function checkKeys(
	items: ReadonlyArray<RequestItem | RequestItemGroup>,
	decisions: readonly Decision[],
	ownAddress: string,
): ValidationResultDto | undefined {
	const flat = flatItemsOf({ items: [...items] });
	const hopeless = doubleKey(flat.filter(isMandatory), ownAddress);
	if (hopeless !== undefined) {
		throw requestErrors.create('violatedKeyUniqueness', {
			message: `The request asks twice for the relationship attribute '${hopeless.key}'.`,
			remedy: 'The request can never be accepted; reject it.',
		});
	}
	const flatDecisions = decisions.flatMap((one) => (one.kind === 'group' ? one.items : [one]));
	const accepted = flat.filter((_item, index) => {
		const decision = flatDecisions[index];
		return decision?.kind === 'item' && decision.accept;
	});
	const double = doubleKey(accepted, ownAddress);
	if (double === undefined) return undefined;
	return failure(
		requestErrors.create('invalidAcceptParameters', {
			message: `Two accepted items would create the relationship attribute '${double.key}'.`,
		}),
	);
}

function wrongNumber(expected: number, found: number): GatewayError {
	return requestErrors.create('invalidNumberOfItems', {
		message: `Expected ${expected} decisions, found ${found}.`,
	});
}

function groupAnsweredAsItem(): GatewayError {
	return requestErrors.create('groupAnsweredAsItem', {
		message: 'The group was answered with one decision instead of a list.',
	});
}
