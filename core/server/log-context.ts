import { correlationId } from '../base/correlation';
import { traceId } from './tracing';

/** Ids of the request that the running code serves, for lines of the log; empty outside of one. */
export function logContext(): { readonly correlationId?: string; readonly traceId?: string } {
	const ids = { correlationId: correlationId(), traceId: traceId() };
	return {
		...(ids.correlationId === undefined ? {} : { correlationId: ids.correlationId }),
		...(ids.traceId === undefined ? {} : { traceId: ids.traceId }),
	};
}
