import type { Cancellable } from '../base/abort';
import { backboneErrors } from '../backbone/backbone-errors';
import type {
	AuthenticationResource,
	Backbone,
	DeviceCredentials,
} from '../backbone/port/backbone';
import type { Logger } from '../base/logger';
import { isUnprotected } from '../base/unprotected';

/** Backbone whose implementation can be replaced. */
export interface ReplaceableBackbone extends Backbone {
	/**
	 * Resolves if this identity can log in at another address of its Backbone. Sends no secret before
	 * the server there has answered like a Backbone.
	 *
	 * @throws the codes of the version check and of a login
	 */
	tryLogin(next: Backbone, options: Cancellable): Promise<void>;
	/**
	 * Replaces the current Backbone and aborts its running calls; callers repeat them by their own
	 * rules.
	 */
	replace(next: Backbone): Promise<void>;
}

/**
 * Backbone of an open gateway, replaceable while services and loops hold it: a changed client
 * secret must not require a second gateway (docs/adr/0008). Every member except the login is read
 * from the current Backbone on each use.
 */
export function replaceable(first: Backbone): ReplaceableBackbone {
	let current = first;
	let credentials: DeviceCredentials | undefined;
	const own = {
		get authentication(): AuthenticationResource {
			const { authentication } = current;
			return {
				use: (given) => {
					credentials = given;
					authentication.use(given);
				},
				verify: (options) => authentication.verify(options),
				checkClient: (options) => authentication.checkClient(options),
			};
		},
		tryLogin: async (next: Backbone, options: Cancellable): Promise<void> => {
			await next.version.get(options);
			next.authentication.use(credentials);
			await next.authentication.verify(options);
		},
		replace: async (next: Backbone): Promise<void> => {
			const former = current;
			next.authentication.use(credentials);
			current = next;
			await former.close();
		},
		close: () => current.close(),
		[Symbol.asyncDispose]: () => current.close(),
	};
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the proxy reads the other members from the current Backbone
	return new Proxy(own as ReplaceableBackbone, {
		get: (target, name): unknown => Reflect.get(name in target ? target : current, name),
	});
}

/** Logs which connections others can read because they are not encrypted. */
export function warnOfPlainHttp(
	{ baseUrl, pushUrl }: { readonly baseUrl: string; readonly pushUrl?: string | undefined },
	logger: Logger,
): void {
	for (const address of new Set([baseUrl, pushUrl ?? baseUrl])) {
		if (!isUnprotected(address)) continue;
		logger.warn(`the connection to ${new URL(address).origin} is ${unprotected}`);
	}
}

/** Warning about plain http, for logs and the credential test. */
export const unprotected =
	'not encrypted (http): passwords and access tokens can be read on the way; use https';

/**
 * Resolves if the server is a supported Backbone and accepts client ID and client secret.
 *
 * @throws `error.transport.general.platformClientInvalid`,
 * `error.gateway.backbone.versionNotSupported`, `error.gateway.backbone.notABackbone`, or
 * the error of a failed call
 */
export async function requireAcceptedClient(
	backbone: Backbone,
	options: Cancellable,
): Promise<void> {
	await backbone.version.get(options);
	const check = await backbone.authentication.checkClient(options);
	if (check.verdict === 'clientAccepted') return;
	if (check.verdict !== 'clientRefused') throw check.error;
	throw backboneErrors.create('clientInvalid', {
		message: 'The Backbone refuses client ID or client secret.',
		cause: check.error,
	});
}
