import type { JsonObject } from '../../../core/model/json';

/** Ours, or a generation of the official runtime. */
export type Kind = 'ours' | 6 | 7;

export interface HeldAttribute {
	readonly id: string;
	readonly content: JsonObject;
	readonly deletionStatus?: string | undefined;
}

/** A request as both sides show it. */
export interface SeenRequest {
	readonly id: string;
	readonly status: string;
	readonly content: JsonObject;
	readonly response?: { readonly content: JsonObject } | undefined;
}

/** One identity that asks or is asked, played by our gateway or by an official runtime. */
export interface Side {
	readonly kind: Kind;
	readonly address: string;
	/** An attribute of its own, no shared copy. */
	createAttribute(value: JsonObject): Promise<HeldAttribute>;
	attribute(id: string): Promise<HeldAttribute | undefined>;
	/** Another identity that it has a relationship with, one of our gateways. */
	thirdParty(): Promise<Side>;
	uploadFile(): Promise<{ readonly reference: string; readonly ownershipToken: string }>;
	/** Puts the request into a template; answers its reference. */
	offer(request: JsonObject): Promise<string>;
	/** Loads a template; answers the id of the request that waits for a decision. */
	receive(reference: string): Promise<string>;
	/** Sends the request with a message; answers its id. */
	ask(peer: string, request: JsonObject): Promise<string>;
	sync(): Promise<void>;
	/** Settles when the request waits for a decision. */
	toDecide(requestId: string): Promise<void>;
	/** Settles when the answer is on its way. */
	decide(
		requestId: string,
		decision: 'accept' | 'reject',
		items: readonly JsonObject[],
	): Promise<SeenRequest>;
	/** Undefined when there is none. */
	outgoing(requestId: string): Promise<SeenRequest | undefined>;
	/** Ids under which the peer holds what the request has shared. */
	sharedBy(requestId: string): Promise<string[]>;
}

export async function until<Value>(
	what: string,
	look: () => Promise<Value | undefined>,
): Promise<Value> {
	for (let tries = 0; tries < 3_000; tries++) {
		const found = await look();
		if (found !== undefined) return found;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`there is still no ${what}`);
}
