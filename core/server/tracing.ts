import {
	context,
	propagation,
	ROOT_CONTEXT,
	SpanStatusCode,
	trace,
	type Attributes,
	type Span,
	type SpanOptions,
} from '@opentelemetry/api';
import { correlationId } from '../base/observation/correlation';
import { membersOf } from '../model/json';

/** Name under which the SDK of the host sees the spans. */
const tracerName = 'n8n-nodes-enmeshed';

/** Span whose end is told once. */
export interface EndableSpan {
	setName(name: string): void;
	setAttributes(attributes: Attributes): void;
	/** @param result one of few words */
	end(result: string, isFailure: boolean): void;
}

/**
 * Runs work in a span, which is the parent of the spans inside. Without an SDK of the host, which
 * `NODE_OPTIONS=--require …` loads, nothing is recorded.
 */
export function inSpan<Result>(
	name: string,
	options: SpanOptions,
	work: (span: EndableSpan) => Promise<Result>,
): Promise<Result> {
	return trace.getTracer(tracerName).startActiveSpan(name, options, (span) => work(endable(span)));
}

/**
 * Runs work as part of the trace that a request names in its headers, unless the host has opened a
 * span for the request already.
 */
export function inTraceOf<Result>(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	work: () => Result,
): Result {
	if (trace.getActiveSpan() !== undefined) return work();
	return context.with(propagation.extract(ROOT_CONTEXT, headers), work);
}

/** Ids of the request that the running code serves, for lines of the log; empty outside of one. */
export function logContext(): { readonly correlationId?: string; readonly traceId?: string } {
	const traceId = trace.getActiveSpan()?.spanContext().traceId;
	return membersOf<ReturnType<typeof logContext>>({ correlationId: correlationId(), traceId });
}

function endable(span: Span): EndableSpan {
	return {
		setName: (name) => span.updateName(name),
		setAttributes: (attributes) => span.setAttributes(attributes),
		end: (result, isFailure) => {
			span.setAttribute('enmeshed.result', result);
			if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
			span.end();
		},
	};
}
