import { throwIfAborted, type Cancellable } from './base/abort';
import { systemClock, type Clock } from './base/clock';
import { CloseStack } from './base/close-stack';
import { silentLogger, type Logger } from './base/logger';
import { systemRandom, type Random } from './base/random';
import { usualTimings, type Timings } from './base/timings';
import type { Backbone } from './backbone/backbone';
import { HttpBackbone } from './backbone/http-backbone';
import { identityErrors } from './domain/identity/identity-errors';
import { IdentityService } from './domain/identity/identity-service';
import { requireOwnBackbone } from './domain/identity/own-backbone';
import { EventConsumers } from './events/consumers';
import type {
	AccountUseCases,
	AnnouncementUseCases,
	AttributeUseCases,
	DraftUseCases,
	IdentityMetadataUseCases,
	LocalNotificationUseCases,
	SettingUseCases,
	ChallengeUseCases,
	EventUseCases,
	FileUseCases,
	GatewayFacade,
	IdentityDeletionUseCases,
	IncomingRequestUseCases,
	MessageUseCases,
	NotificationUseCases,
	OutgoingRequestUseCases,
	ProblemUseCases,
	RelationshipUseCases,
	TagUseCases,
	TemplateUseCases,
	TokenUseCases,
} from './facade';
import { parseGatewayConfig, type GatewayConfig, type GatewayConfigInput } from './gateway-config';
import { GatewayBackbone, requireAcceptedClient, warnOfPlainHttp } from './gateway-backbone';
import {
	attributeUseCases,
	draftUseCases,
	localNotificationUseCases,
	settingUseCases,
} from './gateway-attributes';
import { openServices, type GatewayServices } from './gateway-services';
import {
	accountUseCases,
	eventUseCases,
	fileUseCases,
	incomingRequestUseCases,
	messageUseCases,
	outgoingRequestUseCases,
	relationshipUseCases,
	tagUseCases,
	templateUseCases,
	tokenUseCases,
} from './gateway-use-cases';
import { addressHostname } from './model/address';
import {
	accountHome,
	openStore,
	type AccountStore,
	type ProofOptions,
	type StoreDependencies,
} from './store/open-store';
import { warnOfOldSqlite } from './store/sqlite/sqlite-version';

export interface GatewayDependencies {
	readonly logger?: Logger;
	readonly clock?: Clock;
	readonly random?: Random;
	readonly timings?: Timings;
	/** another transport than HTTP */
	readonly openBackbone?: (config: GatewayConfig['backbone'], logger: Logger) => Backbone;
}

export interface ReconfigureOptions extends Cancellable {
	readonly logger?: Logger;
}

/**
 * One identity, open: the composition root. Everything is wired here by constructor and closed here
 * in reverse order.
 */
export class Gateway implements GatewayFacade {
	readonly attributes: AttributeUseCases;

	readonly localNotifications: LocalNotificationUseCases;

	readonly identityMetadata: IdentityMetadataUseCases;

	readonly settings: SettingUseCases;

	readonly drafts: DraftUseCases;

	readonly outgoingRequests: OutgoingRequestUseCases;

	readonly incomingRequests: IncomingRequestUseCases;

	readonly templates: TemplateUseCases;

	readonly messages: MessageUseCases;

	readonly files: FileUseCases;

	readonly tokens: TokenUseCases;

	readonly account: AccountUseCases;

	readonly identityDeletion: IdentityDeletionUseCases;

	readonly relationships: RelationshipUseCases;

	readonly challenges: ChallengeUseCases;

	readonly announcements: AnnouncementUseCases;

	readonly backboneNotifications: NotificationUseCases;

	readonly tags: TagUseCases;

	readonly events: EventUseCases;

	readonly problems: ProblemUseCases;

	private constructor(
		private readonly parts: GatewayParts,
		services: GatewayServices,
	) {
		this.attributes = attributeUseCases(services);
		this.localNotifications = localNotificationUseCases(services);
		this.identityMetadata = services.identityMetadata;
		this.settings = settingUseCases(services);
		this.drafts = draftUseCases(services);
		this.outgoingRequests = outgoingRequestUseCases(services);
		this.incomingRequests = incomingRequestUseCases(services);
		this.templates = templateUseCases(services);
		this.messages = messageUseCases(services);
		this.account = accountUseCases(parts, services);
		this.identityDeletion = services.identityDeletion;
		this.challenges = services.challenges;
		this.announcements = services.announcements;
		this.backboneNotifications = services.notifications;
		this.tags = tagUseCases(services);
		this.relationships = relationshipUseCases(services);
		this.files = fileUseCases(services);
		this.tokens = tokenUseCases(services);
		this.events = eventUseCases(parts, services);
		this.problems = services.problems;
	}

	/**
	 * Opens the account's store, creates its identity on first use, and offers the use cases. Needs
	 * the Backbone only when there is no identity yet, or for a changed client secret.
	 *
	 * Where no identity may be created, a place without an account is left as it is.
	 *
	 * @throws `error.gateway.configuration.invalid`, the codes of `openStore`, of
	 * `requireAcceptedClient` and of `IdentityService.open`
	 */
	static async open(
		input: GatewayConfigInput,
		dependencies: GatewayDependencies = {},
		options: Cancellable = {},
	): Promise<Gateway> {
		const config = parseGatewayConfig(input);
		const logger = dependencies.logger ?? silentLogger;
		const clock = dependencies.clock ?? systemClock;
		const random = dependencies.random ?? systemRandom;
		const timings = dependencies.timings ?? usualTimings;
		const openBackbone =
			dependencies.openBackbone ??
			((backbone, log) => HttpBackbone.open({ ...backbone, clock, random, logger: log }));
		const closing = new CloseStack(logger);
		if (config.store.kind === 'sqlite') warnOfOldSqlite(logger);
		try {
			// First: settings that cannot work at all must not leave an account behind.
			const backbone = new GatewayBackbone(openBackbone(config.backbone, logger));
			warnOfPlainHttp(config.backbone, logger);
			const approveClientSecret = (): Promise<void> => requireAcceptedClient(backbone, options);
			const store = await openAccount(
				config,
				{ clock, random, timings },
				{ approveClientSecret },
			).catch(async (error: unknown) => {
				await backbone.close();
				throw error;
			});
			closing.add('store', () => store.close());
			closing.add('backbone', () => backbone.close());
			throwIfAborted(options);
			const identity = new IdentityService({
				store,
				backbone,
				clock,
				random,
				logger: logger.child('identity'),
				addressHostname: addressHostname(backbone.baseUrl, config.backbone.addressHostname),
				allowPlainHttp: config.backbone.allowPlainHttp,
				allowCreation: config.allowIdentityCreation,
			});
			const account = await identity.open(options);
			const consumers = new EventConsumers(store, clock);
			closing.add('consumers', () => consumers.close());
			const stop = new AbortController();
			const parts: GatewayParts = {
				config,
				store,
				backbone,
				account,
				clock,
				random,
				timings,
				logger,
				consumers,
				closing,
				stop,
				openBackbone,
			};
			return new Gateway(parts, openServices(parts));
		} catch (error) {
			await closing.close();
			throw error;
		}
	}

	/**
	 * Takes over a changed configuration of the same account after it has proven itself; running
	 * triggers and their connections go on with it. Another address has to be the same Backbone.
	 *
	 * @throws `error.gateway.store.wrongPassphrase`, `error.gateway.store.wrongClientSecret` and the other
	 * codes of the account's proof, `error.gateway.identity.belongsToAnotherBackbone`,
	 * `error.gateway.backbone.downgraded`, and what the Backbone refuses a login with
	 */
	async reconfigure(input: GatewayConfigInput, options: ReconfigureOptions = {}): Promise<void> {
		const config = parseGatewayConfig(input);
		const { account, store, backbone, openBackbone, logger } = this.parts;
		const next = openBackbone(config.backbone, logger);
		try {
			const { baseUrl } = next;
			const { allowPlainHttp } = config.backbone;
			requireOwnBackbone(account.backboneBaseUrl, { baseUrl, allowPlainHttp });
			await store.prove(config, {
				approveClientSecret: () => requireAcceptedClient(next, options),
			});
			throwIfAborted(options);
			if (baseUrl !== backbone.baseUrl) await backbone.tryLogin(next, options);
		} catch (error) {
			await next.close();
			throw error;
		}
		warnOfPlainHttp(config.backbone, logger);
		await backbone.replace(next);
	}

	/** Stops loops and consumers, then Backbone and store. May be called twice. */
	async close(): Promise<void> {
		this.parts.stop.abort();
		await this.parts.closing.close();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}
}

/**
 * A place that is not meant to become an account is looked at first: a store that is opened is there
 * from then on.
 *
 * @throws `error.transport.general.noIdentityFound`, and the codes of `openStore`
 */
async function openAccount(
	config: GatewayConfig,
	deps: StoreDependencies,
	options: ProofOptions,
): Promise<AccountStore> {
	if (!config.allowIdentityCreation) {
		const home = accountHome(config, deps);
		if ((await home.look()) === undefined) {
			throw identityErrors.create('noIdentityFound', {
				message: `There is no account in ${home.name}, and creating one is not allowed.`,
			});
		}
	}
	return await openStore(config, deps, options);
}

/** What the use cases are made of. */
export interface GatewayParts {
	readonly config: GatewayConfig;
	readonly store: AccountStore;
	readonly backbone: GatewayBackbone;
	readonly account: Awaited<ReturnType<IdentityService['open']>>;
	readonly clock: Clock;
	readonly random: Random;
	readonly timings: Timings;
	readonly logger: Logger;
	readonly consumers: EventConsumers;
	readonly closing: CloseStack;
	/** aborts everything that runs in the background */
	readonly stop: AbortController;
	readonly openBackbone: (config: GatewayConfig['backbone'], logger: Logger) => Backbone;
}
