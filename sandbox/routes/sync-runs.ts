import {
	BackboneError,
	cannotParse,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import { JsonBody, requireId } from '../http/body';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import { paged } from '../http/paging';
import type { EventRow, RunRow } from '../state/records';
import { requireIdentity } from './identities';
import {
	maxVersion,
	positiveVersion,
	pushModifications,
	readModifications,
	requireDatawallet,
	requireSupported,
	requireVersions,
} from './datawallet';

const defaultDurationSeconds = 10;
const maxDurationSeconds = 65_535;
const maxErrorCodeLength = 100;

/** @see docs/protocol/backbone-api.md 11 */
export const syncRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'syncruns',
		handle: (call, sandbox) => {
			const { state, events } = sandbox;
			const caller = call.caller();
			const { identity } = caller;
			const { type, seconds } = readStart(call);
			const version = positiveVersion(call);
			requireIdentity(identity, sandbox);
			if (identity.status !== 'Active') {
				throw invalid('syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted');
			}
			const isSync = type === 'ExternalEventSync';
			requireSupported(
				version,
				isSync ? requireDatawallet(caller) : (identity.datawalletVersion ?? 0),
			);
			endExpiredRun(sandbox, identity.address);
			const deliverable = isSync ? events.deliverable(identity.address) : [];
			if (isSync && deliverable.length === 0) return ok({ status: 'NoNewEvents', syncRun: null });
			const createdAt = state.timestamp();
			const run: RunRow = {
				id: state.newId('SYR'),
				type,
				owner: identity.address,
				device: caller.device.id,
				expiresAt: Date.parse(createdAt) + seconds * 1_000,
				index: identity.nextRunIndex++,
				createdAt,
				events: deliverable,
				eventCount: deliverable.length,
				finalized: false,
			};
			state.identities.save(identity);
			events.assign(run);
			return created({ status: 'Created', syncRun: shownRun(run) });
		},
	},
	{
		method: 'GET',
		path: 'syncruns/{}',
		handle: (call, sandbox) => ok(shownRun(findRun(call, sandbox, call.caller()))),
	},
	{
		method: 'GET',
		path: 'syncruns/{}/externalevents',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const run = findRun(call, sandbox, caller);
			if (run.finalized) throw invalid('syncRun.syncRunAlreadyFinalized');
			if (run.device !== caller.device.id) {
				throw invalid('syncRun.cannotReadExternalEventsOfASyncRunStartedByAnotherDevice');
			}
			return paged(run.events, call.query, shownEvent);
		},
	},
	{
		method: 'PUT',
		path: 'syncruns/{}/finalizeexternaleventsync',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const succeeded = readSuccesses(call);
			const modifications = readModifications(call, 'datawalletModifications');
			const run = requireFinalizable(call, sandbox, caller, 'ExternalEventSync');
			requireVersions(modifications, requireDatawallet(caller));
			sandbox.events.settle(run, succeeded);
			const pushed = pushModifications(modifications, caller, sandbox);
			const fresh = sandbox.events.deliverable(caller.identity.address);
			return ok({
				...pushed,
				newUnsyncedExternalEventsExist: fresh.some(({ syncErrorCount }) => syncErrorCount === 0),
			});
		},
	},
	{
		method: 'PUT',
		path: 'syncruns/{}/finalizedatawalletversionupgrade',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const version = call.json().integer('newDatawalletVersion', maxVersion);
			if (version < 1) throw invalidProperty('The datawallet version must be at least 1.');
			const modifications = readModifications(call, 'datawalletModifications');
			const run = requireFinalizable(call, sandbox, caller, 'DatawalletVersionUpgrade');
			if (version < (caller.identity.datawalletVersion ?? 0)) {
				throw new BackboneError(
					400,
					'error.platform.datawallet.cannotDowngrade',
					'Cannot downgrade.',
				);
			}
			requireVersions(modifications, version);
			caller.identity.datawalletVersion = version;
			sandbox.state.identities.save(caller.identity);
			sandbox.events.settle(run, new Set());
			return ok(pushModifications(modifications, caller, sandbox));
		},
	},
	{
		method: 'PUT',
		path: 'syncruns/{}/refreshexpirationtime',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const run = findRun(call, sandbox, caller);
			if (run.device !== caller.device.id) {
				throw invalid('syncRun.cannotRefreshExpirationTimeOfSyncRunStartedByAnotherDevice');
			}
			if (run.finalized) throw invalid('syncRun.syncRunAlreadyFinalized');
			run.expiresAt = sandbox.state.now() + defaultDurationSeconds * 1_000;
			sandbox.state.runs.save(run);
			return ok({ expiresAt: new Date(run.expiresAt).toISOString() });
		},
	},
];

function readStart(call: Call): { type: RunRow['type']; seconds: number } {
	const type = call.json().optionalText('type') ?? 'ExternalEventSync';
	if (type !== 'ExternalEventSync' && type !== 'DatawalletVersionUpgrade') {
		throw cannotParse('The type of the sync run is not known.');
	}
	const seconds =
		call.json().optionalInteger('duration', maxDurationSeconds) ?? defaultDurationSeconds;
	if (seconds < 0) throw cannotParse("'duration' is negative.");
	return { type, seconds };
}

/** Ids of successfully processed events. */
function readSuccesses(call: Call): Set<string> {
	const succeeded = new Set<string>();
	for (const item of call.json().array('externalEventResults')) {
		const result = new JsonBody(item);
		const id = requireId('SYI', result.get('externalEventId'));
		const errorCode = result.optionalText('errorCode') ?? '';
		if (errorCode.length > maxErrorCodeLength) {
			throw new BackboneError(400, 'MaximumLengthValidator', "'errorCode' is too long.");
		}
		if (errorCode === '') succeeded.add(id);
	}
	return succeeded;
}

function findRun(call: Call, { state }: Sandbox, caller: Caller): RunRow {
	const run = state.runs.get(requireId('SYR', call.parameters[0]));
	if (run?.owner !== caller.identity.address) throw notFound('SyncRun');
	return run;
}

function requireFinalizable(call: Call, sandbox: Sandbox, caller: Caller, type: string): RunRow {
	const run = findRun(call, sandbox, caller);
	if (run.type !== type) throw invalid('syncRun.unexpectedSyncRunType');
	if (run.device !== caller.device.id) {
		throw invalid('syncRun.cannotFinalizeSyncRunStartedByAnotherDevice');
	}
	if (run.finalized) throw invalid('syncRun.syncRunAlreadyFinalized');
	return run;
}

/** Cancels an expired run when the next one starts; each of its events counts one more failure. */
function endExpiredRun({ state, events }: Sandbox, owner: string): void {
	const open = state.openRun.get(owner);
	if (open === undefined) return;
	if (open.expiresAt > state.now()) {
		throw invalid('syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning');
	}
	events.settle(open, new Set());
}

function shownRun(run: RunRow): object {
	return {
		id: run.id,
		type: run.type,
		expiresAt: new Date(run.expiresAt).toISOString(),
		index: run.index,
		createdAt: run.createdAt,
		createdBy: run.owner,
		createdByDevice: run.device,
		eventCount: run.eventCount,
	};
}

function shownEvent(event: EventRow): object {
	const { id, type, index, createdAt, syncErrorCount, payload } = event;
	return { id, type, index, createdAt, syncErrorCount, payload };
}
