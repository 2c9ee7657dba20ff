import * as z from 'zod';
import { listInput } from './schemas';
import { keysOf } from '../../base/members';

const searchedText = z
	.string()
	.max(5_000)
	.refine((text) => text.trim() !== '', 'expected a text that is not empty');

const pageShape = {
	/** greatest number of contacts; absent: all */
	limit: z.int().min(1).optional(),
	/** number of contacts that are left out at the beginning; the default is 0 */
	offset: z.int().min(0).default(0),
};

export const contactListInputSchema = z.strictObject({
	/** only contacts whose relationship has one of these states; absent: all */
	statuses: listInput(z.array(z.string()).max(100)).default([]),
	/** only contacts that came by this template */
	templateId: z.string().optional(),
	/** only contacts that came by a template with this purpose */
	purpose: z.string().optional(),
	...pageShape,
});
/** Which contacts are listed. */
export type ListContactsInput = z.input<typeof contactListInputSchema>;

const criteria = {
	/** email address that the person has shared */
	emailAddress: searchedText.optional(),
	/** value of an identity attribute that the person has shared */
	attribute: z
		.strictObject({
			/** type of the value, for example `EMailAddress` */
			type: searchedText,
			/** text of the value, or of one part of it */
			value: searchedText,
		})
		.optional(),
	/** value of a relationship attribute */
	relationshipAttribute: z
		.strictObject({
			/** key of the attribute */
			key: searchedText,
			/** text of the value, or of one part of it */
			value: searchedText,
			/** `own` (default): only attributes that this account owns */
			owner: z.enum(['own', 'any']).default('own'),
		})
		.optional(),
	/** name of the person, or a part of it */
	name: searchedText.optional(),
};

export const contactFindInputSchema = z
	.strictObject({
		...criteria,
		...pageShape,
		/** what to do if several people fit; the default is `fail` */
		ifSeveral: z.enum(['fail', 'firstConnected', 'list']).default('fail'),
	})
	.refine(
		(input) => keysOf(criteria).filter((name) => input[name] !== undefined).length === 1,
		'expected exactly one of emailAddress, attribute, relationshipAttribute and name',
	);
/** Exactly one criterion, by which contacts are found. */
export type FindContactsInput = z.input<typeof contactFindInputSchema>;
