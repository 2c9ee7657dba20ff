import { ok, type Route } from '../http/context';

/** @see docs/protocol/backbone-api.md 5, 18.4 */
export const generalRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: 'version',
		isAnonymous: true,
		handle: (_call, { settings }) => ok({ majorVersion: String(settings.majorVersion) }),
	},
	{
		method: 'GET',
		path: 'quotas',
		handle: (call, { quotas }) => ok(quotas.shownTo(call.caller().identity)),
	},
];
