import * as z from 'zod';
import { contactFindInputSchema } from '../../../model/input/contact';
import { contactErasureInputSchema, historyKinds } from '../../../model/input/contact-data';
import { exportSections } from '../../../model/record/contact-data';
import { contactDtoSchema, foundContactDtoSchema } from '../../../model/record/relationship';
import { address as addressSchema, instant } from '../inputs';
import { route, type RouteGroup } from '../route';
import { countQuery, textsQuery } from './queries';

const parameters = { address: addressSchema };
/** Entries of a page if the client names no number. */
const usualLimit = 200;
const limit = countQuery(1_000).default(usualLimit);
const offset = z
	.string()
	.regex(/^\d{1,9}$/, 'must be a whole number')
	.transform(Number);

const searched = z.string().min(1).max(5_000).optional();

const historyEntry = z.object({
	at: z.string(),
	kind: z.enum(historyKinds),
	what: z.string(),
	direction: z.enum(['sent', 'received']),
	id: z.string(),
	summary: z.string(),
	record: z.looseObject({}),
	position: z.string(),
});
const exportPage = z.object({
	records: z.array(z.object({ section: z.enum(exportSections), data: z.looseObject({}) })),
	position: z.string().optional(),
});
const tally = z.object({ kind: z.string(), count: z.int() });
const receipt = z.object({
	address: z.string(),
	erasedAt: z.string(),
	erased: z.array(tally),
	remains: z.array(tally.extend({ reason: z.string(), until: z.string().optional() })),
});

/** Routes for people and what the account has about them; an extension of this gateway. */
export const contacts: RouteGroup = {
	name: 'Contacts',
	roles: ['admin', 'core:*', 'core:contacts'],
	record: 'Contact',
	routes: [
		route.get('/Contacts', {
			summary:
				'People with whom there is or was a relationship, newest relationship first; all, or by name or email address.',
			query: z.object({
				name: searched,
				emailAddress: searched,
				status: textsQuery(z.string().max(100)).optional(),
				templateId: z.string().max(100).optional(),
				purpose: z.string().max(100).optional(),
				limit,
				offset: offset.optional(),
			}),
			result: z.array(contactDtoSchema),
			handle: ({ facade, query: { name, emailAddress, ...query }, options }) => {
				const { status, ...rest } = query;
				if (name === undefined && emailAddress === undefined) {
					return facade.contacts.list({ ...rest, ...(status && { statuses: status }) }, options);
				}
				const { limit: most, offset: from } = rest;
				const criteria = { ...(name && { name }), ...(emailAddress && { emailAddress }) };
				const page = { limit: most, ...(from === undefined ? {} : { offset: from }) };
				return facade.contacts.find({ ...criteria, ...page, ifSeveral: 'list' }, options);
			},
		}),
		route.post('/Contacts/Find', {
			summary:
				'People by email address, name, or an attribute. Several people are an error unless the call says otherwise.',
			body: contactFindInputSchema,
			result: z.array(foundContactDtoSchema),
			handle: ({ facade, body: input, options }) => facade.contacts.find(input, options),
		}),
		route.get('/Contacts/:address', {
			summary: 'One person, with what the person has shared.',
			parameters,
			result: contactDtoSchema,
			handle: ({ facade, parameters: { address }, options }) =>
				facade.contacts.get(address, options),
		}),
		route.get('/Contacts/:address/History', {
			isAudited: true,
			summary: 'What has happened with a person, newest first.',
			parameters,
			query: z.object({
				kind: textsQuery(z.enum(historyKinds)).optional(),
				after: instant.optional(),
				before: instant.optional(),
				limit,
				position: z.string().max(1_000).optional(),
			}),
			result: z.array(historyEntry),
			handle: ({ facade, parameters: { address }, query: { kind, ...rest }, options }) =>
				facade.contacts.getHistory(address, { ...rest, ...(kind && { kinds: kind }) }, options),
		}),
		route.get('/Contacts/:address/Export', {
			isAudited: true,
			summary:
				'A page of everything that the account has about a person; its position begins the next page.',
			parameters,
			query: z.object({ limit, position: z.string().max(1_000).optional() }),
			result: exportPage,
			handle: ({ facade, parameters: { address }, query, options }) =>
				facade.contacts.export(address, query, options),
		}),
		route.post('/Contacts/:address/Erase', {
			summary:
				'Erases what the account has about a person whose relationship has ended; the receipt lists what remains.',
			parameters,
			body: contactErasureInputSchema,
			result: receipt,
			handle: ({ facade, parameters: { address }, body: input, options }) =>
				facade.contacts.erase(address, input, options),
		}),
	],
};
