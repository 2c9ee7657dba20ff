import * as z from 'zod';
import { en } from 'zod/locales';
import { inputs } from './admin-inputs';
import { cannotParse, forbidden, invalidProperty, notFound } from './http/backbone-error';
import { requireId } from './http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from './http/context';
import type { IdentityRow } from './state/records';

/**
 * Administrative calls for demos and tests; a real Backbone has separate tools for its operator.
 */
interface AdminRoute extends Route {
	readonly what: string;
	/** schema of the JSON body */
	readonly input?: z.ZodType;
}

export const adminRoutes: readonly AdminRoute[] = [
	{
		method: 'GET',
		path: '',
		what: 'list these calls, with the JSON schemas of their bodies',
		handle: () =>
			ok(
				adminRoutes.map(({ input, ...route }) => ({
					...namesOf(route),
					...(input === undefined ? {} : { body: z.toJSONSchema(input, { io: 'input' }) }),
				})),
			),
	},
	{
		method: 'GET',
		path: 'identities',
		what: 'list all identities with their status',
		handle: (_call, { state }) =>
			ok(
				[...state.identities.values()].map(({ address, createdAt, status }) => ({
					address,
					createdAt,
					status,
				})),
			),
	},
	{
		method: 'POST',
		path: 'announcements',
		what: 'announce something to all or some identities',
		input: inputs.announcement,
		handle: (call, { operatorTexts }) =>
			created(operatorTexts.announce(read(inputs.announcement, call))),
	},
	{
		method: 'DELETE',
		path: 'announcements/{}',
		what: 'withdraw an announcement, by id',
		handle: (call, { operatorTexts }) => {
			operatorTexts.withdraw(requireId('ANC', call.parameters[0]));
			return done;
		},
	},
	{
		method: 'GET',
		path: 'notifications',
		what: 'list the notifications that phones would have shown, newest last',
		handle: (_call, { operatorTexts }) =>
			ok(operatorTexts.notifications.map(({ id: _id, ...sent }) => sent)),
	},
	{
		method: 'POST',
		path: 'notifications',
		what: 'configure a notification that identities may send; there is one with the code test',
		input: inputs.notification,
		handle: (call, { operatorTexts }) => {
			const { code, texts } = read(inputs.notification, call);
			operatorTexts.configureNotification(code, texts);
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'tags',
		what: 'replace the tag collection',
		input: inputs.tags,
		handle: (call, { operatorTexts }) => {
			operatorTexts.tags = read(inputs.tags, call);
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'references',
		what: 'replace the public references to templates',
		input: inputs.references,
		handle: (call, { operatorTexts }) => {
			operatorTexts.publicReferences = read(inputs.references, call).references;
			return done;
		},
	},
	{
		method: 'GET',
		path: 'quotas',
		what: 'list all quotas',
		handle: (_call, { quotas }) => ok(quotas.all),
	},
	{
		method: 'PUT',
		path: 'quotas',
		what: 'replace all quotas; an empty list allows everything, as at the start',
		input: inputs.quotas,
		handle: (call, sandbox) => {
			const { quotas } = read(inputs.quotas, call);
			for (const { address } of quotas) if (address !== null) identityOf(sandbox, address);
			sandbox.quotas.replace(quotas);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'clock',
		what: 'let time pass, in milliseconds',
		input: inputs.clock,
		handle: (call, { operator }) => {
			operator.advanceClock(read(inputs.clock, call).advanceMs);
			return done;
		},
	},
	{
		method: 'GET',
		path: 'queues/{}',
		what: 'tell whether the server has no further events for an identity, by address',
		handle: (call, { queues }) => ok({ isEmpty: queues.isEmptyFor(call.parameters[0] ?? '') }),
	},
	{
		method: 'POST',
		path: 'queues',
		what: 'deliver events that real behaviour holds back: all, or only the events of the next milliseconds',
		input: inputs.queues,
		handle: (call, { queues }) => {
			const { advanceMs } = read(inputs.queues, call);
			if (advanceMs === undefined) queues.deliverAll();
			else queues.advance(advanceMs);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'jobs',
		what: 'run the jobs of every minute now: delete identities whose grace period has ended, remove objects that expired or were deleted 30 days ago',
		handle: (_call, { operator }) => {
			operator.runJobs();
			return done;
		},
	},
	{
		method: 'DELETE',
		path: 'access-tokens',
		what: 'revoke all access tokens, so that every client logs in again',
		handle: (_call, { operator }) => {
			operator.revokeAccessTokens();
			return done;
		},
	},
	{
		method: 'POST',
		path: 'deletions',
		what: 'start the deletion of an identity, as support does',
		input: inputs.deletion,
		handle: (call, sandbox) => {
			const { address, lengthOfGracePeriodInDays } = read(inputs.deletion, call);
			const identity = identityOf(sandbox, address);
			return created(sandbox.deletions.start(identity, 'support', lengthOfGracePeriodInDays));
		},
	},
	{
		method: 'DELETE',
		path: 'deletions/{}',
		what: 'cancel the deletion of an identity, by address, as support does',
		handle: (call, sandbox) => {
			const identity = identityOf(sandbox, call.parameters[0] ?? '');
			const process = identity.deletions.find(({ status }) => status === 'Running');
			if (process === undefined) throw notFound('IdentityDeletionProcess');
			sandbox.deletions.cancel(identity, process, 'support');
			return done;
		},
	},
];

/** Lists the administrative calls for the help of the command line. */
export function adminCalls(): ReadonlyArray<{ readonly call: string; readonly what: string }> {
	return adminRoutes.map(namesOf);
}

/**
 * Refuses calls of foreign web pages, which can reach this machine too: a browser sends JSON, or a
 * request to another name of this machine, only after a preflight, which the sandbox does not
 * answer.
 *
 * @throws `error.platform.forbidden`
 */
export function requireOperator({ request }: Pick<Call, 'request'>): void {
	const { host = '', 'content-type': type = '' } = request.headers;
	// Checks both ends: the caller chooses the header, and a page in a local browser may call.
	const isHere =
		/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host) &&
		/^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '');
	const isReading = request.method === 'GET';
	if (isHere && (isReading || /^application\/json\b/i.test(type))) return;
	throw forbidden(
		'Administrative calls are limited to this machine: use the host name localhost and the content type application/json.',
	);
}

function namesOf({ method, path, what }: Pick<AdminRoute, 'method' | 'path' | 'what'>): {
	call: string;
	what: string;
} {
	return { call: `${method} /admin/${path}`.replace(/\/$/, ''), what };
}

/** Given to each call, because other packages of the process can replace the usual texts. */
const { localeError: englishText } = en();

/**
 * @throws `error.platform.inputCannotBeParsed`, `error.platform.validation.invalidPropertyValue`
 * with the first invalid field
 */
function read<Schema extends z.ZodType>(schema: Schema, call: Call): z.output<Schema> {
	let body: unknown;
	try {
		body = JSON.parse(call.body.toString('utf8'));
	} catch {
		throw cannotParse('The body is not JSON.');
	}
	const result = schema.safeParse(body, { error: englishText });
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	throw invalidProperty(`'${issue?.path.join('.') ?? ''}': ${issue?.message ?? 'not valid'}`);
}

function identityOf({ state }: Sandbox, address: string): IdentityRow {
	const identity = state.identities.get(address);
	if (identity === undefined) throw notFound('Identity');
	return identity;
}
