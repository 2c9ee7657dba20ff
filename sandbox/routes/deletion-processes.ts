import { invalid, notFound } from '../http/backbone-error';
import { created, ok, type Call, type Caller, type Route, type Sandbox } from '../http/context';
import type { DeletionRow } from '../state/records';

const dayMs = 24 * 3_600_000;
const concerned = ['Pending', 'Active', 'Terminated'];
const root = 'identities/self/deletionprocesses';

/** docs/protocol/backbone-api.md 9 */
export const deletionRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: root,
		handle: (call, sandbox) => {
			const caller = call.caller();
			const { state } = sandbox;
			if (caller.identity.deletion?.cancelled === false) {
				throw invalid('device.onlyOneActiveDeletionProcessAllowed');
			}
			const days = Number(call.json().get('lengthOfGracePeriodInDays') ?? 14);
			const process: DeletionRow = {
				id: state.newId('IDP'),
				createdAt: state.timestamp(),
				createdByDevice: caller.device.id,
				cancelled: false,
				gracePeriodEndsAt: new Date(state.now() + days * dayMs).toISOString(),
			};
			caller.identity.deletion = process;
			caller.identity.status = 'ToBeDeleted';
			tellPeers(caller, sandbox, 'PeerToBeDeleted', { deletionDate: process.gracePeriodEndsAt });
			return created(shown(process, call));
		},
	},
	{
		method: 'GET',
		path: root,
		handle: (call) => {
			const { deletion } = call.caller().identity;
			return ok(deletion === undefined ? [] : [shown(deletion, call)]);
		},
	},
	{
		method: 'GET',
		path: `${root}/{}`,
		handle: (call) => ok(shown(find(call), call)),
	},
	{
		method: 'PUT',
		path: `${root}/{}/cancel`,
		handle: (call, sandbox) => {
			const caller = call.caller();
			const process = find(call);
			if (process.cancelled) throw invalid('device.deletionProcessIsNotInRequiredStatus');
			process.cancelled = true;
			process.gracePeriodEndsAt = null;
			caller.identity.status = 'Active';
			tellPeers(caller, sandbox, 'PeerDeletionCancelled', {});
			return ok(shown(process, call));
		},
	},
];

function find(call: Call): DeletionRow {
	const { deletion } = call.caller().identity;
	if (deletion === undefined || deletion.id !== call.parameters[0]) {
		throw notFound('IdentityDeletionProcess');
	}
	return deletion;
}

function tellPeers(
	{ identity }: Caller,
	{ state, events }: Sandbox,
	type: string,
	more: object,
): void {
	for (const row of state.relationshipsOf.get(identity.address) ?? []) {
		if (!concerned.includes(row.status)) continue;
		const peer = row.from === identity.address ? row.to : row.from;
		events.add(peer, type, { relationshipId: row.id, ...more });
	}
}

/** Running processes are called `Approved` on v1 and `Active` on v2. */
function shown(process: DeletionRow, call: Call): object {
	const running = call.version === 'v1' ? 'Approved' : 'Active';
	return {
		id: process.id,
		status: process.cancelled ? 'Cancelled' : running,
		createdAt: process.createdAt,
		createdByDevice: process.createdByDevice,
		approvedAt: process.createdAt,
		approvedByDevice: process.createdByDevice,
		gracePeriodEndsAt: process.gracePeriodEndsAt,
		gracePeriodReminder1SentAt: null,
		gracePeriodReminder2SentAt: null,
		gracePeriodReminder3SentAt: null,
	};
}
