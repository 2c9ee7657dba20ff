import { account } from './account';
import { announcements } from './announcements';
import { audit } from './extensions/audit';
import { attributes } from './attributes';
import { backboneNotifications } from './backbone-notifications';
import { challenges } from './challenges';
import { contacts } from './extensions/contacts';
import { events } from './extensions/events';
import { waits } from './extensions/waits';
import { webhooks } from './extensions/webhooks';
import { files } from './files';
import { identityDeletion } from './identity-deletion';
import { identityMetadata } from './identity-metadata';
import { incomingRequests } from './incoming-requests';
import { keys } from './keys';
import { messages } from './messages';
import { outgoingRequests } from './outgoing-requests';
import { problems } from './problems';
import { relationships } from './relationships';
import type { RouteGroup } from './route';
import { templates } from './templates';
import { tokens } from './tokens';

/** Table of all routes; the routes of the debug mode are included in it only. */
export function routeGroups(debug: boolean): readonly RouteGroup[] {
	return [
		account,
		announcements,
		attributes,
		audit,
		backboneNotifications,
		challenges,
		contacts,
		events[6],
		files,
		identityMetadata,
		incomingRequests,
		keys,
		outgoingRequests,
		messages,
		problems,
		relationships,
		templates,
		tokens,
		waits,
		webhooks,
		...(debug ? [identityDeletion] : []),
	];
}
