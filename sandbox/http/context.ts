import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonBody } from './body';
import type { DeviceRow, IdentityRow } from '../state/records';
import type { SandboxState } from '../state/sandbox-state';
import type { EventQueues } from '../state/event-queues';
import type { ExternalEvents } from '../state/external-events';
import type { OperatorTexts } from '../state/operator-texts';
import type { IdentityDeletions } from '../state/identity-deletions';
import type { Quotas } from '../state/quotas';
import type { PushStreams } from '../push-stream';
import type { SandboxSettings } from '../settings';

/** Call with the values that a route needs. */
export interface Call {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly version: 'v1' | 'v2';
	/** segments captured by the path pattern, in order */
	readonly parameters: readonly string[];
	readonly query: URLSearchParams;
	/** parses the body on first use */
	json(): JsonBody;
	readonly body: Buffer;
	/** @throws Unauthorized */
	caller(): Caller;
	optionalCaller(): Caller | undefined;
}

export interface Caller {
	readonly identity: IdentityRow;
	readonly device: DeviceRow;
}

export interface Sandbox {
	readonly state: SandboxState;
	readonly events: ExternalEvents;
	readonly queues: EventQueues;
	readonly push: PushStreams;
	readonly deletions: IdentityDeletions;
	readonly operatorTexts: OperatorTexts;
	readonly quotas: Quotas;
	readonly settings: SandboxSettings;
	readonly operator: Operator;
}

/** Functions for the administrative calls only. */
export interface Operator {
	advanceClock(durationMs: number): void;
	runJobs(): void;
	revokeAccessTokens(): void;
}

/** Answer of a route; `result` is put into the envelope. */
export type Answer =
	| { readonly status: 200 | 201; readonly result: unknown; readonly pagination?: Pagination }
	| { readonly status: 204 | 304 }
	| {
			readonly status: number;
			readonly raw: Buffer | string;
			readonly headers: Readonly<Record<string, string>>;
	  };

export interface Pagination {
	readonly pageNumber: number;
	readonly pageSize: number;
	readonly totalPages: number;
	readonly totalRecords: number;
}

export interface Route {
	readonly method: string;
	/** path below `/api/{v}`, lower case; `{}` captures one segment */
	readonly path: string;
	/** true for routes without authentication; on all others the token is checked first */
	readonly isAnonymous?: boolean;
	readonly handle: (call: Call, sandbox: Sandbox) => Answer | Promise<Answer>;
}

export const ok = (result: unknown): Answer => ({ status: 200, result });
export const created = (result: unknown): Answer => ({ status: 201, result });
export const done: Answer = { status: 204 };
