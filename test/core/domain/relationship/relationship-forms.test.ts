import { toRelationshipDto } from '../../../../core/domain/relationship/relationship-dto';
import { stateOf } from '../../../../core/domain/relationship/wire-relationship';
import type { WireRelationshipMetadata } from '../../../../core/backbone/dto';
import { relationshipRecord } from '../../sync/reconciliation/comparison-bench';

describe('the state of a relationship at the Backbone', () => {
	const entry = {
		createdAt: '2030-01-01T00:00:01.000Z',
		...{ createdBy: 'the peer', createdByDevice: 'DVC1', reason: 'Termination' },
		...{ oldStatus: 'Active', newStatus: 'Terminated' },
	};
	const stateWith = (parts: object) =>
		stateOf({ status: 'Terminated', auditLog: [entry], ...parts } as WireRelationshipMetadata);

	it('is stored as it is', () => {
		expect(stateWith({})).toStrictEqual({ status: 'Terminated', auditLog: [entry] });
	});

	it('has no members that are null', () => {
		const { createdByDevice: _device, oldStatus: _old, ...rest } = entry;
		const auditLog = [{ ...entry, createdByDevice: null, oldStatus: null }];
		expect(stateWith({ auditLog }).auditLog).toStrictEqual([rest]);
	});

	it('has its audit log in order', () => {
		const earlier = { ...entry, createdAt: '2030-01-01T00:00:00.000Z', reason: 'Creation' };
		const reasons = stateWith({ auditLog: [entry, earlier] }).auditLog.map(({ reason }) => reason);
		expect(reasons).toEqual(['Creation', 'Termination']);
	});

	it('counts as left by one side when both have left', () => {
		const statuses = { oldStatus: 'DeletionProposed', newStatus: 'ReadyForDeletion' };
		expect(
			stateWith({ status: 'ReadyForDeletion', auditLog: [{ ...entry, ...statuses }] }),
		).toMatchObject({
			status: 'DeletionProposed',
			auditLog: [{ oldStatus: 'DeletionProposed', newStatus: 'DeletionProposed' }],
		});
	});
});

describe('the public form of a relationship', () => {
	const dto = (parts: Parameters<typeof relationshipRecord>[1]) => {
		const secrets = { template: { secretKey: 'A'.repeat(43) } };
		return toRelationshipDto(relationshipRecord('REL1', parts), secrets, 'http://localhost');
	};

	it.each(['RelationshipCreationContent', 'ArbitraryRelationshipCreationContent'])(
		'has creation content of the type %s as it is',
		(type) => {
			const creationContent = { '@type': type, other: 1 };
			expect(dto({ creationContent }).creationContent).toEqual(creationContent);
		},
	);

	it.each([{ value: 1 }, { '@type': 'Mail' }])('wraps any other creation content: %j', (value) => {
		expect(dto({ creationContent: value }).creationContent).toEqual({
			'@type': 'ArbitraryRelationshipCreationContent',
			value,
		});
	});

	it('names the identity of the peer', () => {
		const peerPublicKey = `${'B'.repeat(42)}A`;
		const { peer, peerIdentity } = dto({ peer: 'the peer', peerPublicKey });
		expect([peer, peerIdentity.address]).toEqual(['the peer', 'the peer']);
		const key = Buffer.from(peerIdentity.publicKey, 'base64url').toString();
		expect(JSON.parse(key)).toMatchObject({ pub: peerPublicKey });
	});

	it('tells about the planned deletion of the peer, if there is one', () => {
		expect(Object.keys(dto({}))).not.toContain('peerDeletionInfo');
		const info = {
			deletionStatus: 'ToBeDeleted',
			deletionDate: '2030-02-01T00:00:00.000Z',
		} as const;
		expect(dto({ peerDeletionInfo: info }).peerDeletionInfo).toEqual(info);
	});
});
