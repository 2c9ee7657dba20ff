import { z } from 'zod';
import { challengeDtoSchema } from '../../../core';

/* Outputs about the account itself and about the operator of its Backbone. */

export const sentNotificationOutputSchema = z.object({
	sent: z.literal(true),
	code: z.string(),
	recipients: z.array(z.string()),
});

/** Value about a peer; about this account without `peer`. */
export const identityMetadataOutputSchema = z.object({
	peer: z.string().optional(),
	key: z.string().optional(),
	value: z.unknown().optional(),
	deleted: z.literal(true).optional(),
});

/** Created challenge, or the verdict on one. */
export const challengeOutputSchema = challengeDtoSchema.partial().extend({
	isValid: z.boolean().optional(),
	peer: z.string().optional(),
	peerName: z.string().optional(),
	relationshipId: z.string().optional(),
});

export const identityDeletionOutputSchema = z.object({
	address: z.string(),
	/** `None` if no deletion was ever started */
	status: z.string(),
	isToBeDeleted: z.boolean(),
	startedAt: z.string().optional(),
	gracePeriodEndsAt: z.string().optional(),
	cancelledAt: z.string().optional(),
	id: z.string().optional(),
	isDeleted: z.boolean().optional(),
	deletedAt: z.string().optional(),
});
