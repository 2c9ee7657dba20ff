import { defineErrors } from '../base/errors';

/** Coded errors of the store (design, decisions 2, 10, 12). Remedies name the credential's fields. */
export const storeErrors = defineErrors({
	postgresNotBuilt: {
		code: 'error.gateway.store.postgresNotAvailable',
		kind: 'invalid',
		remedy: 'Use SQLite for now; PostgreSQL support comes with a later version.',
	},
	queueMode: {
		code: 'error.gateway.store.sqliteInQueueMode',
		kind: 'invalid',
		remedy:
			'Run n8n in regular mode: a worker on another host would silently create a second identity. PostgreSQL support comes with a later version.',
	},
	folderNotAbsolute: {
		code: 'error.gateway.store.folderNotAbsolute',
		kind: 'invalid',
		remedy: "Enter the whole path in 'SQLite Folder', beginning at the root, or leave it empty.",
	},
	notWritable: {
		code: 'error.gateway.store.notWritable',
		kind: 'invalid',
		remedy: "Give the n8n process write access to the folder, or choose another 'SQLite Folder'.",
	},
	foreignFile: {
		code: 'error.gateway.store.foreignFile',
		kind: 'conflict',
		remedy: "Choose another 'SQLite Folder' or 'Account Name'; the file belongs to something else.",
	},
	newerSchema: {
		code: 'error.gateway.store.newerSchema',
		kind: 'conflict',
		remedy: 'The file was written by a newer version of this package; update the package.',
	},
	wrongPassphrase: {
		code: 'error.gateway.store.wrongPassphrase',
		kind: 'forbidden',
		remedy: "Enter the 'Storage Passphrase' that this account was created with.",
	},
	passphraseMissing: {
		code: 'error.gateway.store.passphraseMissing',
		kind: 'forbidden',
		remedy: "This account is sealed with a passphrase: enter it in 'Storage Passphrase'.",
	},
	passphraseUnexpected: {
		code: 'error.gateway.store.passphraseUnexpected',
		kind: 'conflict',
		remedy:
			"This account is sealed with its key file: leave 'Storage Passphrase' empty, or choose another 'Account Name'.",
	},
	keyFileMissing: {
		code: 'error.gateway.store.keyFileMissing',
		kind: 'conflict',
		remedy:
			'Put the key file back beside the database file, from the same backup. Without it the identity cannot be used again.',
	},
	wrongKeyFile: {
		code: 'error.gateway.store.wrongKeyFile',
		kind: 'conflict',
		remedy: 'Put back the key file that belongs to this database file, from the same backup.',
	},
	wrongClientSecret: {
		code: 'error.gateway.store.wrongClientSecret',
		kind: 'forbidden',
		remedy:
			"Enter the 'Client Secret' this account was last used with. If it was changed at the Backbone, enter the former one once in 'Previous Client Secret'.",
	},
	busy: {
		code: 'error.gateway.store.busy',
		kind: 'unavailable',
		remedy: 'Another process has been writing to this account for long; repeat in a moment.',
	},
	ioFailed: {
		code: 'error.gateway.store.ioFailed',
		kind: 'unavailable',
		remedy: 'Look at the free space and the health of the disk, then repeat the operation.',
	},
	damagedFile: {
		code: 'error.gateway.store.damagedFile',
		kind: 'internal',
		remedy: 'Restore the database file from a backup together with its key file.',
	},
	accountMoved: {
		code: 'error.gateway.store.accountMoved',
		kind: 'conflict',
		remedy:
			"Enter the place that the message names in the credential, and remove this copy when you do not need it any more. Only if that place is lost for good: 'npx n8n-nodes-enmeshed account import --help' says how to bring a former copy back.",
	},
	moveUnfinished: {
		code: 'error.gateway.store.moveUnfinished',
		kind: 'conflict',
		remedy:
			"Run the same 'npx n8n-nodes-enmeshed account' command again: it completes what was begun. Until the copy is complete and proven, the account is where it came from.",
	},
	openElsewhere: {
		code: 'error.gateway.store.openElsewhere',
		kind: 'conflict',
		remedy:
			'Stop n8n and every other program that uses this account, then repeat the command: nobody may write while it is moved.',
	},
	queryTooLarge: {
		code: 'error.gateway.store.queryTooLarge',
		kind: 'invalid',
		remedy: 'Ask with fewer conditions, fewer values or a shorter text.',
	},
	corruptRow: {
		code: 'error.gateway.store.corruptRow',
		kind: 'internal',
		remedy: 'The database file is damaged; restore it from a backup together with its key file.',
	},
	closed: {
		code: 'error.gateway.store.closed',
		kind: 'unavailable',
		remedy: 'The gateway is being closed; repeat the operation.',
	},
});
