import type { JsonObject } from '../../../core/model/json';

/** An attribute as both kinds of software show it. */
export interface HeldAttribute {
	readonly id: string;
	readonly content: JsonObject;
	readonly parentId?: string;
	readonly succeeds?: string;
	readonly succeededBy?: string;
	readonly shareInfo?: { readonly peer: string; readonly sourceAttribute?: string };
	readonly deletionInfo?: { readonly deletionStatus: string };
}

export interface PendingRequest {
	readonly id: string;
	readonly content: JsonObject;
}

/** One of the two identities of a history, played by our gateway or by an official runtime. */
export interface Holder {
	readonly name: string;
	readonly address: string;
	attributes(): Promise<HeldAttribute[]>;
	create(content: JsonObject): Promise<unknown>;
	/** of a repository attribute, or of a relationship attribute, whose peer is told */
	succeed(attribute: HeldAttribute, successorContent: JsonObject): Promise<unknown>;
	notify(id: string, peer: string): Promise<unknown>;
	share(id: string, peer: string): Promise<unknown>;
	createAndShare(content: JsonObject, peer: string): Promise<unknown>;
	/** Creates the request and sends it. */
	ask(content: JsonObject, peer: string): Promise<unknown>;
	deleteRepository(id: string): Promise<unknown>;
	deleteOwnShared(id: string): Promise<unknown>;
	deletePeerShared(id: string): Promise<unknown>;
	/** requests that wait for a decision of this side */
	undecided(): Promise<PendingRequest[]>;
	/** Settles when the answer was sent. */
	decide(id: string, decision: 'accept' | 'reject', items: readonly JsonObject[]): Promise<unknown>;
	/** Settles when everything that came has had its effect. */
	sync(): Promise<void>;
}

/** The code of a refusal of either side. */
export function refusalOf(error: unknown): string {
	const { code } = error as { code?: unknown };
	if (typeof code !== 'string') throw error;
	return code;
}

export function ownerOf({ content }: HeldAttribute): unknown {
	return content['owner'];
}

export function isRelationshipAttribute({ content }: HeldAttribute): boolean {
	return content['@type'] === 'RelationshipAttribute';
}
