import { BackboneError, forbidden, invalidProperty, notFound } from '../http/backbone-error';
import { maxContentBytes, requireId } from '../http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { byCreation, itemsOf, paged } from '../http/paging';
import type { TokenRow } from '../state/records';
import { requireAddress } from './identities';
import { passwordOf } from './templates';

const anonymousLifetimeMs = 5 * 60_000;
const maxFailures = 100;

/** @see docs/protocol/backbone-api.md 17 */
export const tokenRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'tokens',
		isAnonymous: true,
		handle: (call, { state, settings, quotas }) => {
			const caller = call.optionalCaller();
			if (caller !== undefined) quotas.require(caller.identity, 'NumberOfTokens');
			const body = call.json();
			const expiresAt = body.futureDate('expiresAt', state.now());
			// Late Backbones 7 accept empty tokens of every caller.
			const isEmptyAllowed = caller === undefined || settings.majorVersion === 7;
			const min = isEmptyAllowed ? 0 : 1;
			const content = body.optionalBytes('content', min, maxContentBytes) || null;
			if (content === null && !isEmptyAllowed)
				throw invalidProperty("'content' must not be empty.");
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
			state.addToken(token);
			return created({ id: token.id, createdAt: token.createdAt });
		},
	},
	{
		method: 'GET',
		path: 'tokens/{}',
		isAnonymous: true,
		handle: (call, sandbox) => {
			const token = find(call, sandbox);
			const caller = call.optionalCaller()?.identity.address;
			requireReadable(token, caller, passwordOf(call), sandbox);
			if (
				caller !== undefined &&
				token.createdBy !== caller &&
				!token.allocations.includes(caller)
			) {
				token.allocations.push(caller);
				sandbox.state.tokens.save(token);
			}
			return ok(shown(token));
		},
	},
	{
		method: 'GET',
		path: 'tokens',
		handle: (call, { state }) => {
			const { address } = call.caller().identity;
			const items = itemsOf(call.query, 'tokens', 'TOK');
			if (items.size === 0) throw invalidProperty('At least one token is needed.');
			const rows = [...items.keys()]
				.map((id) => state.tokens.get(id))
				.filter((token) => token !== undefined)
				.filter((token) => token.createdBy === address || token.allocations.includes(address));
			return paged(rows.sort(byCreation), call.query, shown);
		},
	},
	{
		method: 'DELETE',
		path: 'tokens/{}',
		handle: (call, sandbox) => {
			const { address } = call.caller().identity;
			const token = find(call, sandbox);
			if (token.createdBy !== address) throw forbidden();
			sandbox.state.removeToken(token);
			sandbox.quotas.release('NumberOfTokens', address, token);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'tokens/{}/updatecontent',
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			const password = call.json().optionalBytes('password', 1, 200);
			const content = call.json().bytes('newContent', 1, maxContentBytes);
			const token = find(call, sandbox);
			if (Date.parse(token.expiresAt) <= sandbox.state.now()) throw notFound('Token');
			requireReadable(token, identity.address, password, sandbox);
			if (token.content !== null) {
				throw new BackboneError(
					400,
					'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists',
					'The token has content already.',
				);
			}
			sandbox.state.removeToken(token);
			token.content = content;
			token.createdBy = identity.address;
			token.createdByDevice = device.id;
			sandbox.state.addToken(token);
			const { content: _content, ...rest } = shown(token);
			return ok(rest);
		},
	},
];

function find(call: Call, { state }: Sandbox): TokenRow {
	const token = state.tokens.get(requireId('TOK', call.parameters[0]));
	if (token === undefined) throw notFound('Token');
	return token;
}

/** Checks in the order of docs/protocol/backbone-api.md 17.2. */
function requireReadable(
	token: TokenRow,
	caller: string | undefined,
	password: string | undefined,
	{ state, events, push }: Sandbox,
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
	if (password === token.password) return;
	token.failures++;
	state.tokens.save(token);
	if (token.failures < maxFailures) throw notFound('Token');
	if (token.createdBy !== null) {
		events.add(token.createdBy, 'TokenLocked', { tokenId: token.id });
		push.send(token.createdBy, 'TokenLocked');
	}
	throw locked;
}

function shown(token: TokenRow): Record<string, unknown> {
	const { password, allocations: _allocations, failures: _failures, ...rest } = token;
	return { ...rest, isPasswordProtected: password !== null };
}
