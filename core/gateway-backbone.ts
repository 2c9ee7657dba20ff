import type { Cancellable } from './base/abort';
import type {
	AnnouncementResource,
	AuthenticationResource,
	Backbone,
	ChallengeResource,
	DatawalletResource,
	DeletionProcessResource,
	DeviceCredentials,
	DeviceResource,
	FileResource,
	IdentityResource,
	MessageResource,
	NotificationResource,
	PushResource,
	RelationshipResource,
	SyncRunResource,
	TagResource,
	TemplateResource,
	TokenResource,
	VersionResource,
} from './backbone/backbone';
import { backboneErrors } from './backbone/backbone-errors';
import { isUnprotected } from './base/unprotected';
import type { Logger } from './base/logger';

/**
 * The Backbone of an open gateway, replaceable while services and loops hold on to it: a changed
 * client secret must not need a second gateway (docs/adr/0008).
 */
export class GatewayBackbone implements Backbone {
	private credentials: DeviceCredentials | undefined;

	constructor(private current: Backbone) {}

	get baseUrl(): string {
		return this.current.baseUrl;
	}

	get clockSkewMs(): number | undefined {
		return this.current.clockSkewMs;
	}

	get version(): VersionResource {
		return this.current.version;
	}

	get authentication(): AuthenticationResource {
		const { authentication } = this.current;
		return {
			use: (credentials) => {
				this.credentials = credentials;
				authentication.use(credentials);
			},
			verify: (options) => authentication.verify(options),
			checkClient: (options) => authentication.checkClient(options),
		};
	}

	get identities(): IdentityResource {
		return this.current.identities;
	}

	get deletionProcesses(): DeletionProcessResource {
		return this.current.deletionProcesses;
	}

	get devices(): DeviceResource {
		return this.current.devices;
	}

	get challenges(): ChallengeResource {
		return this.current.challenges;
	}

	get datawallet(): DatawalletResource {
		return this.current.datawallet;
	}

	get syncRuns(): SyncRunResource {
		return this.current.syncRuns;
	}

	get templates(): TemplateResource {
		return this.current.templates;
	}

	get relationships(): RelationshipResource {
		return this.current.relationships;
	}

	get messages(): MessageResource {
		return this.current.messages;
	}

	get files(): FileResource {
		return this.current.files;
	}

	get tokens(): TokenResource {
		return this.current.tokens;
	}

	get tags(): TagResource {
		return this.current.tags;
	}

	get announcements(): AnnouncementResource {
		return this.current.announcements;
	}

	get notifications(): NotificationResource {
		return this.current.notifications;
	}

	get push(): PushResource {
		return this.current.push;
	}

	/**
	 * Resolves when our identity can log in at another address of its Backbone. No secret is sent before
	 * something has answered there as a Backbone does.
	 *
	 * @throws the codes of the version check and of a login
	 */
	async tryLogin(next: Backbone, options: Cancellable): Promise<void> {
		await next.version.get(options);
		next.authentication.use(this.credentials);
		await next.authentication.verify(options);
	}

	/** Calls under way on the former one are aborted and repeated by their callers' own rules. */
	async replace(next: Backbone): Promise<void> {
		const former = this.current;
		next.authentication.use(this.credentials);
		this.current = next;
		await former.close();
	}

	close(): Promise<void> {
		return this.current.close();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}
}

/** Names the connections that others on their way can read, for the log. */
export function warnOfPlainHttp(
	{ baseUrl, pushUrl }: { readonly baseUrl: string; readonly pushUrl?: string | undefined },
	logger: Logger,
): void {
	for (const address of new Set([baseUrl, pushUrl ?? baseUrl])) {
		if (!isUnprotected(address)) continue;
		logger.warn(`the connection to ${new URL(address).origin} is ${unprotected}`);
	}
}

/** What is wrong with plain http, for logs and the credential test. */
export const unprotected =
	'not encrypted (http): passwords and access tokens can be read on the way; use https';

/**
 * Resolves when it is a Backbone we can talk to, and it accepts our client ID and client secret.
 *
 * @throws `error.transport.general.platformClientInvalid`, `error.gateway.backbone.versionNotSupported`,
 * `error.gateway.backbone.notABackbone`, or why the Backbone could not be asked
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
