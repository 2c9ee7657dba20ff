import { BackboneError, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { JsonBody, requireId } from '../http/body';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import { paged } from '../http/paging';
import type { DatawalletModification, EventRow, RunRow } from '../state/records';

const defaultDurationSeconds = 10;

/** docs/protocol/backbone-api.md 10, 11 */
export const syncRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'syncruns',
		handle: (call, sandbox) => {
			const { state, events } = sandbox;
			const caller = call.caller();
			const { identity, device } = caller;
			const type = call.json().optionalText('type') ?? 'ExternalEventSync';
			const version = supportedVersion(call);
			if (version === 0) throw invalidProperty('The supported datawallet version is missing.');
			if (identity.status !== 'Active') {
				throw invalid('syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted');
			}
			if (type === 'ExternalEventSync' && identity.datawalletVersion === undefined) {
				throw notFound('Datawallet');
			}
			requireSupported(version, identity.datawalletVersion);
			endExpiredRun(sandbox, identity.address);
			const deliverable = type === 'ExternalEventSync' ? events.deliverable(identity.address) : [];
			if (type === 'ExternalEventSync' && deliverable.length === 0) {
				return ok({ status: 'NoNewEvents', syncRun: null });
			}
			const seconds = call.json().optionalInteger('duration') ?? defaultDurationSeconds;
			const run: RunRow = {
				id: state.newId('SYR'),
				type,
				owner: identity.address,
				device: device.id,
				expiresAt: state.now() + seconds * 1_000,
				index: identity.nextRunIndex++,
				createdAt: state.timestamp(),
				events: deliverable,
				finalized: false,
			};
			for (const event of deliverable) event.runId = run.id;
			state.runs.set(run.id, run);
			state.openRun.set(identity.address, run);
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
			const run = requireFinalizable(call, sandbox, caller, 'ExternalEventSync');
			if (caller.identity.datawalletVersion === undefined) throw notFound('Datawallet');
			const succeeded = new Set<string>();
			for (const item of call.json().array('externalEventResults')) {
				const result = new JsonBody(item);
				const id = requireId('SYI', result.get('externalEventId'));
				if (!result.optionalText('errorCode')) succeeded.add(id);
			}
			sandbox.events.settle(run, succeeded);
			const pushed = pushModifications(call, sandbox, caller, 'datawalletModifications');
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
			const run = requireFinalizable(call, sandbox, caller, 'DatawalletVersionUpgrade');
			const version = call.json().optionalInteger('newDatawalletVersion') ?? 0;
			if (version < 1) throw invalidProperty('The datawallet version must be at least 1.');
			if (version < (caller.identity.datawalletVersion ?? 0)) {
				throw new BackboneError(
					400,
					'error.platform.datawallet.cannotDowngrade',
					'Cannot downgrade.',
				);
			}
			caller.identity.datawalletVersion = version;
			sandbox.events.settle(run, new Set());
			return ok(pushModifications(call, sandbox, caller, 'datawalletModifications'));
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
			return ok({ expiresAt: new Date(run.expiresAt).toISOString() });
		},
	},
	{
		method: 'GET',
		path: 'datawallet',
		handle: (call) => {
			const { datawalletVersion } = call.caller().identity;
			if (datawalletVersion === undefined) throw notFound('Datawallet');
			return ok({ version: datawalletVersion });
		},
	},
	{
		method: 'GET',
		path: 'datawallet/modifications',
		handle: (call) => {
			const { identity } = call.caller();
			if (identity.datawalletVersion === undefined) throw notFound('Datawallet');
			requireSupported(supportedVersion(call), identity.datawalletVersion);
			const after = Number(call.query.get('localindex') ?? -1);
			const newest = new Map<string, DatawalletModification>();
			for (const item of identity.datawallet.slice(after + 1)) {
				const key = JSON.stringify([
					item['objectIdentifier'],
					item['type'],
					item['payloadCategory'],
				]);
				newest.delete(key);
				newest.set(key, item);
			}
			return paged([...newest.values()], call.query, (item) => item);
		},
	},
	{
		method: 'POST',
		path: 'datawallet/modifications',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const { identity } = caller;
			const version = supportedVersion(call);
			if (version === 0) throw invalidProperty('The supported datawallet version is missing.');
			if (sandbox.state.openRun.has(identity.address)) {
				throw invalid('datawallet.cannotPushDatawalletModificationsDuringActiveSyncRun');
			}
			if (identity.datawalletVersion === undefined) throw notFound('Datawallet');
			requireSupported(version, identity.datawalletVersion);
			const localIndex = call.json().optionalInteger('localIndex');
			const last = identity.datawallet.length - 1;
			if (last >= 0 && localIndex !== last) throw invalid('datawallet.datawalletNotUpToDate');
			const pushed = pushModifications(call, sandbox, caller, 'modifications');
			return created({
				newIndex: pushed.newDatawalletModificationIndex,
				modifications: pushed.datawalletModifications,
			});
		},
	},
];

function findRun(call: Call, { state }: Sandbox, caller: Caller): RunRow {
	const run = state.runs.get(call.parameters[0] ?? '');
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

/** An expired run is cancelled by the next start; each of its events has failed once more. */
function endExpiredRun({ state, events }: Sandbox, owner: string): void {
	const open = state.openRun.get(owner);
	if (open === undefined) return;
	if (open.expiresAt > state.now()) {
		throw invalid('syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning');
	}
	events.settle(open, new Set());
}

function supportedVersion(call: Call): number {
	return Number(call.request.headers['x-supported-datawallet-version'] ?? 0) || 0;
}

function requireSupported(supported: number, version: number | undefined): void {
	if (supported >= (version ?? 0) && supported > 0) return;
	throw invalid('datawallet.insufficientSupportedDatawalletVersion');
}

function pushModifications(
	call: Call,
	{ state, push }: Sandbox,
	{ identity, device }: Caller,
	member: string,
): {
	newDatawalletModificationIndex: number | null;
	datawalletModifications: Array<{ id: string; index: number; createdAt: string }>;
} {
	const added = call
		.json()
		.array(member)
		.map((item): DatawalletModification => {
			const row = {
				...(item as Record<string, unknown>),
				id: state.newId('DWM'),
				index: identity.datawallet.length,
				createdAt: state.timestamp(),
				createdByDevice: device.id,
			};
			identity.datawallet.push(row);
			return row;
		});
	if (added.length > 0) push.send(identity.address, 'DatawalletModificationsCreated');
	const last = identity.datawallet.length - 1;
	return {
		newDatawalletModificationIndex: last < 0 ? null : last,
		datawalletModifications: added.map(({ id, index, createdAt }) => ({ id, index, createdAt })),
	};
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
		eventCount: run.events.length,
	};
}

function shownEvent(event: EventRow): object {
	const { id, type, index, createdAt, syncErrorCount, payload } = event;
	return { id, type, index, createdAt, syncErrorCount, payload };
}
