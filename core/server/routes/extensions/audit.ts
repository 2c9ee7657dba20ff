import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { GatewayFacade } from '../../../facade/gateway-facade';
import {
	auditEntryDtoSchema,
	auditPageDtoSchema,
	auditVerificationDtoSchema,
	type AuditEntryDto,
} from '../../../model/record/http/audit';
import { instant } from '../inputs';
import { route, type CallOptions, type RouteGroup } from '../route';
import { countQuery } from './queries';

const number = z
	.string()
	.regex(/^\d{1,15}$/, 'must be the number of a row')
	.transform(Number);
const text = z.string().max(200);
const filter = {
	after: number.optional(),
	actor: text.optional(),
	route: text.optional(),
	object: z.string().max(400).optional(),
	from: instant.optional(),
	to: instant.optional(),
};
const rowsPerPage = 500;

/** Routes for the audit; an extension of this gateway (docs/adr/0051). */
export const audit: RouteGroup = {
	name: 'Audit',
	roles: ['admin'],
	record: 'Row',
	routes: [
		route.get('/Audit', {
			summary: 'Who did what, oldest first; the position of a page begins the next one.',
			query: z.object({ ...filter, limit: countQuery(1_000).optional() }),
			result: auditPageDtoSchema,
			handle: ({ facade, query, options }) => facade.audit.page(query, options),
		}),
		route.list('/Audit/Export', {
			isAudited: true,
			summary: 'All rows that fit, oldest first.',
			query: z.object(filter),
			result: z.array(auditEntryDtoSchema),
			pages: ({ facade, query, options }) => pagesOf(facade, query, options),
		}),
		route.get('/Audit/Verification', {
			summary: 'Looks for changed, removed and reordered rows, and compares with an earlier head.',
			query: z.object({ head: text.optional() }),
			result: auditVerificationDtoSchema,
			handle: ({ facade, query, options }) => facade.audit.verify(query, options),
		}),
	],
};

/** Pages up to the row that is the newest one when the export begins. */
async function* pagesOf(
	facade: GatewayFacade,
	{ after, ...query }: z.output<z.ZodObject<typeof filter>>,
	options: CallOptions,
): AsyncGenerator<AuditEntryDto[], void> {
	const end = (await facade.audit.head(options))?.number ?? 0;
	let position = after ?? 0;
	while (position < end) {
		const page = await facade.audit.page(
			{ ...query, after: position, limit: rowsPerPage },
			options,
		);
		const entries = page.entries.filter((entry) => entry.number <= end);
		if (entries.length > 0) yield entries;
		if (!page.hasMore) return;
		({ position } = page);
		await setImmediate();
	}
}
