import { loosely } from '../loosely';
import { createdAt, intentRecord, messageRecord, messageSecrets, templateRecord } from '../records';
import { time, type Examples } from './example';

/** Examples of the collections by which relationships and messages come about. */
export const exchangeFields: Examples<
	'templates' | 'relationships' | 'relationshipIntents' | 'messages' | 'sendIntents'
> = {
	templates: {
		secrets: { secretKey: 'k' },
		full: {
			record: templateRecord('RLT1', {
				createdAt: time(1),
				expiresAt: time(2),
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				maxNumberOfAllocations: 3,
				forIdentity: 'did:e:f',
				content: { title: 'welcome' },
				templateKey: { id: 'TPK1', publicKey: 'key' },
				purpose: 'newsletter',
				deletedAt: time(3),
			}),
			fields: {
				isOwn: true,
				createdAt: time(1),
				expiresAt: time(2),
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				maxNumberOfAllocations: 3,
				forIdentity: 'did:e:f',
				title: 'welcome',
				purpose: 'newsletter',
				templateKeyId: 'TPK1',
				deletedAt: time(3),
			},
		},
		bare: {
			record: templateRecord('RLT2', { isOwn: false, content: { title: ['welcome'] } }),
			fields: {
				isOwn: false,
				createdAt,
				createdBy: 'did:e:own',
				createdByDevice: 'DVCown',
				templateKeyId: 'TPKRLT2',
			},
		},
	},
	relationships: {
		secrets: { template: { secretKey: 'k' } },
		full: {
			record: {
				id: 'REL1',
				status: 'Active',
				peer: 'did:e:a',
				peerPublicKey: 'key',
				createdByUs: true,
				templateId: 'RLT1',
				template: templateRecord('RLT1', { purpose: 'newsletter' }),
				creationContent: {},
				auditLog: [],
				createdAt: time(1),
			},
			fields: {
				peer: 'did:e:a',
				status: 'Active',
				templateId: 'RLT1',
				purpose: 'newsletter',
				createdAt: time(1),
				createdByUs: true,
			},
		},
		bare: {
			record: {
				id: 'REL2',
				status: 'Pending',
				peer: 'did:e:b',
				peerPublicKey: 'key',
				createdByUs: false,
				templateId: 'RLT2',
				template: templateRecord('RLT2'),
				creationContent: {},
				auditLog: [],
				createdAt,
			},
			fields: {
				peer: 'did:e:b',
				status: 'Pending',
				templateId: 'RLT2',
				createdAt,
				createdByUs: false,
			},
		},
	},
	relationshipIntents: {
		secrets: { request: {} },
		full: {
			record: { id: 'RIN1', templateId: 'RLT1', createdAt, creationContent: loosely({}) },
			fields: { templateId: 'RLT1' },
		},
		bare: {
			record: { id: 'RIN2', templateId: 'RLT2', createdAt, creationContent: loosely({}) },
			fields: { templateId: 'RLT2' },
		},
	},
	messages: {
		secrets: messageSecrets,
		full: {
			record: messageRecord('MSG1', {
				isOwn: true,
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				createdAt: time(1),
				content: { '@type': 'Mail', subject: 'hello', body: 'text', bodyFormat: 'Markdown' },
				recipients: [
					{ address: 'did:e:b', relationshipId: 'REL1' },
					{ address: 'did:e:c', relationshipId: 'REL2' },
				],
				attachments: ['FIL1', 'FIL2'],
				wasReadAt: time(2),
				identity: 'signed',
			}),
			fields: {
				isOwn: true,
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				createdAt: time(1),
				contentType: 'Mail',
				subject: 'hello',
				body: 'text',
				bodyFormat: ['Markdown'],
				wasReadAt: time(2),
				participant: ['did:e:a', 'did:e:b', 'did:e:c'],
				recipient: ['did:e:b', 'did:e:c'],
				recipientRelationshipId: ['REL1', 'REL2'],
				attachment: ['FIL1', 'FIL2'],
				identity: 'signed',
			},
		},
		bare: {
			record: messageRecord('MSG2', {
				content: {},
				recipients: [{ address: 'did:e:d' }],
			}),
			fields: {
				isOwn: false,
				createdBy: 'did:e:peer',
				createdByDevice: 'DVCpeer',
				createdAt,
				participant: ['did:e:peer', 'did:e:d'],
				recipient: 'did:e:d',
			},
		},
	},
	sendIntents: {
		secrets: messageSecrets,
		full: {
			record: intentRecord('INT1', {
				state: 'sent',
				createdAt: time(1),
				idempotencyKey: 'k',
			}),
			fields: { idempotencyKey: 'k', state: 'sent', createdAt: time(1) },
		},
		bare: {
			record: intentRecord('INT2'),
			fields: { state: 'prepared', createdAt },
		},
	},
};
