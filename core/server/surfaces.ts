import type { ConnectorVersion } from './connector-version';
import { routeGroups } from './routes';
import { accountsOf } from './routes/accounts';
import type { Route, RouteGroup } from './routes/route';
import { routeGroupsOfVersion7 } from './routes/version-7';
import { serverErrors } from './server-errors';
import type { ServerOptions } from './server-options';

/** Routes that are served below the same prefixes. */
export interface Surface {
	readonly version: ConnectorVersion;
	readonly prefixes: readonly [string, ...string[]];
	readonly groups: readonly RouteGroup[];
}

/**
 * Interfaces that the server offers. Version 6 has both prefixes (docs/protocol/http-api.md 1,
 * 19.3), unless `/api/core/v1` is served as version 7.
 */
export function surfacesOf({
	debug,
	connectorVersion = 6,
	accounts: host,
}: Pick<ServerOptions, 'debug' | 'connectorVersion' | 'accounts'>): readonly Surface[] {
	const groups = routeGroups(debug);
	const beside: readonly Surface[] =
		host === undefined
			? []
			: [{ version: connectorVersion, prefixes: [''], groups: [accountsOf(host)] }];
	if (connectorVersion === 6) {
		return [{ version: 6, prefixes: ['/api/v2', '/api/core/v1'], groups }, ...beside];
	}
	return [
		{ version: 7, prefixes: ['/api/core/v1'], groups: routeGroupsOfVersion7(debug) },
		{ version: 6, prefixes: ['/api/v2'], groups: groups.map(withoutAttributes) },
		...beside,
	];
}

/**
 * Refuses the routes that show attributes: the account of version 7 has one id for all copies of an
 * attribute, which version 6 shows one by one (docs/adr/0043).
 */
const withoutAttributes = (group: RouteGroup): RouteGroup => ({
	...group,
	routes: group.routes.map((route) =>
		group.name === 'Attributes' || route.path.endsWith('/Attributes') ? refused(route) : route,
	),
});

function refused({ pages: _pages, ...route }: Route): Route {
	const handle = (): Promise<never> =>
		Promise.reject(
			serverErrors.create('servedAsVersion7', {
				message:
					'This account is served as version 7: its attributes have one id, here and at all peers, and version 6 has one for each copy.',
			}),
		);
	return { ...route, handle };
}
