import { loosely } from '../loosely';
import { attributeRecord, createdAt } from '../records';
import { time, type Examples } from './example';

/** Examples of the collections whose records hold content of peers and users. */
export const contentFields: Examples<
	| 'attributes'
	| 'attributeListeners'
	| 'localNotifications'
	| 'identityMetadata'
	| 'settings'
	| 'drafts'
	| 'requests'
> = {
	attributes: {
		secrets: undefined,
		full: {
			record: attributeRecord('ATT1', {
				createdAt: time(1),
				content: loosely({
					'@type': 'RelationshipAttribute' as const,
					owner: 'did:e:owner',
					value: { '@type': 'ProprietaryString' as const, value: 'x' },
					key: 'customer number',
					confidentiality: 'private' as const,
					isTechnical: true,
					validFrom: time(2),
					validTo: time(3),
					tags: ['tag-a', 7, 'tag-b'],
				}),
				wasViewedAt: time(4),
				parentId: 'ATTparent',
				succeeds: 'ATTbefore',
				succeededBy: 'ATTafter',
				isDefault: true,
				shareInfo: {
					peer: 'did:e:sharer',
					sharedId: 'ATTshared',
					requestReference: 'REQ1',
					notificationReference: 'NOT1',
					sourceAttribute: 'ATTsource',
					thirdPartyAddress: 'did:e:third',
					sourceIsDeleted: true,
				},
				deletionInfo: { deletionStatus: 'ToBeDeleted', deletionDate: time(5) },
			}),
			fields: {
				id: 'ATT1',
				createdAt: time(1),
				owner: 'did:e:owner',
				contentType: 'RelationshipAttribute',
				valueType: 'ProprietaryString',
				key: 'customer number',
				confidentiality: 'private',
				isTechnical: true,
				validFrom: time(2),
				validTo: time(3),
				wasViewedAt: time(4),
				peer: 'did:e:sharer',
				sharedId: 'ATTshared',
				requestReference: 'REQ1',
				notificationReference: 'NOT1',
				sourceAttribute: 'ATTsource',
				thirdPartyAddress: 'did:e:third',
				sourceIsDeleted: ['true'],
				parentId: 'ATTparent',
				succeeds: 'ATTbefore',
				succeededBy: 'ATTafter',
				deletionStatus: 'ToBeDeleted',
				deletionDate: time(5),
				isDefault: true,
				canonicalValue: '{"@type":"ProprietaryString","value":"x"}',
				tag: ['tag-a', 'tag-b'],
				// Only an attribute without successor finds its contact: test/core/domain/contact.
				contactValue: [],
				contactName: [],
			},
		},
		bare: {
			record: {
				id: 'ATT2',
				createdAt,
				content: loosely({ isTechnical: 'yes', tags: 'tag-a', value: 7 }),
			},
			fields: { id: 'ATT2', createdAt, canonicalValue: '7' },
		},
	},
	attributeListeners: {
		secrets: undefined,
		full: {
			record: {
				id: 'ATL1',
				query: loosely({
					'@type': 'IdentityAttributeQuery' as const,
					valueType: 'DisplayName' as const,
					key: 'k',
				}),
				peer: 'did:e:a',
			},
			fields: { peer: 'did:e:a', asked: '["IdentityAttributeQuery","DisplayName"]' },
		},
		bare: {
			record: {
				id: 'ATL2',
				query: loosely({ '@type': 'ThirdPartyRelationshipAttributeQuery' as const, key: 'k' }),
				peer: 'did:e:b',
			},
			fields: { peer: 'did:e:b', asked: '["ThirdPartyRelationshipAttributeQuery","k"]' },
		},
	},
	localNotifications: {
		secrets: undefined,
		full: {
			record: {
				id: 'NOT1',
				isOwn: true,
				peer: 'did:e:a',
				createdAt: time(1),
				receivedByDevice: 'DVC1',
				content: loosely({}),
				status: 'Completed',
				source: { type: 'Message', reference: 'MSG1' },
			},
			fields: {
				isOwn: true,
				peer: 'did:e:a',
				createdAt: time(1),
				status: 'Completed',
				receivedByDevice: 'DVC1',
				sourceReference: 'MSG1',
			},
		},
		bare: {
			record: {
				id: 'NOT2',
				isOwn: false,
				peer: 'did:e:b',
				createdAt,
				content: loosely({}),
				status: 'Open',
				source: { type: 'Message', reference: 'MSG2' },
			},
			fields: {
				isOwn: false,
				peer: 'did:e:b',
				createdAt,
				status: 'Open',
				sourceReference: 'MSG2',
			},
		},
	},
	identityMetadata: {
		secrets: undefined,
		full: {
			record: { id: 'IDM1', reference: 'did:e:a', key: 'k', value: {} },
			fields: { reference: 'did:e:a', slot: '["did:e:a","k"]' },
		},
		bare: {
			record: { id: 'IDM2', reference: 'did:e:b', value: {} },
			fields: { reference: 'did:e:b', slot: '["did:e:b"]' },
		},
	},
	settings: {
		secrets: undefined,
		full: {
			record: {
				id: 'SET1',
				key: 'theme',
				scope: 'Relationship',
				reference: 'REL1',
				value: {},
				createdAt: time(1),
				succeedsItem: 'SET0',
				succeedsAt: time(2),
			},
			fields: {
				key: 'theme',
				scope: 'Relationship',
				reference: 'REL1',
				createdAt: time(1),
				succeedsItem: 'SET0',
				succeedsAt: time(2),
			},
		},
		bare: {
			record: { id: 'SET2', key: 'language', scope: 'Identity', value: {}, createdAt },
			fields: { key: 'language', scope: 'Identity', createdAt },
		},
	},
	drafts: {
		secrets: undefined,
		full: {
			record: {
				id: 'DRF1',
				type: 'mail',
				createdAt: time(1),
				lastModifiedAt: time(2),
				content: loosely({}),
			},
			fields: { type: 'mail', createdAt: time(1), lastModifiedAt: time(2) },
		},
		bare: {
			record: { id: 'DRF2', type: '', createdAt, lastModifiedAt: createdAt, content: {} },
			fields: { type: '', createdAt, lastModifiedAt: createdAt },
		},
	},
	requests: {
		secrets: undefined,
		full: {
			record: {
				id: 'REQ1',
				isOwn: true,
				peer: 'did:e:a',
				createdAt: time(1),
				status: 'Open',
				content: loosely({
					expiresAt: time(2),
					items: [
						{ '@type': 'ConsentRequestItem' as const },
						{
							'@type': 'RequestItemGroup' as const,
							items: [{ '@type': 'ReadAttributeRequestItem' as const }],
						},
						'no item',
					],
				}),
				source: { type: 'RelationshipTemplate', reference: 'RLT1' },
				response: {
					createdAt: time(3),
					content: loosely({
						result: 'Accepted',
						items: [
							{ '@type': 'AcceptResponseItem' as const },
							{
								'@type': 'ResponseItemGroup' as const,
								items: [{ '@type': 'RejectResponseItem' as const }],
							},
						],
					}),
					source: { type: 'Relationship', reference: 'REL1' },
				},
				wasAutomaticallyDecided: true,
				statusLog: [],
			},
			fields: {
				isOwn: true,
				peer: 'did:e:a',
				status: 'Open',
				createdAt: time(1),
				wasAutomaticallyDecided: true,
				expiresAt: time(2),
				openUntil: time(2),
				sourceType: 'RelationshipTemplate',
				sourceReference: 'RLT1',
				responseCreatedAt: time(3),
				responseSourceType: 'Relationship',
				responseSourceReference: 'REL1',
				responseResult: 'Accepted',
				ownId: 'REQ1',
				itemType: ['ConsentRequestItem', 'RequestItemGroup'],
				innerItemType: 'ReadAttributeRequestItem',
				responseItemType: ['AcceptResponseItem', 'ResponseItemGroup'],
				responseInnerItemType: 'RejectResponseItem',
			},
		},
		bare: {
			record: {
				id: 'REQ2',
				isOwn: false,
				peer: 'did:e:b',
				createdAt,
				status: 'Completed',
				content: loosely({ items: 'none', expiresAt: 7 }),
				statusLog: [],
				response: { createdAt: time(4), content: loosely({}) },
			},
			fields: {
				isOwn: false,
				peer: 'did:e:b',
				status: 'Completed',
				createdAt,
				responseCreatedAt: time(4),
				ownId: 'REQ2',
			},
		},
	},
};
