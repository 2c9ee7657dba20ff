import { sendIntentRetention } from '../domain/message/sending/send-intent-retention';
import type { ObjectIntent } from '../model/record/object-intent';
import { RelationshipSettlement } from '../domain/relationship/relationship-settlement';
import { noticeExpired } from '../domain/request/request-expiry';
import { consumerRetention, eventIndexing, eventRetention } from '../events/event-retention';
import { Housekeeping } from '../sync/housekeeping';
import { inboxRetention } from '../sync/inbox-retention';
import { RetentionClock } from '../sync/retention-clock';
import { Reconciliation } from '../sync/reconciliation/reconciliation';
import { settle, type SettleDependencies } from '../sync/settle';
import { SyncEngine } from '../sync/sync-engine';
import { SyncLoop } from '../sync/sync-loop';
import type { Cancellable } from '../base/abort';
import type { DomainServices } from './domain-services';
import type { ServiceDependencies } from './service-dependencies';

/** Services that keep the account in sync with the Backbone; closed before Backbone and store. */
export function openSync(parts: ServiceDependencies, services: DomainServices) {
	const { store, backbone, clock, random, timings, closing, stop } = parts;
	const { identityDeletion, automaticDecisions, backupGuard } = services;
	const logger = parts.logger.child('sync');
	const shared = { store, backbone, clock, random, logger };
	const reconciliation = new Reconciliation({
		...shared,
		refreshDeletion: (options) => identityDeletion.refresh(options),
	});
	const housekeeping = openHousekeeping(parts, services);
	const settlement = settlementOf(parts, services);
	const engine = new SyncEngine({
		...shared,
		leaseMs: timings.syncLeaseMs,
		services,
		lookAtStore: (options) => backupGuard.checkIfPossible(options),
		settle: (options) => settle(settlement, options),
		reconcile: (options) => reconciliation.run(options),
		followUp: (options) => automaticDecisions.settle(options),
		afterSync: () => housekeeping.start(),
		// Engine and loop need each other: these callbacks run only after the loop is built.
		eventsFound: (createdAt) => loop.push.eventsFound(createdAt),
		isFollowed: (): boolean => loop.isFollowed,
	});
	const loop = new SyncLoop({
		...shared,
		sync: async (options) => (await engine.run(options)) !== undefined,
		nextDueAt: (options) => engine.nextDueAt(options),
		endAsking: (): Promise<void> => engine.endAsking(),
		maintain: (options) => noticeExpired({ store, clock }, options),
	});
	closing.add('sync', async () => {
		stop.abort();
		await loop.close();
		await engine.close();
		await housekeeping.close();
	});
	return { engine, loop };
}

function openHousekeeping(
	parts: ServiceDependencies,
	{ templates, relationshipCreation }: DomainServices,
): Housekeeping {
	const { store, backbone, clock, config } = parts;
	const { eventRetentionDays } = config;
	const logger = parts.logger.child('housekeeping');
	const retentionClock = new RetentionClock({ clock, backbone, logger });
	return new Housekeeping({
		clock,
		logger,
		beginPass: () => retentionClock.beginPass(),
		slices: [
			eventRetention(store, retentionClock, eventRetentionDays),
			eventIndexing(store),
			consumerRetention(store, retentionClock),
			inboxRetention(store, retentionClock),
			sendIntentRetention(store, retentionClock, 'sent', eventRetentionDays),
			sendIntentRetention(store, retentionClock, 'failed', eventRetentionDays),
			templates.retention(retentionClock),
		],
		afterwards: (options) => relationshipCreation.endLost(options),
	});
}

/** Actions that complete interrupted operations of each service. */
function settlementOf(
	{ store, backbone, clock, logger }: ServiceDependencies,
	services: DomainServices,
): SettleDependencies {
	const { relationships, relationshipActions, messages, changes } = services;
	const { identityDeletion, tokens, templates, fileOwnership } = services;
	const settleObject = (intent: ObjectIntent, options: Cancellable): Promise<void> => {
		const { id, action } = intent;
		if (action === 'deleteToken') return tokens.deleteOwn(id, options);
		if (action === 'deleteTemplate') return templates.deleteOwn(id, options);
		return fileOwnership.settle(intent, options);
	};
	return {
		store,
		backbone,
		clock,
		logger: logger.child('sync'),
		relationships: new RelationshipSettlement(
			relationships.dependencies,
			relationships,
			relationshipActions,
		),
		messages,
		settleDeletion: (options) => identityDeletion.settle(options),
		settleObjects: (attempts, options) =>
			changes.settle((intent) => settleObject(intent, options), attempts, options),
	};
}
