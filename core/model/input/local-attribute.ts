import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { attributeValueSchema } from './attribute';
import type { ListQueryInput } from './list-query';
import { judgedLater, listInput } from './schemas';

/* Inputs of attributes in the form of version 7 (docs/protocol/connector-7.md 4). */

const contentSchema = z.strictObject({
	/** value with its `@type` */
	value: attributeValueSchema,
	/** tags; absent: none */
	tags: listInput(z.array(z.string())).optional(),
});

export const createLocalAttributeSchema = z.strictObject({
	/** content of the attribute */
	content: contentSchema,
});
/** Identity attribute to create; its owner is this identity. */
export type CreateLocalAttributeInput = z.input<typeof createLocalAttributeSchema>;

export const localSuccessorSchema = z.strictObject({
	/** content of the new version; a relationship attribute has no `tags` */
	successorContent: contentSchema,
});
/** Content of the new version of an attribute. */
export type SucceedLocalAttributeInput = z.input<typeof localSuccessorSchema>;

export const localRelationshipSuccessorSchema = z.strictObject({
	successorContent: contentSchema.omit({ tags: true }),
});

const queryShape = {
	/** filter by names of fields; the default is empty */
	query: z.record(z.string(), judgedLater<ListQueryInput[string]>()).default({}),
};
const latestShape = {
	/** excludes versions that are replaced by later ones; the default is true */
	onlyLatestVersions: z.boolean().default(true),
};

export const ownIdentityListSchema = z.strictObject({ ...queryShape, ...latestShape });
/** Which own identity attributes are listed. */
export type ListOwnIdentityAttributesInput = z.input<typeof ownIdentityListSchema>;

export const peerListSchema = z.strictObject({
	/** address of the peer */
	peer: addressPatternSchema,
	...queryShape,
	...latestShape,
	/** excludes relationship attributes that are meant for software only */
	hideTechnical: z.boolean().default(false),
});
/** Which attributes are listed that this identity and a peer have. */
export type ListLocalAttributesOfPeerInput = z.input<typeof peerListSchema>;

export const forwardingDetailsInputSchema = z.strictObject(queryShape);
/** Which forwarding details are listed. */
export type ListForwardingDetailsInput = z.input<typeof forwardingDetailsInputSchema>;

export const sharedLocalVersionsSchema = z.strictObject({
	/** address of the peer */
	peer: addressPatternSchema,
	/** only the newest of these versions; the default is true */
	onlyLatestVersions: z.boolean().default(true),
});
/** Which versions are listed that a peer has. */
export type ListSharedLocalVersionsInput = z.input<typeof sharedLocalVersionsSchema>;
