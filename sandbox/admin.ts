import * as z from 'zod';
import { wireTagCollectionSchema } from '../core/backbone/dto';
import { addressSchema } from '../core/model/address';
import { instantSchema } from '../core/model/instant';
import { forbidden, invalidProperty, notFound } from './http/backbone-error';
import { created, done, ok, type Call, type Route, type Sandbox } from './http/context';
import type { IdentityRow } from './state/records';

const text = z.string().min(1).max(10_000);
const notice = z.object({ title: text, body: text });

/** What an operator does at a real Backbone with tools of its own: for demos and tests. */
interface AdminRoute extends Route {
	readonly what: string;
}

const announcementSchema = z.strictObject({
	severity: z.enum(['Low', 'Medium', 'High']).default('Medium'),
	texts: z.object({ en: notice }).catchall(notice),
	expiresAt: instantSchema.nullable().default(null),
	recipients: z.array(addressSchema).default([]),
	iqlQuery: text.nullable().default(null),
	actions: z
		.array(z.strictObject({ displayName: z.object({ en: text }).catchall(text), link: text }))
		.default([]),
});
const notificationSchema = z.strictObject({
	code: z.string().min(1).max(200),
	texts: z.object({ en: notice }).catchall(notice),
});
const clockSchema = z.strictObject({ advanceMs: z.number().int().min(0) });
const deletionSchema = z.strictObject({
	address: addressSchema,
	lengthOfGracePeriodInDays: z.number().min(0).max(100_000).optional(),
});

export const adminRoutes: readonly AdminRoute[] = [
	{
		method: 'GET',
		path: '',
		what: 'what can be done here',
		handle: () =>
			ok(adminRoutes.map(({ method, path, what }) => ({ call: `${method} /admin/${path}`, what }))),
	},
	{
		method: 'GET',
		path: 'identities',
		what: 'all identities with their status',
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
		what: 'announce something: texts by language (en is needed), severity, expiresAt, recipients, iqlQuery, actions',
		handle: (call, { notices }) => created(notices.announce(read(announcementSchema, call))),
	},
	{
		method: 'DELETE',
		path: 'announcements/{}',
		what: 'take an announcement back',
		handle: (call, { notices }) => {
			notices.withdraw(call.parameters[0] ?? '');
			return done;
		},
	},
	{
		method: 'GET',
		path: 'notifications',
		what: 'the notifications that phones would have shown, newest last',
		handle: (_call, { notices }) => ok(notices.notifications),
	},
	{
		method: 'POST',
		path: 'notifications',
		what: 'configure a notification: code, texts by language (en is needed)',
		handle: (call, { notices }) => {
			const { code, texts } = read(notificationSchema, call);
			notices.configureNotification(code, texts);
			return done;
		},
	},
	{
		method: 'PUT',
		path: 'tags',
		what: 'replace the tag collection: supportedLanguages, tagsForAttributeValueTypes',
		handle: (call, { notices }) => {
			notices.tags = read(wireTagCollectionSchema, call);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'clock',
		what: 'let time pass: advanceMs',
		handle: (call, { operator }) => {
			operator.advanceClock(read(clockSchema, call).advanceMs);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'jobs',
		what: 'run the jobs now: delete identities whose grace period is over, remove what expired 30 days ago',
		handle: (_call, { operator }) => {
			operator.runJobs();
			return done;
		},
	},
	{
		method: 'POST',
		path: 'deletions',
		what: 'delete an identity as support does: address, lengthOfGracePeriodInDays',
		handle: (call, sandbox) => {
			const { address, lengthOfGracePeriodInDays } = read(deletionSchema, call);
			const identity = identityOf(sandbox, address);
			return created(sandbox.deletions.start(identity, 'support', lengthOfGracePeriodInDays));
		},
	},
	{
		method: 'DELETE',
		path: 'deletions/{}',
		what: 'cancel the deletion of the identity with this address as support does',
		handle: (call, sandbox) => {
			const identity = identityOf(sandbox, call.parameters[0] ?? '');
			const process = identity.deletions.find(({ status }) => status === 'Running');
			if (process === undefined) throw notFound('IdentityDeletionProcess');
			sandbox.deletions.cancel(identity, process, 'support');
			return done;
		},
	},
];

/**
 * Web pages of strangers can reach this machine, too: a browser sends JSON, and anything to another
 * name of this machine, only after a question that nobody answers here.
 *
 * @throws `error.platform.forbidden`
 */
export function requireOperator({ request }: Pick<Call, 'request'>): void {
	const { host = '', 'content-type': type = '' } = request.headers;
	const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);
	const isReading = request.method === 'GET';
	if (!isHere || (!isReading && !/^application\/json\b/i.test(type))) throw forbidden();
}

function read<Schema extends z.ZodType>(schema: Schema, call: Call): z.output<Schema> {
	let body: unknown;
	try {
		body = JSON.parse(call.body.toString('utf8'));
	} catch {
		throw invalidProperty('The body is not JSON.');
	}
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	throw invalidProperty(`'${issue?.path.join('.') ?? ''}': ${issue?.message ?? 'not valid'}`);
}

function identityOf({ state }: Sandbox, address: string): IdentityRow {
	const identity = state.identities.get(address);
	if (identity === undefined) throw notFound('Identity');
	return identity;
}
