import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { addressPatternSchema } from '../address';
import { instantSchema } from '../instant';
import type {
	AttributeValueInput,
	IdentityAttributeQueryInput,
	RelationshipAttributeQueryInput,
	ThirdPartyRelationshipAttributeQueryInput,
} from './contents';
import type { ListQueryInput } from './list-query';
import { judgedLater, listInput } from './schemas';
import type { JsonObject } from '../json';

const date = z
	.string()
	.refine((text) => safeParse(instantSchema, text).success, 'expected an ISO 8601 date and time');

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the content types judge the other members when the value is used
export const attributeValueSchema = z.looseObject({ '@type': z.string() }) as unknown as z.ZodType<
	AttributeValueInput & JsonObject,
	AttributeValueInput
>;

const contentSchema = z.strictObject({
	/** value with its `@type` */
	value: attributeValueSchema,
	/** tags; absent: none */
	tags: listInput(z.array(z.string())).optional(),
	/** ISO time from which on the value is valid; absent: always */
	validFrom: date.optional(),
	/** ISO time until which the value is valid; absent: without end */
	validTo: date.optional(),
});
export type AttributeContent = z.output<typeof contentSchema>;

export const createAttributeSchema = z.strictObject({
	/** content of the attribute */
	content: contentSchema,
});
/** Attribute to create; its owner is this identity. */
export type CreateAttributeInput = z.input<typeof createAttributeSchema>;

export const successorSchema = z.strictObject({
	/** content of the new version; no member is copied from the old one */
	successorContent: contentSchema,
});
/** Content of the new version of an attribute. */
export type SucceedAttributeInput = z.input<typeof successorSchema>;

export const relationshipSuccessorSchema = z.strictObject({
	successorContent: contentSchema.omit({ tags: true }),
});

export const notifyInputSchema = z.strictObject({
	/** address of the peer */
	peer: addressPatternSchema,
});
/** Peer that has an earlier version of the attribute. */
export type NotifyPeerInput = z.input<typeof notifyInputSchema>;

const versionsShape = {
	/** excludes versions that have a successor; the default is true */
	onlyLatestVersions: z.boolean().default(true),
};

export const sharedVersionsInputSchema = z.strictObject({
	/** only copies that these peers have; absent: of all peers */
	peers: listInput(z.array(addressPatternSchema).min(1)).optional(),
	...versionsShape,
});
/** Which copies of an attribute are listed. */
export type ListSharedVersionsInput = z.input<typeof sharedVersionsInputSchema>;

/** Filter by names of fields, each with one text or several (docs/protocol/http-api.md 6.1). */
const queryShape = {
	/** filter by names of fields; the default is empty */
	query: z.record(z.string(), judgedLater<ListQueryInput[string]>()).default({}),
};
const viewShape = {
	/** excludes attributes outside their validity period; oldest first */
	onlyValid: z.boolean().default(false),
	/** excludes relationship attributes that are meant for software only */
	hideTechnical: z.boolean().default(false),
};

export const repositoryInputSchema = z.strictObject({ ...queryShape, ...versionsShape });
/** Which own attributes are listed. */
export type ListRepositoryAttributesInput = z.input<typeof repositoryInputSchema>;

export const sharedInputSchema = z.strictObject({
	/** address of the peer */
	peer: addressPatternSchema,
	...queryShape,
	...versionsShape,
	...viewShape,
});
/** Which attributes are listed that this identity and a peer share. */
export type ListSharedAttributesInput = z.input<typeof sharedInputSchema>;

/* Metadata is validated as part of the request that contains it. */
const metadataShape = {
	/** address of the peer */
	peer: addressPatternSchema,
	/** members of the request; the default is empty */
	requestMetadata: z
		.strictObject({
			/** title that a person reads above the request */
			title: judgedLater<string>().optional(),
			/** text that a person reads below the title */
			description: judgedLater<string>().optional(),
			/** data of the own program, which the response does not repeat */
			metadata: judgedLater<object>().optional(),
			/** ISO time until which the peer can answer */
			expiresAt: judgedLater<string>().optional(),
		})
		.default({}),
	/** members of the item; the default is empty */
	requestItemMetadata: z
		.strictObject({
			/** title that a person reads above the item */
			title: judgedLater<string>().optional(),
			/** text that a person reads below the title */
			description: judgedLater<string>().optional(),
			/** data of the own program */
			metadata: judgedLater<object>().optional(),
			/** true to ask the peer for a decision by a person */
			requireManualDecision: judgedLater<boolean>().optional(),
		})
		.default({}),
};

export const shareAttributeSchema = z.strictObject(metadataShape);
/** Peer that is asked to take the attribute, and texts for it. */
export type ShareAttributeInput = z.input<typeof shareAttributeSchema>;

export const createAndShareAttributeSchema = z.strictObject({
	/** content of the attribute */
	content: z.strictObject({
		/** value with its `@type` */
		value: judgedLater<AttributeValueInput>(),
		/** name of the attribute in the relationship */
		key: judgedLater<string>(),
		/** who may see the attribute besides the two sides */
		confidentiality: judgedLater<'public' | 'private' | 'protected'>(),
		/** true if only software reads it */
		isTechnical: judgedLater<boolean>().optional(),
		/** ISO time from which on the value is valid */
		validFrom: judgedLater<string>().optional(),
		/** ISO time until which the value is valid */
		validTo: judgedLater<string>().optional(),
	}),
	...metadataShape,
});
/** Relationship attribute to create, and the peer that is asked to take it. */
export type CreateAndShareAttributeInput = z.input<typeof createAndShareAttributeSchema>;

export const queryInputSchema = z.strictObject({ query: z.unknown() });

/** Query for own attributes of a type. */
export interface ExecuteIdentityAttributeQueryInput {
	/** the query, with or without `@type` */
	readonly query: IdentityAttributeQueryInput;
}

/** Query for an attribute of a relationship. */
export interface ExecuteRelationshipAttributeQueryInput {
	/** the query, with or without `@type` */
	readonly query: RelationshipAttributeQueryInput;
}

/** Query for attributes of other relationships. */
export interface ExecuteThirdPartyRelationshipAttributeQueryInput {
	/** the query, with or without `@type` */
	readonly query: ThirdPartyRelationshipAttributeQueryInput;
}

export const iqlInputSchema = z.strictObject({
	/** the query */
	query: z.looseObject({
		/** may be absent */
		'@type': z.literal('IQLQuery').optional(),
		/** text of the query */
		queryString: z.string(),
	}),
});
/** Query in the language IQL. */
export type IqlQueryInput = z.input<typeof iqlInputSchema>;
