import { codeOf, isGatewayError } from '../../base/errors';
import type { DatawalletResource, SyncRunResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import { backboneErrors } from '../backbone-errors';
import { wireDatawalletSchema } from '../dto/datawallet';
import {
	externalEventSyncOutcomeSchema,
	refreshedExpirationSchema,
	startSyncRunResultSchema,
	wireExternalEventSchema,
	wireSyncRunSchema,
} from '../dto/sync-run';
import { readPages, type ListLimits } from '../http/paging';
import { get, post, put } from './calls';
import { pathId } from './wire-text';

/**
 * A run has no upper bound (`docs/protocol/backbone-api.md` 11.1); the results of this many events
 * are accepted with one call.
 */
const runLimits: ListLimits = {
	maxPages: 8_000,
	maxItems: 400_000,
	maxBytes: 256 * 1024 * 1024,
};

/**
 * The Backbone reads a missing header as version 0 and refuses it
 * (`docs/protocol/crypto-and-identity.md` 12).
 */
const headers = { 'x-supported-datawallet-version': '1' } as const;
const repeatable = { headers, isRepeatable: true };

export function createDatawalletResource(caller: BackboneCaller): DatawalletResource {
	return {
		get: async (options) => {
			try {
				return await caller.result(get('/Datawallet', { headers }), wireDatawalletSchema, options);
			} catch (error) {
				if (codeOf(error) === backboneErrors.recordNotFound.code) return undefined;
				throw error;
			}
		},
	};
}

/** `docs/protocol/backbone-api.md` 11 */
export function createSyncRunResource(caller: BackboneCaller): SyncRunResource {
	const path = (runId: string, suffix = ''): string => `/SyncRuns/${pathId(runId, 'SYR')}${suffix}`;
	return {
		start: async (type, options = {}) => {
			const call = post('/SyncRuns', { type, duration: options.durationSeconds }, { headers });
			return (await caller.result(call, startSyncRunResultSchema, options)).syncRun ?? undefined;
		},
		async *events(runId, options = {}) {
			const more = { headers, maxAnswerBytes: answerLimits.content };
			const call = get(path(runId, '/ExternalEvents'), more);
			try {
				yield* readPages(caller, call, wireExternalEventSchema, options, runLimits);
			} catch (error) {
				if (!isGatewayError(error, backboneErrors.tooManyPages.code)) throw error;
				// The others are offered again in the next runs.
				caller.logger.warn('a sync run has more events than are read at once', { runId });
				options.onUnreadable?.({ problem: error });
			}
		},
		finalizeExternalEventSync: async (runId, results, options) => {
			const json = { externalEventResults: results, datawalletModifications: [] };
			const call = put(path(runId, '/FinalizeExternalEventSync'), json, repeatable);
			const outcome = await caller.result(call, externalEventSyncOutcomeSchema, options);
			// An unnecessary extra run costs less than events that wait for the next interval.
			return { newUnsyncedExternalEventsExist: outcome.newUnsyncedExternalEventsExist ?? true };
		},
		finalizeDatawalletVersionUpgrade: async (runId, newDatawalletVersion, options) => {
			const json = { newDatawalletVersion, datawalletModifications: [] };
			const call = put(path(runId, '/FinalizeDatawalletVersionUpgrade'), json, repeatable);
			await caller.nothing(call, options);
		},
		get: async (runId, options) =>
			caller.result(get(path(runId), { headers }), wireSyncRunSchema, options),
		refreshExpirationTime: async (runId, options) => {
			const call = put(path(runId, '/RefreshExpirationTime'), {}, repeatable);
			return await caller.result(call, refreshedExpirationSchema, options);
		},
	};
}
