import { wireDeletionProcessSchema } from '../../../../core/backbone/dto/deletion-process';
import {
	isBehind,
	toDeletionProcess,
	type DeletionStatus,
} from '../../../../core/domain/identity/deletion-rules';

/* docs/protocol/backbone-api.md 9.2: there is no way back. */
const followers: Readonly<Record<string, readonly DeletionStatus[]>> = {
	WaitingForApproval: [
		'WaitingForApproval',
		'Approved',
		'Rejected',
		'Cancelled',
		'Deleting',
		'Deleted',
	],
	Approved: ['Approved', 'Rejected', 'Cancelled', 'Deleting', 'Deleted'],
	Rejected: ['Rejected', 'Deleting', 'Deleted'],
	Cancelled: ['Cancelled', 'Deleting', 'Deleted'],
	Deleting: ['Deleting', 'Deleted'],
	Deleted: ['Deleted'],
};
const statuses = Object.keys(followers);
const pairs = statuses.flatMap((known) => statuses.map((found) => [known, found] as const));

describe('the status of a deletion process', () => {
	it.each(pairs)('after %s, %s is news or not', (known, found) => {
		expect(isBehind(found, known)).toBe(!followers[known]?.includes(found));
	});
});

describe('a status that is not known', () => {
	it.each(statuses)('is news after %s unless the identity is gone, and %s after it', (status) => {
		expect(isBehind('Paused', status)).toBe(status === 'Deleted');
		expect(isBehind(status, 'Paused')).toBe(false);
	});
});

describe('a deletion process of the Backbone', () => {
	it('is kept without what is empty, with dates in one form', () => {
		const wire = wireDeletionProcessSchema.parse({
			id: 'IDP1',
			status: 'Approved',
			createdAt: '2030-01-01T01:00:00.1234567+01:00',
			createdByDevice: null,
			approvedAt: undefined,
			gracePeriodEndsAt: '2030-01-15T00:00:00Z',
		});
		expect(toDeletionProcess(wire)).toEqual({
			id: 'IDP1',
			status: 'Approved',
			createdAt: '2030-01-01T00:00:00.123Z',
			gracePeriodEndsAt: '2030-01-15T00:00:00.000Z',
		});
	});
});
