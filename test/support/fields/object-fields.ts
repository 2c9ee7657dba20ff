import { createdAt, fileRecord, workRecord } from '../records';
import { notBefore, time, type Examples } from './example';

/** Examples of the collections about files, tokens and work of the gateway. */
export const objectFields: Examples<
	| 'files'
	| 'tokens'
	| 'deletionProcesses'
	| 'work'
	| 'inbox'
	| 'waits'
	| 'webhooks'
	| 'idempotencyKeys'
> = {
	files: {
		secrets: { secretKey: 'k', contentKey: 'k' },
		full: {
			record: fileRecord('FIL1', {
				owner: 'did:e:o',
				createdAt: time(1),
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				expiresAt: time(2),
				filename: 'a.pdf',
				filesize: 77,
				mimetype: 'application/pdf',
				title: 'invoice',
				description: 'of May',
				ownershipIsLocked: true,
				ownershipTokenHash: 'hash of the token',
				idempotencyKey: 'k',
				tags: ['tag-a', 'tag-b'],
			}),
			fields: {
				isOwn: true,
				owner: 'did:e:o',
				createdAt: time(1),
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				expiresAt: time(2),
				filename: 'a.pdf',
				filesize: 77,
				mimetype: 'application/pdf',
				title: 'invoice',
				description: 'of May',
				ownershipIsLocked: true,
				ownershipTokenHash: 'hash of the token',
				idempotencyKey: 'k',
				tag: ['tag-a', 'tag-b'],
			},
		},
		bare: {
			record: fileRecord('FIL2', { isOwn: false }),
			fields: {
				isOwn: false,
				owner: 'did:e:own',
				createdAt,
				createdBy: 'did:e:own',
				createdByDevice: 'DVCown',
				expiresAt: '9999-12-31T00:00:00.000Z',
				filename: 'FIL2.txt',
				filesize: 1,
				mimetype: 'text/plain',
			},
		},
	},
	tokens: {
		secrets: { secretKey: 'k', content: {} },
		full: {
			record: {
				id: 'TOK1',
				isOwn: true,
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				createdAt: time(1),
				expiresAt: time(2),
				forIdentity: 'did:e:f',
			},
			fields: {
				isOwn: true,
				createdAt: time(1),
				createdBy: 'did:e:a',
				createdByDevice: 'DVC1',
				expiresAt: time(2),
				forIdentity: 'did:e:f',
			},
		},
		bare: {
			record: {
				id: 'TOK2',
				isOwn: false,
				createdBy: 'did:e:b',
				createdByDevice: 'DVC2',
				createdAt,
				expiresAt: time(3),
			},
			fields: {
				isOwn: false,
				createdAt,
				createdBy: 'did:e:b',
				createdByDevice: 'DVC2',
				expiresAt: time(3),
			},
		},
	},
	deletionProcesses: {
		secrets: undefined,
		full: { record: { id: 'IDP1', status: 'Approved' }, fields: { status: 'Approved' } },
		bare: { record: { id: 'IDP2', status: 'Cancelled' }, fields: { status: 'Cancelled' } },
	},
	work: {
		secrets: undefined,
		full: {
			record: workRecord('FIL1', 'deleteFile', { state: 'parked', dueAt: notBefore }),
			fields: { kind: 'deleteFile', state: 'parked', dueAt: notBefore },
		},
		bare: {
			record: workRecord('FIL2', 'deleteToken'),
			fields: { kind: 'deleteToken', state: 'waiting', dueAt: '' },
		},
	},
	inbox: {
		secrets: undefined,
		full: {
			record: {
				id: 'SYI1',
				runId: 'SYR1',
				type: 'MessageReceived',
				index: 0,
				createdAt: time(1),
				payload: { messageId: 'MSG1' },
				state: 'parked',
				attempts: 1,
				notBefore,
			},
			fields: {
				state: 'parked',
				runId: 'SYR1',
				createdAt: time(1),
				notBefore,
				failedSubject: '["MessageReceived",{"messageId":"MSG1"}]',
			},
		},
		bare: {
			record: {
				id: 'SYI2',
				runId: 'SYR2',
				type: 'MessageReceived',
				index: 1,
				createdAt,
				payload: {},
				state: 'pending',
				attempts: 0,
			},
			fields: { state: 'pending', runId: 'SYR2', createdAt },
		},
	},
	webhooks: {
		secrets: { secret: 'a secret of 20 chars', headers: { 'x-tenant': 'blue' } },
		full: {
			record: {
				id: 'WHK1',
				url: 'https://crm.example',
				events: ['transport.*'],
				filter: { peers: ['did:e:a'] },
				version: 6,
				headerNames: ['x-tenant'],
				createdAt,
				changedAt: createdAt,
				revision: 1,
			},
			fields: {},
		},
		bare: {
			record: {
				id: 'WHK2',
				url: 'https://crm.example',
				events: ['**'],
				version: 7,
				headerNames: [],
				createdAt,
				changedAt: createdAt,
				revision: 1,
			},
			fields: {},
		},
	},
	idempotencyKeys: {
		secrets: { answer: { status: 201, headers: {}, body: 'e30=' } },
		full: {
			record: {
				id: 'key1',
				fingerprint: 'f',
				createdAt,
				claim: { by: 'a~b', until: time(1) },
				created: [{ collection: 'tokens', id: 'TOK1' }],
				isAnswered: false,
			},
			fields: { createdAt },
		},
		bare: {
			record: { id: 'key2', fingerprint: 'f', createdAt: time(3), isAnswered: true },
			fields: { createdAt: time(3) },
		},
	},
	waits: {
		secrets: undefined,
		full: {
			record: {
				id: 'WAI1',
				key: 'k',
				kind: 'request',
				subject: 'REQ1',
				peer: 'did:e:a',
				createdAt,
				until: time(1),
				resumeUrl: 'https://n8n.example',
				note: {},
			},
			fields: { peer: 'did:e:a', subject: 'REQ1', dueAt: time(1) },
		},
		bare: {
			record: {
				id: 'WAI2',
				key: 'k',
				kind: 'template',
				subject: 'RLT1',
				createdAt,
				resumeUrl: 'https://n8n.example',
				note: {},
			},
			fields: { subject: 'RLT1' },
		},
	},
};
