import * as z from 'zod';
import type { RequestContentInput } from './contents';
import { judgedLater } from './schemas';

export const requestInputSchema = z.strictObject({
	/** request with its `items` */
	content: judgedLater<RequestContentInput>().optional(),
	/** address of the peer; absent for the request of a template */
	peer: z.string().max(200).optional(),
});
/** Request, and the peer it goes to. */
export type RequestInput = z.input<typeof requestInputSchema>;

/** Request to check; without a `peer` it is meant for a template. */
export type ValidateRequestInput = RequestInput & {
	/** request with its `items` */
	readonly content: RequestContentInput;
};

/** Request to create, and the address that it goes to. */
export type CreateRequestInput = ValidateRequestInput & {
	/** address of the peer */
	readonly peer: string;
};

/** Rejected item, with a code and a text for the peer. */
export interface RejectItemInput {
	/** rejects the item */
	readonly accept: false;
	/** code for the peer; absent: none */
	readonly code?: string | undefined;
	/** text for the peer; absent: none */
	readonly message?: string | undefined;
}

/** Accepted item, with the members that its type needs (docs/protocol/consumption.md 5.4). */
export interface AcceptItemInput {
	/** accepts the item */
	readonly accept: true;
	readonly [member: string]: unknown;
}

/** Decision about an item. */
export type ItemDecisionInput = RejectItemInput | AcceptItemInput;

/** Decisions about a request, one entry per item or group, in its order. */
export interface DecideRequestInput {
	/** decisions in the order of the items of the request */
	readonly items: ReadonlyArray<
		| ItemDecisionInput
		| {
				/** decisions about the items of a group */
				readonly items: readonly ItemDecisionInput[];
		  }
	>;
}
