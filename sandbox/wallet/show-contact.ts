import type { ContactDto, Gateway, RelationshipDto } from '../../core';
import { plainText } from './forms/value-texts';
import { labelOf } from './forms/words';
import { nameOfContact } from './names';
import type { ShownValue } from './shown/request';
import type { ContactAction, ShownContact } from './shown/state';

const statusTexts: Readonly<Record<string, string>> = {
	Active: 'Connected',
	Pending: 'Waiting for their answer',
	Rejected: 'Did not accept the connection',
	Revoked: 'Connection withdrawn',
	Terminated: 'No longer connected',
	DeletionProposed: 'Has removed you',
};

/** Contact with what both sides know of each other, and what the person can do. */
export async function showContact(gateway: Gateway, contact: ContactDto): Promise<ShownContact> {
	const { address, status, attributes, sharedAttributes, relationshipAttributes } = contact;
	const relationship = await gateway.relationships.get(contact.relationshipId);
	const since = sinceOf(relationship) ?? contact.since;
	const isGone = relationship.peerDeletionInfo !== undefined;
	return {
		...{ address, since, name: nameOfContact(contact), isActive: status === 'Active' && !isGone },
		statusText: isGone ? 'Is being deleted' : (statusTexts[status] ?? status),
		actions: actionsFor(relationship),
		shared: valuesOf(sharedAttributes),
		received: valuesOf(attributes),
		facts: valuesOf(relationshipAttributes),
	};
}

/** Time at which the relationship got its present status. */
function sinceOf({ auditLog }: RelationshipDto): string | undefined {
	return auditLog.findLast(({ oldStatus, newStatus }) => oldStatus !== newStatus)?.createdAt;
}

function actionsFor({ status, auditLog, peer }: RelationshipDto): ContactAction[] {
	const last = auditLog.at(-1);
	switch (status) {
		case 'Active':
			return ['leave'];
		case 'Pending':
			return ['withdraw'];
		case 'Terminated':
			if (last?.reason === 'ReactivationRequested') {
				return last.createdBy === peer ? ['acceptReactivation', 'remove'] : ['remove'];
			}
			return ['reactivate', 'remove'];
		case 'DeletionProposed':
			return ['remove'];
		default:
			return [];
	}
}

function valuesOf(values: Readonly<Record<string, unknown>>): ShownValue[] {
	return Object.entries(values).map(([type, value]) => ({
		label: labelOf(type),
		text: plainText(type, value),
	}));
}
