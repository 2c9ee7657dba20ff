import {
	BackboneError,
	cannotParse,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import { JsonBody } from '../http/body';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import { numberOf, paged } from '../http/paging';
import type { DatawalletModification } from '../state/records';

const modificationTypes = ['Create', 'Update', 'Delete', 'CacheChanged'];
const maxPayloadBytes = 10 * 1024 * 1024;
export const maxVersion = 65_535;

type PushedModification = Omit<
	DatawalletModification,
	'id' | 'owner' | 'index' | 'createdAt' | 'createdByDevice'
>;

/** @see docs/protocol/backbone-api.md 10 */
export const datawalletRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: 'datawallet',
		handle: (call) => ok({ version: requireDatawallet(call.caller()) }),
	},
	{
		method: 'GET',
		path: 'datawallet/modifications',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const after = numberOf(call.query, 'localindex') ?? -1;
			requireSupported(supportedVersion(call), requireDatawallet(call.caller()));
			const newest = new Map<string, DatawalletModification>();
			for (const item of state.modificationsOf.get(identity.address) ?? []) {
				if (item.index <= after) continue;
				const key = JSON.stringify([item.objectIdentifier, item.type, item.payloadCategory]);
				newest.delete(key);
				newest.set(key, item);
			}
			return paged([...newest.values()], call.query, ({ owner: _owner, ...item }) => item);
		},
	},
	{
		method: 'POST',
		path: 'datawallet/modifications',
		handle: (call, sandbox) => {
			const caller = call.caller();
			const { address } = caller.identity;
			const version = positiveVersion(call);
			const localIndex = call.json().integer('localIndex');
			if (call.json().array('modifications').length === 0) {
				throw invalidProperty('There must be at least one modification.');
			}
			const modifications = readModifications(call, 'modifications');
			if (sandbox.state.openRun.has(address)) {
				throw invalid('datawallet.cannotPushDatawalletModificationsDuringActiveSyncRun');
			}
			requireSupported(version, requireDatawallet(caller));
			const last = sandbox.state.modificationsOf.get(address)?.at(-1);
			if (last !== undefined && localIndex !== last.index) {
				throw invalid('datawallet.datawalletNotUpToDate');
			}
			const pushed = pushModifications(modifications, caller, sandbox);
			return created({
				newIndex: pushed.newDatawalletModificationIndex,
				modifications: pushed.datawalletModifications,
			});
		},
	},
];

/** Version of the datawallet. */
export function requireDatawallet({ identity }: Caller): number {
	if (identity.datawalletVersion === undefined) throw notFound('Datawallet');
	return identity.datawalletVersion;
}

/** Version in the header; a missing header counts as 0. */
function supportedVersion(call: Call): number {
	const text = String(call.request.headers['x-supported-datawallet-version'] ?? '0');
	const version = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
	if (version <= maxVersion) return version;
	throw cannotParse("The header 'X-Supported-Datawallet-Version' is not a number of 16 bits.");
}

export function positiveVersion(call: Call): number {
	const version = supportedVersion(call);
	if (version === 0) throw invalidProperty('The supported datawallet version is missing.');
	return version;
}

export function requireSupported(supported: number, version: number): void {
	if (supported >= version && supported > 0) return;
	throw invalid('datawallet.insufficientSupportedDatawalletVersion');
}

/** Validates the modifications before anything is changed. */
export function readModifications(call: Call, member: string): PushedModification[] {
	return call
		.json()
		.array(member)
		.map((item) => {
			const body = new JsonBody(item);
			const type = body.text('type');
			if (!modificationTypes.includes(type)) throw cannotParse('The type is not known.');
			const hasCategory = body.get('payloadCategory') !== undefined;
			return {
				type,
				objectIdentifier: body.shortText('objectIdentifier', 100),
				collection: body.shortText('collection', 50),
				payloadCategory: hasCategory ? body.shortText('payloadCategory', 50) : null,
				encryptedPayload: body.optionalBytes('encryptedPayload', 0, maxPayloadBytes) ?? null,
				datawalletVersion: body.integer('datawalletVersion', maxVersion),
			};
		});
}

/** @throws `error.platform.datawallet.datawalletVersionOfModificationTooHigh` */
export function requireVersions(
	modifications: readonly PushedModification[],
	version: number,
): void {
	if (modifications.every(({ datawalletVersion }) => datawalletVersion <= version)) return;
	throw new BackboneError(
		400,
		'error.platform.datawallet.datawalletVersionOfModificationTooHigh',
		'A modification is of a later version than the datawallet.',
	);
}

/** Adds modifications and notifies the identity's other devices. */
export function pushModifications(
	modifications: readonly PushedModification[],
	caller: Caller,
	{ state, push }: Sandbox,
): {
	newDatawalletModificationIndex: number | null;
	datawalletModifications: Array<{ id: string; index: number; createdAt: string }>;
} {
	const { identity, device } = caller;
	requireVersions(modifications, requireDatawallet(caller));
	const added = modifications.map((modification) => {
		const id = state.newId('DWM');
		const index = identity.nextModificationIndex++;
		const createdAt = state.timestamp();
		state.addModification({
			...modification,
			...{ id, index, createdAt, createdByDevice: device.id, owner: identity.address },
		});
		return { id, index, createdAt };
	});
	if (added.length > 0) {
		state.identities.save(identity);
		push.send(identity.address, 'DatawalletModificationsCreated', device.id);
	}
	const last = identity.nextModificationIndex - 1;
	return {
		newDatawalletModificationIndex: last < 0 ? null : last,
		datawalletModifications: added,
	};
}
