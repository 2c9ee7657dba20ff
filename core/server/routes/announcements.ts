import * as z from 'zod';
import { languages } from '../../model/language';
import { announcementDtoSchema } from '../../model/record/announcement';
import { route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.2 */
export const announcements: RouteGroup = {
	name: 'Announcements',
	roles: ['admin', 'core:*', 'core:announcements'],
	routes: [
		route.get('/Announcements', {
			summary: 'Announcements of the operator of the Backbone.',
			query: z.object({ language: z.enum([...languages]) }),
			result: z.array(announcementDtoSchema),
			handle: ({ facade, query, options }) =>
				facade.announcements.list({ language: query.language }, options),
		}),
	],
};
