import type { Module } from './module';
import { problemLog } from './problem-log';

/** `modules.autoAcceptPendingRelationships` (docs/protocol/http-api.md 13). */
export const acceptRelationships: Module<unknown> = ({ facade, logger }) => {
	const held = facade.events.autoAccept({ onProblem: problemLog(logger) });
	return { close: () => held.release() };
};
