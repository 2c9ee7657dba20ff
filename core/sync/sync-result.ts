import { isGatewayError } from '../base/errors';
import type { Judge } from '../base/observation/instruments';
import { isIdentityDeleted, isToBeDeleted } from '../domain/identity/deletion-refusal';
import type { ExternalEventFailure } from '../model/record/sync';
import type { ChangedIds } from './steps/step';

export interface SyncReport {
	readonly touched: readonly ChangedIds[];
	readonly failures: readonly ExternalEventFailure[];
}

/** Runs one sync; the result is undefined while another process syncs. */
export type SyncAttempt = () => Promise<SyncReport | undefined>;

/** Names the result of a sync. */
export const judgeSync: Judge<SyncReport | undefined> = {
	value: (report) => (report === undefined ? 'elsewhere' : 'success'),
	error: (error) => {
		if (isToBeDeleted(error) || isIdentityDeleted(error)) return 'paused';
		if (!isGatewayError(error)) {
			return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'failed';
		}
		return error.kind === 'unavailable' ? 'unreachable' : 'failed';
	},
};
