import type { GatewayError } from '../../base/errors';
import { toDialect } from '../../model/content/dialects';
import { obstacleFor, type Generation } from '../../model/content/generations';
import { epochMsOf } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import { relationshipState } from '../../model/relationship-state';
import type { ValidationResultDto } from '../../facade/requests';
import { currentRelationship } from '../current-relationship';
import { generationOfPeer } from '../peer-generation';
import { handlerOf } from './items';
import type { CheckDependencies } from './items/item-handler';
import { checkTagsOfItem } from './items/tags';
import { doubleKey } from './key-uniqueness';
import { peerDeletionProblem } from './request-peer';
import { requestErrors } from './request-errors';
import { flatItemsOf, isGroup, isMandatory, itemsOf } from './request-items';
import { failure, inherited, success } from './validation-result';

/** Returns the result tree of a parsed outgoing request (docs/protocol/consumption.md 4.1). */
export async function validateRequest(
	request: JsonObject,
	context: CheckDependencies,
): Promise<ValidationResultDto> {
	const problem = checkExpiry(request, context) ?? (await checkPeer(context));
	if (problem !== undefined) return failure(problem);
	const { tx, peer } = context;
	const generation = peer === undefined ? undefined : await generationOfPeer(tx, peer);
	const items = [];
	for (const item of itemsOf(request)) items.push(await validateItem(item, context, generation));
	const result = inherited(items);
	if (!result.isSuccess) return result;
	const double = doubleKey(flatItemsOf(request).filter(isMandatory), peer);
	if (double === undefined) return result;
	return failure(
		requestErrors.create('violatedKeyUniqueness', {
			message: `The request asks twice for the relationship attribute '${double.key}'.`,
		}),
	);
}

async function validateItem(
	item: JsonObject,
	context: CheckDependencies,
	generation: Generation | undefined,
): Promise<ValidationResultDto> {
	if (isGroup(item)) {
		const children = [];
		for (const child of itemsOf(item)) {
			children.push(await validateItem(child, context, generation));
		}
		return inherited(children);
	}
	const refused =
		(await handlerOf(item)?.checkOutgoing?.(item, context)) ??
		checkDialect(item, generation) ??
		checkTagsOfItem(item, generation);
	return refused === undefined ? success : failure(refused);
}

/** Reports content that the wallet of the peer cannot read, before it is sent. */
function checkDialect(
	item: JsonObject,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation === undefined) return undefined;
	const obstacle = obstacleFor(generation, toDialect(generation, item));
	if (obstacle === undefined) return undefined;
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version ${generation}, which does not read the item: ${obstacle.reason}.`,
		facts: { field: obstacle.field, generation },
	});
}

function checkExpiry(
	request: JsonObject,
	{ peer, ownAddress, nowMs }: CheckDependencies,
): GatewayError | undefined {
	if (peer === ownAddress) {
		return requestErrors.create('withYourself', { message: 'The peer is our own identity.' });
	}
	const expiresAt = request['expiresAt'];
	if (typeof expiresAt !== 'string' || epochMsOf(expiresAt) >= nowMs) return undefined;
	return requestErrors.create('expired', {
		message: `The request would have expired already at ${expiresAt}.`,
	});
}

async function checkPeer({ tx, peer }: CheckDependencies): Promise<GatewayError | undefined> {
	if (peer === undefined) return undefined;
	const current = (await currentRelationship(tx, peer))?.record;
	if (current === undefined) {
		return requestErrors.create('missingRelationship', {
			message: `There is no relationship with ${peer}.`,
		});
	}
	if (current.status !== 'Pending' && current.status !== 'Active') {
		return requestErrors.create('wrongRelationshipStatus', {
			message: `${relationshipState(current)}.`,
		});
	}
	return peerDeletionProblem(current);
}
