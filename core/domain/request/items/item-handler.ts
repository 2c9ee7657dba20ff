import type { GatewayError } from '../../../base/errors';
import type { JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../../store/store';
import type { AttributeService } from '../../attribute/attribute-service';

export interface CheckContext {
	readonly tx: ReadTransaction;
	readonly ownAddress: string;
	/** absent for requests in templates */
	readonly peer: string | undefined;
}

export interface ResponseContext {
	readonly tx: WriteTransaction;
	readonly attributes: AttributeService;
	readonly ownAddress: string;
	readonly peer: string;
	readonly requestId: string;
}

/** What a type of request item knows about itself; one entry per type in `items/index.ts`. */
export interface ItemHandler {
	/** Whether we may send the item (docs/protocol/consumption.md 6). */
	checkOutgoing(item: JsonObject, context: CheckContext): Promise<GatewayError | undefined>;
	/** Whether the peer's accepting answer is one to this item. Looks at the answer only. */
	checkResponse(
		item: JsonObject,
		response: JsonObject,
		context: ResponseContext,
	): GatewayError | undefined;
	/** What our side keeps of a checked accepting answer. */
	applyResponse(item: JsonObject, response: JsonObject, context: ResponseContext): Promise<void>;
}

export function objectMember(value: JsonObject, name: string): JsonObject {
	const member = Object.hasOwn(value, name) ? value[name] : undefined;
	return typeof member === 'object' && member !== null && !Array.isArray(member) ? member : {};
}

export function textMember(value: JsonObject, name: string): string {
	const member = Object.hasOwn(value, name) ? value[name] : undefined;
	return typeof member === 'string' ? member : '';
}

/** An own identity attribute that is not a shared copy. */
export function isRepositoryAttribute(record: AttributeRecord, ownAddress: string): boolean {
	return (
		record.shareInfo === undefined &&
		record.content['@type'] === 'IdentityAttribute' &&
		record.content['owner'] === ownAddress
	);
}
