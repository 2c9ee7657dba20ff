import { cannotParse, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { done, ok, type Call, type Route, type Sandbox } from '../http/context';
import type { IdentityRow } from '../state/records';

const maxFlags = 200;
const maxNameLength = 200;

/** @see docs/protocol/backbone-api.md 7.2 */
export const featureFlagRoutes: readonly Route[] = [
	{
		method: 'PATCH',
		path: 'identities/self/featureflags',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			const merged = { ...identity.featureFlags, ...readFlags(call) };
			if (Object.keys(merged).length > maxFlags) {
				throw invalid('featureFlag.maxNumberOfFeatureFlagsExceeded');
			}
			identity.featureFlags = merged;
			sandbox.state.identities.save(identity);
			for (const peer of notifiedIdentities(identity, sandbox)) {
				sandbox.events.add(peer, 'PeerFeatureFlagsChanged', { peerAddress: identity.address });
			}
			return done;
		},
	},
	{
		method: 'GET',
		path: 'identities/{}/featureflags',
		handle: (call, { state }) => {
			const { address } = call.caller().identity;
			const other = state.identities.get(call.parameters[0] ?? '');
			const isVisible =
				other?.address === address ||
				(other !== undefined &&
					(state.newestBetween(address, other.address) !== undefined ||
						hasAllocated(address, other, state)));
			if (other === undefined || !isVisible) throw notFound('Identity');
			return ok(camelCased(other.featureFlags));
		},
	},
];

function readFlags(call: Call): Record<string, boolean> {
	const flags: Record<string, boolean> = {};
	for (const [name, value] of call.json().entries()) {
		if (typeof value !== 'boolean') throw cannotParse('A feature flag is true or false.');
		if (name.length === 0 || name.length > maxNameLength) {
			throw invalidProperty(`The name of a feature flag has 1 to ${maxNameLength} characters.`);
		}
		flags[name] = value;
	}
	return flags;
}

/** Identities to notify: peers, and identities that have allocated one of the templates. */
function notifiedIdentities({ address }: IdentityRow, { state }: Sandbox): Set<string> {
	const peers = new Set<string>();
	for (const { status, from, to } of state.relationshipsOf.get(address) ?? []) {
		if (status === 'Pending' || status === 'Active') peers.add(from === address ? to : from);
	}
	for (const { allocations } of state.templatesOf.get(address) ?? []) {
		for (const reader of allocations) peers.add(reader);
	}
	return peers;
}

function hasAllocated(reader: string, { address }: IdentityRow, state: Sandbox['state']): boolean {
	for (const { allocations } of state.templatesOf.get(address) ?? []) {
		if (allocations.includes(reader)) return true;
	}
	return false;
}

/**
 * Lower-cases leading capitals of dictionary keys, as the server's output does
 * (docs/protocol/backbone-api.md 2.4).
 */
function camelCased(flags: Record<string, boolean>): Record<string, boolean> {
	const leading = /^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/;
	return Object.fromEntries(
		Object.entries(flags).map(([name, value]) => [
			name.replace(leading, (capitals) => capitals.toLowerCase()),
			value,
		]),
	);
}
