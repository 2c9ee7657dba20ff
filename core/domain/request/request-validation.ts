import type { GatewayError } from '../../base/errors';
import { toDialect } from '../../model/content/dialects';
import { hintFor, obstacleFor } from '../../model/content/generations';
import { refusedText } from '../../model/content/attribute-texts';
import type { RequestItem } from '../../model/content/requests/request-items';
import type { RequestItemGroup, UntypedRequest } from '../../model/content/requests/requests';
import { epochMsOf } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import { generationOf, type Generation, type PeerVersion } from '../../model/peer-version';
import { relationshipState } from '../../model/relationship-state';
import type { ValidationResultDto } from '../../facade/requests';
import { currentRelationship } from '../current-relationship';
import { versionOfPeer } from '../peer-version';
import { handlerOf } from './items';
import type { CheckDependencies } from './items/item-handler';
import { refusedTag, tagRefusedBy7 } from './items/tags';
import { refusedBy7 } from './items/refused-texts';
import { doubleKey } from './key-uniqueness';
import { peerDeletionProblem } from './request-peer';
import { requestErrors } from './request-errors';
import { attributeOf, flatItemsOf, isGroup, isMandatory } from './request-items';
import { failure, inherited, success } from './validation-result';

/** Returns the result tree of a parsed outgoing request (docs/protocol/consumption.md 4.1). */
export async function validateRequest(
	request: UntypedRequest,
	context: CheckDependencies,
): Promise<ValidationResultDto> {
	const problem = checkExpiry(request, context) ?? (await checkPeer(context));
	if (problem !== undefined) return failure(problem);
	const { tx, peer } = context;
	const version = peer === undefined ? undefined : await versionOfPeer(tx, peer);
	const items = [];
	for (const item of request.items) items.push(await validateItem(item, context, version));
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
	item: RequestItem | RequestItemGroup,
	context: CheckDependencies,
	version: PeerVersion | undefined,
): Promise<ValidationResultDto> {
	if (isGroup(item)) {
		const children = [];
		for (const child of item.items) {
			children.push(await validateItem(child, context, version));
		}
		return inherited(children);
	}
	const generation = generationOf(version);
	const written = toDialect(generation, item);
	const attribute = attributeOf(item);
	const text = generation === 6 || attribute === undefined ? undefined : refusedText(attribute);
	const tag = generation === 6 ? undefined : refusedTag(item);
	const refused =
		(await handlerOf(item).checkOutgoing?.(item, context)) ??
		checkDialect(written, generation) ??
		(generation === 7 && tag !== undefined ? tagRefusedBy7(tag) : undefined) ??
		(generation === 7 && text !== undefined ? refusedBy7(text, 'attribute') : undefined);
	if (refused !== undefined) return failure(refused);
	const hints = [
		hintFor(version, written),
		text &&
			`Wallets of version 7 do not accept 'attribute.${text.field}', because of these characters: ${text.characters}.`,
		tag && `Wallets of version 7 do not accept '${tag.tag}' in '${tag.field}'.`,
	].filter((hint) => hint !== undefined);
	return hints.length === 0 ? success : { ...success, hint: hints.join(' ') };
}

/** Reports content that the wallet of the peer cannot read, before it is sent. */
function checkDialect(
	item: JsonObject,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation === undefined) return undefined;
	const obstacle = obstacleFor(generation, item);
	if (obstacle === undefined) return undefined;
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version ${generation}, which does not read the item: ${obstacle.reason}.`,
		facts: { field: obstacle.field, generation },
	});
}

function checkExpiry(
	{ expiresAt }: UntypedRequest,
	{ peer, ownAddress, nowMs }: CheckDependencies,
): GatewayError | undefined {
	if (peer === ownAddress) {
		return requestErrors.create('withYourself', { message: 'The peer is our own identity.' });
	}
	if (expiresAt === undefined || expiresAt === null || epochMsOf(expiresAt) >= nowMs)
		return undefined;
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
