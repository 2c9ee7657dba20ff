import { sendIntentRetention } from '../domain/message/sending/send-intent-retention';
import { settleCreation } from '../domain/relationship/creation-intents';
import { RelationshipSettlement } from '../domain/relationship/relationship-settlement';
import { noticeExpired } from '../domain/request/request-expiry';
import { consumerRetention, eventIndexing, eventRetention } from '../events/event-retention';
import { Housekeeping } from '../sync/housekeeping';
import { inboxRetention } from '../sync/inbox-retention';
import { RetentionClock } from '../sync/retention-clock';
import { Reconciliation } from '../sync/reconciliation/reconciliation';
import { settle, type Attempt, type SettleDependencies } from '../sync/settle';
import { PushFollower } from '../sync/push/push-follower';
import type { SyncDemand } from '../sync/sync-demand';
import { SyncEngine } from '../sync/sync-engine';
import { SyncLoop } from '../sync/sync-loop';
import { judgeSync } from '../sync/sync-result';
import type { DomainServices } from './domain-services';
import type { ServiceDependencies } from './service-dependencies';

/** Services that keep the account in sync with the Backbone; closed before Backbone and store. */
export function openSync(parts: ServiceDependencies, services: DomainServices, demand: SyncDemand) {
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
	const push = new PushFollower({ ...shared, wake: demand.request.bind(demand) });
	const engine = new SyncEngine({
		...{ ...shared, push, demand, services },
		observe: (sync) => parts.instruments.observe({ kind: 'sync' }, sync, judgeSync),
		leaseMs: timings.syncLeaseMs,
		lookAtStore: backupGuard.checkIfPossible.bind(backupGuard),
		settle: settle.bind(undefined, settlement),
		reconcile: reconciliation.run.bind(reconciliation),
		followUp: automaticDecisions.settle.bind(automaticDecisions),
		afterSync: housekeeping.start.bind(housekeeping),
	});
	const loop = new SyncLoop({
		...{ clock, random, logger, demand, push },
		sync: engine.run.bind(engine),
		nextDueAt: engine.nextDueAt.bind(engine),
		endAsking: engine.endAsking.bind(engine),
		maintain: (options) => noticeExpired({ store, clock }, options),
	});
	closing.add('sync', async () => {
		stop.abort();
		await loop.close();
		await engine.close();
		await housekeeping.close();
	});
	return { engine, loop, push };
}

function openHousekeeping(
	parts: ServiceDependencies,
	{ templates, idempotency }: DomainServices,
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
			idempotency.retention(retentionClock),
		],
	});
}

/** How syncs try the work of each kind; automatic decisions and sends have passes of their own. */
function settlementOf(
	{ store, backbone, clock, logger }: ServiceDependencies,
	services: DomainServices,
): SettleDependencies {
	const { relationships, sendSettlement, preparedMessages, changes, ledger } = services;
	const { identityDeletion, tokens, templates, fileOwnership } = services;
	const settlement = new RelationshipSettlement(relationships.dependencies, relationships);
	const file: Attempt = async (work, options) => {
		await changes.settle(work, () => fileOwnership.settle(work, options));
		return [{ fileId: work.id }];
	};
	const relationship: Attempt = async (work, options) => {
		const hasChanged = await settlement.settle(work, options);
		return hasChanged ? [{ relationshipId: work.id }] : [];
	};
	return {
		...{ ledger, store, backbone, clock, sendSettlement, preparedMessages },
		logger: logger.child('sync'),
		attempts: {
			claimFile: file,
			regenerateFileToken: file,
			deleteFile: file,
			deleteToken: async (work, options) => {
				await changes.settle(work, (id) => tokens.deleteOwn(id, options));
				return [];
			},
			deleteTemplate: async (work, options) => {
				await changes.settle(work, (id) => templates.deleteOwn(id, options));
				return [];
			},
			acceptRelationship: relationship,
			rejectRelationship: relationship,
			revokeRelationship: relationship,
			terminateRelationship: relationship,
			requestReactivationRelationship: relationship,
			acceptReactivationRelationship: relationship,
			rejectReactivationRelationship: relationship,
			revokeReactivationRelationship: relationship,
			decomposeRelationship: relationship,
			createRelationship: async ({ id }, options) => {
				await settleCreation(id, relationships.dependencies, options);
				return [];
			},
			deleteIdentity: async (_work, options) => {
				const changed = await identityDeletion.refresh(options);
				return changed.map((deletionProcessId) => ({ deletionProcessId }));
			},
		},
	};
}
