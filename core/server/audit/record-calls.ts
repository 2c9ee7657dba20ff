import type { Context, MiddlewareHandler } from 'hono';
import { codeOf } from '../../base/errors';
import type { AuditActor, NewAuditEntry } from '../../model/record/http/audit';
import type { FailedAttempts } from '../authentication/failed-attempts';
import { methodOf, routeOf } from '../metrics/add-metrics';
import type { ServerEnvironment } from '../server-environment';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import { AuditTrace } from './audit-trace';
import { RefusalCount } from './refusal-count';

const refusals = new Set([401, 403, 429]);
const unknownActor: AuditActor = { kind: 'unknown', name: 'unknown' };
/** Correlation ids that are kept; others may be sentences. */
const plainId = /^[A-Za-z0-9._:-]{1,100}$/;

type AppContext = Context<ServerEnvironment>;

interface Parts {
	readonly attempts: FailedAttempts;
	/** aborts when the server begins to close */
	readonly closing: AbortSignal;
}

/**
 * Records who did what (docs/adr/0051): a row before a change and one with its result; one row for
 * a download, an export or a refusal; and, if wanted, one for every other call of the interface. A
 * change that cannot be recorded is refused; if only the result cannot be recorded, the log says so.
 */
export function recordCalls(
	options: Pick<ServerOptions, 'facade' | 'accountName' | 'audit' | 'logger'>,
	{ attempts, closing }: Parts,
): MiddlewareHandler<ServerEnvironment> {
	const { facade, accountName: account = 'default', logger } = options;
	const reads = options.audit?.reads === true;
	const inLog = (error: unknown): void =>
		logger.error('a row of the audit could not be written', {
			code: codeOf(error),
			reason: String(error),
		});
	const counts = new RefusalCount((entry) => facade.audit.record(entry).catch(inLog));
	closing.addEventListener('abort', () => void counts.flush(), { once: true });

	const required = async (entry: NewAuditEntry): Promise<number> => {
		try {
			return await facade.audit.record(entry);
		} catch (cause) {
			inLog(cause);
			const message = 'The audit cannot record this call.';
			throw serverErrors.create('cannotRecord', { message, cause });
		}
	};
	const entryOf = (context: AppContext, { route, object }: AuditTrace): NewAuditEntry => {
		const correlationId = context.get('correlationId');
		return {
			account,
			actor: context.get('roles').actor ?? unknownActor,
			method: methodOf(context),
			route: route?.path ?? unprefixed(routeOf(context)),
			...(object === undefined ? {} : { object }),
			...(plainId.test(correlationId) ? { correlationId } : {}),
		};
	};
	return async (context, next) => {
		const trace = new AuditTrace((begun) => required(entryOf(context, begun)));
		context.set('audit', trace);
		await next();
		const { status, headers } = context.res;
		const code = context.get('errorCode');
		const { begunAs } = trace;
		const entry: NewAuditEntry = {
			...entryOf(context, trace),
			status,
			...(code === undefined ? {} : { code }),
			...(begunAs === undefined ? {} : { begunAs }),
			...(headers.get('idempotency-replayed') === 'true' ? { isRepeated: true } : {}),
		};
		if (begunAs === undefined && refusals.has(status)) {
			await counts.note({ ...entry, address: attempts.addressOf(context.env.incoming) });
		} else if (trace.changes) await facade.audit.record(entry).catch(inLog);
		else if (trace.route?.isAudited === true || (reads && trace.route !== undefined)) {
			await required(entry).catch((error: unknown) => {
				// Nothing of the answer leaves: its headers would stay with the error.
				context.res = undefined;
				throw error;
			});
		}
	};
}

/** The pattern as the table of routes has it, whatever the version of the interface. */
const unprefixed = (path: string): string => path.replace(/^\/api\/(?:v2|core\/v1)(?=\/)/, '');
