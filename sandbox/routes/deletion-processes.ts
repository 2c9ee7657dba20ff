import { cannotParse, invalidProperty, notFound } from '../http/backbone-error';
import { requireId } from '../http/body';
import { created, ok, type Answer, type Call, type Route, type Sandbox } from '../http/context';
import { requireIdentity } from './identities';
import type { DeletionRow } from '../state/records';

const root = 'identities/self/deletionprocesses';

/** @see docs/protocol/backbone-api.md 9.1 */
export const deletionRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: root,
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			requireIdentity(identity, sandbox);
			const days = gracePeriodDays(call);
			const process = sandbox.deletions.start(identity, { device: device.id }, days);
			return created(shown(process, call, sandbox));
		},
	},
	{
		method: 'GET',
		path: root,
		handle: (call, sandbox) =>
			ok(call.caller().identity.deletions.map((process) => shown(process, call, sandbox))),
	},
	{
		method: 'GET',
		path: `${root}/{}`,
		handle: (call, sandbox) => ok(shown(find(call), call, sandbox)),
	},
	{
		method: 'PUT',
		path: `${root}/{}/cancel`,
		handle: (call, sandbox) => {
			const { identity, device } = call.caller();
			const process = find(call);
			sandbox.deletions.cancel(identity, process, { device: device.id });
			return ok(shown(process, call, sandbox));
		},
	},
	{
		method: 'PUT',
		path: `${root}/{}/approve`,
		handle: (call, sandbox) =>
			withApproval(call, sandbox, (process) => {
				const { identity, device } = call.caller();
				sandbox.deletions.approve(identity, process, { device: device.id });
			}),
	},
	{
		method: 'PUT',
		path: `${root}/{}/reject`,
		handle: (call, sandbox) =>
			withApproval(call, sandbox, (process) => {
				const { identity, device } = call.caller();
				sandbox.deletions.reject(identity, process, device.id);
			}),
	},
];

/** Adds the routes for approval, which later Backbones do not have. */
function withApproval(
	call: Call,
	sandbox: Sandbox,
	change: (process: DeletionRow) => void,
): Answer {
	if (!sandbox.settings.hasDeletionApproval) return { status: 404, raw: '', headers: {} };
	const process = find(call);
	change(process);
	return ok(shown(process, call, sandbox));
}

function gracePeriodDays(call: Call): number | undefined {
	const days = call.json().get('lengthOfGracePeriodInDays');
	if (days === undefined) return undefined;
	if (typeof days !== 'number')
		throw cannotParse('The length of the grace period is not a number.');
	if (Math.abs(days) > 100_000) throw invalidProperty('The grace period has a wrong length.');
	return days;
}

function find(call: Call): DeletionRow {
	const { deletions } = call.caller().identity;
	const wanted = requireId('IDP', call.parameters[0]);
	const process = deletions.find(({ id }) => id === wanted);
	if (process === undefined) throw notFound('IdentityDeletionProcess');
	return process;
}

/** Status for the client: running processes are `Approved` on v1 and `Active` on v2. */
function shown(process: DeletionRow, call: Call, { settings }: Sandbox): object {
	const running = call.version === 'v1' ? 'Approved' : 'Active';
	const { approvalPeriodEndsAt, rejectedAt, rejectedByDevice, remindersSentAt } = process;
	return {
		id: process.id,
		status: process.status === 'Running' ? running : process.status,
		createdAt: process.createdAt,
		createdByDevice: process.createdByDevice,
		...(settings.hasDeletionApproval ? { approvalPeriodEndsAt, rejectedAt, rejectedByDevice } : {}),
		approvedAt: process.approvedAt,
		approvedByDevice: process.approvedByDevice,
		gracePeriodEndsAt: process.gracePeriodEndsAt,
		gracePeriodReminder1SentAt: remindersSentAt[0],
		gracePeriodReminder2SentAt: remindersSentAt[1],
		gracePeriodReminder3SentAt: remindersSentAt[2],
	};
}
