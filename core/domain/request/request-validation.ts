import type { GatewayError } from '../../base/errors';
import type { ValidationResultDto } from '../../facade';
import { epochMsOf } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import { handlerOf } from './items';
import type { CheckContext } from './items/item-handler';
import { requestErrors } from './request-errors';
import { checkKeyUniqueness, isGroup, itemsOf } from './request-rules';
import { failure, inherited, success } from './validation-result';

export interface ValidationContext extends CheckContext {
	/** milliseconds since the epoch */
	readonly nowMs: number;
}

/** The result tree of an outgoing request that was parsed (docs/protocol/consumption.md 4.1). */
export async function validateRequest(
	request: JsonObject,
	context: ValidationContext,
): Promise<ValidationResultDto> {
	const problem = checkExpiry(request, context) ?? (await checkPeer(context));
	if (problem !== undefined) return failure(problem);
	const items = [];
	for (const item of itemsOf(request)) items.push(await validateItem(item, context));
	const result = inherited(items);
	if (!result.isSuccess) return result;
	const clash = checkKeyUniqueness(request, context.peer);
	return clash === undefined ? result : failure(clash);
}

async function validateItem(
	item: JsonObject,
	context: ValidationContext,
): Promise<ValidationResultDto> {
	if (isGroup(item)) {
		const children = [];
		for (const child of itemsOf(item)) children.push(await validateItem(child, context));
		return inherited(children);
	}
	const handler = handlerOf(item);
	if (handler === undefined) {
		return failure(
			requestErrors.create('notSupportedYet', {
				message: `Items of type '${String(item['@type'])}' are not supported yet.`,
			}),
		);
	}
	const refused = await handler.checkOutgoing(item, context);
	return refused === undefined ? success : failure(refused);
}

function checkExpiry(
	request: JsonObject,
	{ peer, ownAddress, nowMs }: ValidationContext,
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

async function checkPeer({ tx, peer }: ValidationContext): Promise<GatewayError | undefined> {
	if (peer === undefined) return undefined;
	const newest = await tx.relationships.first({
		where: [{ field: 'peer', op: 'eq', value: peer }],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	if (newest === undefined) {
		return requestErrors.create('missingRelationship', {
			message: 'There is no relationship with the peer.',
		});
	}
	const { status, peerDeletionInfo } = newest.record;
	if (status !== 'Pending' && status !== 'Active') {
		return requestErrors.create('wrongRelationshipStatus', {
			message: `The relationship with the peer is '${status}'.`,
		});
	}
	if (peerDeletionInfo === undefined) return undefined;
	const name =
		peerDeletionInfo.deletionStatus === 'ToBeDeleted' ? 'peerIsInDeletion' : 'peerIsDeleted';
	return requestErrors.create(name, {
		message: 'The peer is deleting or has deleted its identity.',
	});
}
