import { BackboneError, forbidden, invalidProperty, notFound } from '../http/backbone-error';
import { cannotParse } from '../http/backbone-error';
import { maxContentBytes } from '../http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { idsOf, paged } from '../http/paging';
import type { TokenRow } from '../state/records';
import { requireActive, requireAddress } from './identities';
import { isSame } from './templates';

const anonymousLifetimeMs = 5 * 60_000;
const maxFailures = 100;

/** docs/protocol/backbone-api.md 17 */
export const tokenRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'tokens',
		handle: (call, { state }) => {
			const caller = call.optionalCaller();
			if (caller !== undefined) requireActive(caller);
			const body = call.json();
			const expiresAt = body.futureDate('expiresAt', state.now());
			const content = body.optionalBytes('content', 0, maxContentBytes) ?? null;
			if (caller === undefined) {
				const isShort = Date.parse(expiresAt) < state.now() + anonymousLifetimeMs;
				if (content !== null || !isShort) {
					throw invalidProperty('Anonymous tokens are empty and expire within five minutes.');
				}
			}
			const forIdentity = body.optionalText('forIdentity');
			const token: TokenRow = {
				id: state.newId('TOK'),
				createdBy: caller?.identity.address ?? null,
				createdByDevice: caller?.device.id ?? null,
				createdAt: state.timestamp(),
				expiresAt,
				content,
				forIdentity: forIdentity === undefined ? null : requireAddress(forIdentity),
				password: body.optionalBytes('password', 1, 200) ?? null,
				allocations: [],
				failures: 0,
			};
			state.tokens.set(token.id, token);
			return created({ id: token.id, createdAt: token.createdAt });
		},
	},
	{
		method: 'GET',
		path: 'tokens/{}',
		handle: (call, sandbox) => {
			const token = find(call, sandbox);
			const caller = call.optionalCaller()?.identity.address;
			requireReadable(token, caller, call.query.get('password') ?? undefined, sandbox);
			if (
				caller !== undefined &&
				token.createdBy !== caller &&
				!token.allocations.includes(caller)
			) {
				token.allocations.push(caller);
			}
			return ok(shown(token));
		},
	},
	{
		method: 'GET',
		path: 'tokens',
		handle: (call, { state }) => {
			const { address } = call.caller().identity;
			const ids = idsOf(call.query, 'tokens');
			if (ids.length === 0) throw invalidProperty('At least one token is needed.');
			const rows = ids
				.map((id) => state.tokens.get(id))
				.filter((token) => token !== undefined)
				.filter((token) => token.createdBy === address || token.allocations.includes(address));
			return paged(rows, call.query, shown);
		},
	},
	{
		method: 'DELETE',
		path: 'tokens/{}',
		handle: (call, sandbox) => {
			const { address } = call.caller().identity;
			const token = find(call, sandbox);
			if (token.createdBy !== address) throw forbidden();
			sandbox.state.tokens.delete(token.id);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'tokens/{}/updatecontent',
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			const token = find(call, sandbox);
			requireReadable(token, identity.address, call.json().optionalText('password'), sandbox);
			if (token.content !== null) {
				throw new BackboneError(
					400,
					'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists',
					'The token has content already.',
				);
			}
			token.content = call.json().bytes('newContent', 1, maxContentBytes);
			token.createdBy = identity.address;
			token.createdByDevice = device.id;
			const { content: _content, ...rest } = shown(token);
			return ok(rest);
		},
	},
];

function find(call: Call, { state }: Sandbox): TokenRow {
	const token = state.tokens.get(call.parameters[0] ?? '');
	if (token === undefined) throw notFound('Token');
	return token;
}

/** The decision order of docs/protocol/backbone-api.md 17.2. */
function requireReadable(
	token: TokenRow,
	caller: string | undefined,
	password: string | undefined,
	{ state, events }: Sandbox,
): void {
	if (caller !== undefined && (token.createdBy === caller || token.allocations.includes(caller))) {
		return;
	}
	if (Date.parse(token.expiresAt) <= state.now()) throw notFound('Token');
	const locked = new BackboneError(
		400,
		'error.platform.token.tooManyFailedPasswordAttempts',
		'The token is locked.',
	);
	if (token.failures >= maxFailures) throw locked;
	if (token.forIdentity !== null && token.forIdentity !== caller) throw notFound('Token');
	if (token.password === null) return;
	if (password !== undefined && isRight(password, token.password)) return;
	if (++token.failures < maxFailures) throw notFound('Token');
	if (token.createdBy !== null) events.add(token.createdBy, 'TokenLocked', { tokenId: token.id });
	throw locked;
}

function isRight(given: string, stored: string): boolean {
	try {
		return isSame(given, stored);
	} catch {
		throw cannotParse('The password is not base64.');
	}
}

function shown(token: TokenRow): Record<string, unknown> {
	const { password, allocations: _allocations, failures: _failures, ...rest } = token;
	return { ...rest, isPasswordProtected: password !== null };
}
