import { defineErrors } from '../base/errors';

/**
 * Error codes of the store (docs/adr/0004, docs/adr/0005). Remedies name the fields of the
 * credential.
 */
export const storeErrors = defineErrors({
	queueMode: {
		code: 'error.gateway.store.sqliteInQueueMode',
		kind: 'invalid',
		meaning: 'n8n runs in queue mode, and the account is kept in SQLite.',
		remedy:
			"Choose PostgreSQL in 'Storage' of the credential, or run n8n in regular mode: with SQLite a worker on another host would silently create a second identity.",
	},
	passphraseRequired: {
		code: 'error.gateway.store.passphraseRequired',
		kind: 'invalid',
		meaning: 'The account is kept in PostgreSQL, and no storage passphrase was given.',
		remedy:
			"Enter a 'Storage Passphrase': it seals the keys of the identity in the database, and every process needs the same.",
	},
	postgresUnreachable: {
		code: 'error.gateway.store.postgresUnreachable',
		kind: 'unavailable',
		meaning: 'The PostgreSQL server cannot be reached.',
		remedy: "Check 'Host' and 'Port' of the PostgreSQL server, and whether it runs.",
	},
	postgresHostNotFound: {
		code: 'error.gateway.store.postgresHostNotFound',
		kind: 'unavailable',
		meaning: 'The host name of the PostgreSQL server could not be resolved.',
		remedy: "Check the spelling of 'Host'; the name has to be known where n8n runs.",
	},
	postgresRefused: {
		code: 'error.gateway.store.postgresRefused',
		kind: 'forbidden',
		meaning: 'PostgreSQL rejected the user, the password or the host that connects.',
		remedy: "Check 'User' and 'Password', and the server's rules for this user (pg_hba.conf).",
	},
	postgresNoDatabase: {
		code: 'error.gateway.store.postgresNoDatabase',
		kind: 'invalid',
		meaning: 'The PostgreSQL server has no database of this name.',
		remedy: "Check 'Database', or create it first; encoding UTF8.",
	},
	postgresForbidden: {
		code: 'error.gateway.store.postgresForbidden',
		kind: 'forbidden',
		meaning: 'The PostgreSQL user may not create or use the schema of the account.',
		remedy:
			'Let the user create schemas (grant create on database), or create an empty schema of that name that belongs to it.',
	},
	postgresTls: {
		code: 'error.gateway.store.postgresTls',
		kind: 'invalid',
		meaning:
			'No encrypted connection to PostgreSQL could be made, or the server requires another kind of connection.',
		remedy:
			"Check 'SSL', which has to be what the server wants, 'Host', which has to be the name in its certificate, and 'CA Certificate', the authority that signed it.",
	},
	postgresUnsuitable: {
		code: 'error.gateway.store.postgresUnsuitable',
		kind: 'invalid',
		meaning: 'The PostgreSQL server is too old, or its database does not use UTF8.',
		remedy: 'Use PostgreSQL 13 or later and a database with encoding UTF8.',
	},
	postgresPooled: {
		code: 'error.gateway.store.postgresPooled',
		kind: 'invalid',
		meaning: 'A pooler between n8n and PostgreSQL gives each transaction another connection.',
		remedy:
			"Enter host and port of the PostgreSQL server itself, or let the pooler pool sessions (PgBouncer: 'pool_mode = session' for this database; hosted poolers have a port of their own for it).",
	},
	postgresOverloaded: {
		code: 'error.gateway.store.postgresOverloaded',
		kind: 'unavailable',
		meaning: 'PostgreSQL has no free connections, memory or disk space.',
		remedy: 'Look at connections, memory and disk of the PostgreSQL server, then repeat.',
	},
	postgresLost: {
		code: 'error.gateway.store.postgresLost',
		kind: 'unavailable',
		meaning: 'The connection to PostgreSQL was lost before a change was stored.',
		remedy: 'The change was not stored. Repeat it in a moment: the connection is being restored.',
	},
	postgresOutcomeUnknown: {
		code: 'error.gateway.store.postgresOutcomeUnknown',
		kind: 'unavailable',
		meaning: 'The connection to PostgreSQL was lost while a change was being stored.',
		remedy:
			'The change may or may not have been stored. Check before you repeat it, once PostgreSQL is reachable again.',
	},
	leaseLost: {
		code: 'error.gateway.store.leaseLost',
		kind: 'unavailable',
		meaning:
			'Another process took over the work of this one, which had been suspended for too long.',
		remedy: 'Nothing needs to be done: the other process continues the work.',
	},
	foreignSchema: {
		code: 'error.gateway.store.foreignSchema',
		kind: 'conflict',
		meaning: 'The PostgreSQL schema holds tables of another program.',
		remedy: "Choose another 'Schema' or 'Account Name'; the tables belong to something else.",
	},
	folderNotAbsolute: {
		code: 'error.gateway.store.folderNotAbsolute',
		kind: 'invalid',
		meaning: 'The SQLite folder is not an absolute path.',
		remedy: "Enter the whole path in 'SQLite Folder', beginning at the root, or leave it empty.",
	},
	folderNotAllowed: {
		code: 'error.gateway.store.folderNotAllowed',
		kind: 'forbidden',
		meaning: 'The SQLite folder is not among the folders that are allowed for accounts.',
		remedy:
			"Enter a folder in 'SQLite Folder' that the operator of this process allows, or ask the operator to add the folder to ENMESHED_ALLOWED_FOLDERS.",
	},
	notWritable: {
		code: 'error.gateway.store.notWritable',
		kind: 'invalid',
		meaning: 'The SQLite folder or a file in it cannot be created or written.',
		remedy: "Give the n8n process write access to the folder, or choose another 'SQLite Folder'.",
	},
	tooManyOpenFiles: {
		code: 'error.gateway.store.tooManyOpenFiles',
		kind: 'unavailable',
		meaning: 'The operating system does not let the process open any more files.',
		remedy:
			"Raise the limit of open files for the process ('ulimit -n', 'LimitNOFILE' of a service, 'ulimits' of a container), or find out what keeps so many open; then repeat.",
	},
	foreignFile: {
		code: 'error.gateway.store.foreignFile',
		kind: 'conflict',
		meaning: 'The database file was made by another program.',
		remedy: "Choose another 'SQLite Folder' or 'Account Name'; the file belongs to something else.",
	},
	newerSchema: {
		code: 'error.gateway.store.newerSchema',
		kind: 'conflict',
		meaning: 'The account was last used with a newer version of this package.',
		remedy: 'It was written by a newer version of this package; update the package.',
	},
	earlierSchema: {
		code: 'error.gateway.store.earlierSchema',
		kind: 'conflict',
		meaning: 'The account was made by a version of this package from before its first release.',
		remedy:
			"This version cannot take the account over. Choose another 'Account Name' to begin with a new identity, or go back to the version that made the account.",
	},
	wrongPassphrase: {
		code: 'error.gateway.store.wrongPassphrase',
		kind: 'forbidden',
		meaning: 'The storage passphrase does not open the account.',
		remedy: "Enter the 'Storage Passphrase' that this account was created with.",
	},
	passphraseMissing: {
		code: 'error.gateway.store.passphraseMissing',
		kind: 'forbidden',
		meaning: 'The account is sealed with a passphrase, and none was given.',
		remedy: "This account is sealed with a passphrase: enter it in 'Storage Passphrase'.",
	},
	passphraseUnexpected: {
		code: 'error.gateway.store.passphraseUnexpected',
		kind: 'conflict',
		meaning: 'A storage passphrase was given for an account that has none.',
		remedy:
			"This account is sealed with its key file: leave 'Storage Passphrase' empty, or choose another 'Account Name'.",
	},
	databaseMissing: {
		code: 'error.gateway.store.databaseMissing',
		kind: 'conflict',
		meaning: 'The database file of the account is gone, while its key file is still there.',
		remedy:
			"Put the database file back, from the same backup as its key file, or bring the account back with 'npx n8n-nodes-enmeshed account import'. Only if you want to give up its identity permanently, rename or remove the files that the message names; a new account is created then.",
	},
	databaseReplaced: {
		code: 'error.gateway.store.databaseReplaced',
		kind: 'unavailable',
		meaning: 'The database file was deleted or replaced while the account was open.',
		remedy:
			'Nothing is stored or sent until this is resolved. Stop n8n, put the database file back where it was, or restore it together with its key file from one backup, then start n8n.',
	},
	keyFileMissing: {
		code: 'error.gateway.store.keyFileMissing',
		kind: 'conflict',
		meaning: 'The key file of the account is gone. A backup without it may have been restored.',
		remedy:
			'Put the key file back beside the database file, from the same backup. Without it the identity cannot be used again.',
	},
	wrongKeyFile: {
		code: 'error.gateway.store.wrongKeyFile',
		kind: 'conflict',
		meaning:
			'The key file does not open the account. It may come from another backup than the database.',
		remedy: 'Put back the key file that belongs to this database file, from the same backup.',
	},
	wrongClientSecret: {
		code: 'error.gateway.store.wrongClientSecret',
		kind: 'forbidden',
		meaning: 'The client secret differs from the secret with which the account was last used.',
		remedy:
			"Enter the 'Client Secret' with which this account was last used. If it was changed at the Backbone, enter the former secret once in 'Previous Client Secret'.",
	},
	invalidList: {
		code: 'error.gateway.store.invalidList',
		kind: 'invalid',
		meaning: 'A list is asked for by a field that it does not have, or with a wrong number.',
		remedy:
			"Order by 'inserted' or a field of the list, 'asc' or 'desc'; limit and offset are whole numbers from 0 on.",
	},
	busy: {
		code: 'error.gateway.store.busy',
		kind: 'unavailable',
		meaning: 'Another process kept the database locked for too long.',
		remedy: 'Another process has been writing to this account for a long time; repeat in a moment.',
	},
	ioFailed: {
		code: 'error.gateway.store.ioFailed',
		kind: 'unavailable',
		meaning: 'The disk failed to read or write, or is full.',
		remedy: 'Look at the free space and the health of the disk, then repeat the operation.',
	},
	damagedFile: {
		code: 'error.gateway.store.damagedFile',
		kind: 'internal',
		meaning: 'The database file is damaged.',
		remedy: 'Restore the database from a backup, a SQLite file together with its key file.',
	},
	rolledBack: {
		code: 'error.gateway.store.rolledBack',
		kind: 'conflict',
		meaning: 'The database lost changes that it had confirmed: it is an older copy of itself.',
		remedy:
			'Find out why the database returned to an older state: a standby that lagged behind may have taken over, or a backup was restored while n8n was running. Then restart n8n: at its start the gateway compares the account with the Backbone and continues safely.',
	},
	accountMoved: {
		code: 'error.gateway.store.accountMoved',
		kind: 'conflict',
		meaning: 'The account was moved to another place; this is its former copy.',
		remedy:
			"Enter the place that the message names in the credential, and remove this copy when you no longer need it. Only if that place is lost permanently: 'npx n8n-nodes-enmeshed account import --help' explains how to use a former copy again.",
	},
	moveUnfinished: {
		code: 'error.gateway.store.moveUnfinished',
		kind: 'conflict',
		meaning: 'A move or import of the account was interrupted.',
		remedy:
			"Run the same 'npx n8n-nodes-enmeshed account' command again: it completes what was begun. Until the copy is complete and proven, the account is where it came from.",
	},
	openElsewhere: {
		code: 'error.gateway.store.openElsewhere',
		kind: 'conflict',
		meaning: 'The account is open in another program.',
		remedy:
			'Stop n8n and every other program that uses this account, then repeat the command: no program may write to the account while it is moved.',
	},
	unknownCursor: {
		code: 'error.gateway.store.unknownCursor',
		kind: 'notFound',
		meaning:
			'A list was to continue after a record that does not exist, or that has no place in the order of the list.',
		remedy:
			'Read the list from its beginning, or continue after another record of the page before.',
	},
	queryTooLarge: {
		code: 'error.gateway.store.queryTooLarge',
		kind: 'invalid',
		meaning: 'A query has too many conditions or values, or a text that is too long.',
		remedy: 'Use fewer conditions, fewer values or a shorter text.',
	},
	corruptRow: {
		code: 'error.gateway.store.corruptRow',
		kind: 'internal',
		meaning: 'A row of the database cannot be read.',
		remedy:
			'The database is damaged; restore it from a backup, a SQLite file together with its key file.',
	},
	closed: {
		code: 'error.gateway.store.closed',
		kind: 'unavailable',
		meaning: 'The store of the account was closed during the operation.',
		remedy: 'The gateway is being closed; repeat the operation.',
	},
});
