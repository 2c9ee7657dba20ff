import { setImmediate } from 'node:timers/promises';
import { isAbort, waitOrAbort, throwIfAborted, type Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { backboneErrors } from '../backbone/backbone-errors';
import { writePublicKeyDto } from '../crypto/json-forms';
import { pauseOf } from '../domain/identity/deletion-refusal';
import type { AccountUseCases, SyncOutcome } from '../facade/account';
import type { SyncStatusDto } from '../model/record/sync';
import { orderReconciliation } from '../sync/reconciliation/order-reconciliation';
import type { SyncReport } from '../sync/sync-result';
import type { ServiceDependencies } from './service-dependencies';
import type { GatewayServices } from './services';

/** Use cases of the account as a whole, which need several services. */
export function accountUseCases(
	parts: ServiceDependencies,
	services: GatewayServices,
): AccountUseCases {
	const { account, backbone, store, stop } = parts;
	/** All callers that join a run share it: a caller that aborts only stops waiting. */
	const syncNow = async (options: Cancellable): Promise<SyncReport | undefined> => {
		try {
			return await waitOrAbort(services.engine.run({ signal: stop.signal }), options);
		} catch (error) {
			if (!stop.signal.aborted || !isAbort(error, stop.signal)) throw error;
			throwIfAborted(options);
			throw backboneErrors.create('closed', { message: 'The gateway was closed during a sync.' });
		}
	};
	return {
		getIdentity: (options = {}) => {
			throwIfAborted(options);
			return Promise.resolve({
				address: account.address,
				publicKey: writePublicKeyDto(account.identityKeys.publicKey),
			});
		},
		sync: async (options = {}) => {
			const report = await syncNow(options);
			return await describe(report ?? { touched: [], failures: [] }, services);
		},
		getSyncStatus: (options = {}) => syncStatus(parts, services, options),
		reconcile: (input, options = {}) =>
			orderReconciliation(store, () => syncNow(options), input, options),
		checkConnection: async (options = {}) => {
			const version = await backbone.version.get(options);
			await backbone.authentication.verify(options);
			return {
				backboneVersion: version.majorVersion,
				authenticated: true,
				clockSkewMs: backbone.clockSkewMs ?? 0,
			};
		},
		loadItemFromReference: (input, options) => services.itemLoader.load(input, options),
		checkIfDeleted: (options) => services.identityDeletion.checkIfDeleted(options),
	};
}

async function describe(report: SyncReport, services: GatewayServices): Promise<SyncOutcome> {
	const idsOf = (member: keyof SyncReport['touched'][number]): ReadonlySet<string> =>
		new Set(report.touched.flatMap((changed) => changed[member] ?? []));
	return {
		relationships: await recordsOf(idsOf('relationshipId'), services.relationships),
		messages: await recordsOf(idsOf('messageId'), services.messages),
		files: await recordsOf(idsOf('fileId'), services.files),
		identityDeletionProcesses: await recordsOf(
			idsOf('deletionProcessId'),
			services.identityDeletion,
		),
		pendingFailures: [...report.failures],
	};
}

/** records that are read together; a sync may have brought a hundred thousand */
const recordsTogether = 500;

/** Skips the store if no ids are given, because most syncs find nothing. */
async function recordsOf<Dto>(
	ids: ReadonlySet<string>,
	service: { getMany(ids: readonly string[]): Promise<Dto[]> },
): Promise<Dto[]> {
	const all = [...ids];
	const records: Dto[] = [];
	for (let start = 0; start < all.length; start += recordsTogether) {
		if (start > 0) await setImmediate();
		const some = await service.getMany(all.slice(start, start + recordsTogether));
		for (const record of some) records.push(record);
	}
	return records;
}

async function syncStatus(
	{ store, consumers }: ServiceDependencies,
	services: GatewayServices,
	options: Cancellable,
): Promise<SyncStatusDto> {
	const stored = await store.read(async (tx) => {
		const parked = await tx.inbox.list({
			where: [{ field: 'state', op: 'eq', value: 'parked' }],
			limit: 100,
		});
		return {
			state: (await tx.syncState.get('sync'))?.record,
			pending: await tx.inbox.count({ where: [{ field: 'state', op: 'eq', value: 'pending' }] }),
			parked: parked.map(({ record }) => record),
			push: await services.push.status(tx),
			consumers: await consumers.status(tx),
			problemCounts: await services.problems.countIn(tx),
		};
	}, options);
	const ending = await services.identityDeletion.ending(options);
	const own = services.engine.lastCompletedAt;
	const reconciled = stored.state?.reconciliation?.last;
	const completedAt = own === undefined ? stored.state?.lastCompletedAt : isoInstant(own);
	return {
		...(completedAt === undefined ? {} : { lastSyncRun: { completedAt } }),
		...(reconciled === undefined
			? {}
			: { lastReconciliation: { completedAt: reconciled.completedAt } }),
		pendingEvents: stored.pending,
		parkedEvents: stored.parked.map((event) => ({
			eventId: event.id,
			type: event.type,
			code: event.lastFailure?.code ?? '',
			message: event.lastFailure?.message ?? '',
		})),
		...(services.loop.lastFailure === undefined ? {} : { lastFailure: services.loop.lastFailure }),
		...(ending === undefined ? {} : { paused: pauseOf(ending) }),
		pushConnected: services.push.isConnected,
		push: stored.push,
		unresolvedSends: stored.problemCounts.sending,
		consumers: stored.consumers,
		problemCounts: stored.problemCounts,
	};
}
