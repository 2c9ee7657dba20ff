import { time, type Examples } from './example';

const createdAt = time(1);

/** Examples of the collections that the HTTP gateway uses. */
export const serverFields: Examples<'accessKeys' | 'hostedAccounts'> = {
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
