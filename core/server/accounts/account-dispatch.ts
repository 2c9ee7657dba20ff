import type { Hono } from 'hono';
import { decodedOrSame } from '../../base/encoding';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { createApp, type AppDependencies } from '../app';
import { errorAnswer, errorResponse } from '../error-response';
import { addressOf } from '../input/request-address';
import type { ServerEnvironment } from '../server-environment';
import type { ServedOptions, ServerOptions } from '../server-options';
import { accountErrors } from './account-errors';

/** Path of what an account serves, and of nothing that the default account serves about it. */
const servedByAccount = /^\/accounts\/([^/]+)\/(?!(?:Export|Import)\/?$)./i;
/** The name of one account can be written in several ways: letter case, percent encoding. */
const accountPrefix = /^\/accounts\/[^/]+/i;
const retryAfterSeconds = 5;

type Fetch = Hono<ServerEnvironment>['fetch'];

type Create = (facade: GatewayFacade) => Hono<ServerEnvironment>;

/**
 * Answers what stands below `/accounts/{name}` with the routes of that account, which are made when
 * they are first asked for, and everything else with the routes of the default account.
 */
export function dispatchAccounts(options: ServedOptions, shared: AppDependencies): Fetch {
	const { accounts, facade } = options;
	const apps = new WeakMap<GatewayFacade, Fetch>();
	const defaultFacade = typeof facade === 'function' ? facade : () => facade;
	const fetchOf = (of: GatewayFacade | undefined, create: Create): Fetch => {
		if (of === undefined) return notRunning;
		const known = apps.get(of) ?? create(of).fetch;
		apps.set(of, known);
		return known;
	};
	return (request, ...environment) => {
		const named = servedByAccount.exec(addressOf(request.url).path)?.[1];
		const found = named === undefined ? undefined : accounts?.find(decodedOrSame(named));
		// Of an account that does not exist, only clients of the default account are told so.
		const fetch =
			named === undefined || found === undefined
				? fetchOf(defaultFacade(), (of) => createApp({ ...options, facade: of }, shared))
				: fetchOf(found.facade, (of) =>
						createApp(accountOptions(options, found.name, of), shared, accountPrefix),
					);
		return fetch(request, ...environment);
	};
}

/** The same server for another account: with its facade, and without what only the default has. */
function accountOptions(
	{ accounts: _accounts, documentationScript: _script, ...options }: ServedOptions,
	accountName: string,
	facade: GatewayFacade,
): ServerOptions {
	const logger = options.logger.child(accountName);
	return { ...options, facade, accountName, logger, configuration: { account: accountName } };
}

function notRunning(): Response {
	const message = 'This account is not open.';
	const error = accountErrors.create('notRunning', { message, facts: { retryAfterSeconds } });
	return errorResponse(errorAnswer(error));
}
