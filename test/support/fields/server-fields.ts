import { time, type Examples } from './example';

const createdAt = time(1);

/** Examples of the collections that the HTTP gateway uses. */
export const serverFields: Examples<
	'accessKeys' | 'auditEntries' | 'auditChain' | 'hostedAccounts'
> = {
	accessKeys: {
		secrets: undefined,
		full: {
			record: {
				id: 'KEY1',
				name: 'crm',
				digest: 'digest-1',
				scopes: ['core:*'],
				createdAt,
				expiresAt: time(4),
				rotatedAt: time(2),
				previous: { digest: 'digest-0', validUntil: time(3) },
			},
			fields: { name: 'crm', digest: 'digest-1', previousDigest: 'digest-0' },
		},
		bare: {
			record: { id: 'KEY2', name: 'erp', digest: 'digest-2', scopes: [], createdAt },
			fields: { name: 'erp', digest: 'digest-2' },
		},
	},
	auditEntries: {
		secrets: undefined,
		full: {
			record: {
				id: '1',
				at: createdAt,
				account: 'default',
				actor: { kind: 'key', id: 'KEY1', name: 'crm' },
				method: 'POST',
				route: '/Messages',
				object: 'MSG1',
				status: 201,
				code: 'error.runtime.recordNotFound',
				correlationId: 'call-1',
				begunAs: 0,
				isRepeated: true,
				address: '192.0.2.1',
				times: 2,
				mac: 'mac-1',
			},
			fields: {},
		},
		bare: {
			record: {
				id: '2',
				at: time(5),
				account: 'school',
				actor: { kind: 'unknown', name: 'unknown' },
				method: 'GET',
				route: '/Files',
				mac: 'mac-2',
			},
			fields: {},
		},
	},
	auditChain: {
		secrets: { key: 'key', first: { number: 1, before: '' }, newest: { number: 2, mac: 'mac-2' } },
		full: { record: { id: 'chain' }, fields: {} },
		bare: { record: { id: 'other' }, fields: {} },
	},
	hostedAccounts: {
		secrets: { settings: '{}' },
		full: {
			record: {
				id: 'school',
				createdAt,
				isStored: true,
				isPaused: true,
				isBeingDeleted: true,
			},
			fields: { createdAt },
		},
		bare: {
			record: {
				id: 'branch',
				createdAt: time(5),
				isStored: false,
				isPaused: false,
				isBeingDeleted: false,
			},
			fields: { createdAt: time(5) },
		},
	},
};
