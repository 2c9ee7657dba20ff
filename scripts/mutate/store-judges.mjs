/** Tests that judge the mutants of `core/store`, in the form of `judges.mjs`. */
const stores = [
	'contract/store.*',
	'contract/home.*',
	'contract/postgres/*',
	'contract/processes/*',
];

/** Tests that judge what the collections declare. */
const declarations = {
	quick: ['contract/sqlite-memory/fields', 'core/store/sql/{reaches-disk,stored-form}'],
	stories: ['contract/store.*', 'core/domain/collection-query'],
};

export const storeJudges = {
	'core/store/account': {
		quick: ['core/store/{account-*,open-store}', 'contract/sqlite-memory/transactions'],
		stories: ['contract/home.*', 'scenario/accounts/opening'],
	},
	'core/store/collections/lists/access-path.ts': {
		quick: ['core/store/collections/access-path', 'core/domain/list-plans'],
		stories: [],
	},
	'core/store/collections/lists/list-candidates.ts': {
		quick: ['core/store/collections/list-candidates'],
		stories: ['core/domain/list-plans'],
	},
	'core/store/collections/lists/page-plans.ts': {
		quick: ['core/store/collections/page-plans', 'contract/sqlite-memory/queries'],
		stories: ['contract/sqlite-memory/lists', 'core/domain/list-plans'],
	},
	'core/store/collections/lists/list-statements.ts': {
		quick: ['core/store/collections/page-reading', 'contract/sqlite-memory/{lists,queries}'],
		stories: ['core/domain/list-plans', 'contract/postgres/list-plans'],
	},
	'core/store/collections/lists/page-statements.ts': {
		quick: [
			'core/store/collections/page-{plans,reading,statements}',
			'contract/sqlite-memory/{lists,queries}',
			'core/domain/list-plans',
		],
		stories: ['contract/postgres/list-plans', 'contract/store.postgres*'],
	},
	'core/store/collections/lists': {
		quick: ['contract/sqlite-memory/*', 'core/domain/list-plans', 'core/store/collections/*'],
		stories: ['contract/postgres/list-plans'],
	},
	'core/store/collections/collection-statements.ts': {
		quick: ['contract/sqlite-memory/{queries,records}', 'core/store/collections/unawaited-writes'],
		stories: ['contract/store.postgres*', 'core/domain/collection-query'],
	},
	'core/store/collections/collections.ts': declarations,
	'core/store/collections/columns.ts': declarations,
	'core/store/collections/content-columns.ts': declarations,
	'core/store/collections/open-work.ts': declarations,
	'core/store/collections/indexes.ts': {
		quick: ['core/store/schema/*', 'core/domain/list-plans', 'contract/sqlite-memory/*'],
		stories: [],
	},
	'core/store/collections/secret-texts.ts': {
		quick: ['core/store/secret-texts', 'core/store/sql/sealer'],
		stories: ['scenario/at-rest/*'],
	},
	'core/store/collections/stored-json.ts': {
		quick: ['core/store/collections/stored-text'],
		stories: ['core/store/sqlite-file'],
	},
	'core/store/collections/stored-text.ts': {
		quick: ['core/store/collections/stored-text'],
		stories: ['contract/store.*'],
	},
	'core/store/collections/column-values.ts': {
		quick: ['contract/sqlite-memory/{fields,queries,searches,texts}', 'core/store/sql/stored-form'],
		stories: ['contract/store.*', 'core/domain/collection-query'],
	},
	'core/store/collections/conditions.ts': {
		quick: ['contract/sqlite-memory/{queries,records,texts}', 'core/store/collections/conditions'],
		stories: ['contract/store.*', 'core/domain/collection-query'],
	},
	'core/store/collections/opened-search.ts': {
		quick: ['contract/sqlite-memory/{queries,searches}', 'core/store/collections/opened-search'],
		stories: ['contract/store.*', 'core/domain/collection-query'],
	},
	'core/store/collections/sql-collection.ts': {
		quick: [
			'contract/sqlite-memory/{queries,records,searches}',
			'core/store/collections/{sql-collection,unawaited-writes}',
			'core/store/sql/{reaches-disk,stored-form}',
		],
		stories: ['contract/store.*', 'core/store/sqlite-file'],
	},
	'core/store/collections': {
		quick: [
			'contract/sqlite-memory/*',
			'core/store/{collections/*,sqlite-file,sql/{reaches-disk,stored-form}}',
			'core/domain/collection-query',
		],
		stories: ['contract/store.postgres*', 'core/domain/list-plans', 'scenario/at-rest/*'],
	},
	'core/store/schema': {
		quick: ['core/store/{schema/*,sqlite-file}', 'contract/postgres/{released-schema,account}'],
		stories: ['contract/store.*', 'scenario/at-rest/*'],
	},
	'core/store/open-store.ts': {
		quick: ['core/store/{account-key,allowed-folders,open-store}'],
		stories: ['contract/home.*', 'contract/postgres/credential-probe'],
	},
	'core/store/postgres/postgres-account.ts': {
		quick: ['contract/postgres/{account,pooling}'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-connection.ts': {
		quick: ['contract/postgres/single-connection'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-dialect.ts': {
		quick: ['core/store/postgres/dialect'],
		stories: ['contract/home.postgres'],
	},
	'core/store/postgres/postgres-failures.ts': {
		quick: ['core/store/postgres/failures'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-home.ts': {
		quick: ['contract/home.postgres', 'contract/postgres/{account,pooling,unfit-database}'],
		stories: ['scenario/account-transfer/*'],
	},
	'core/store/postgres/postgres-readers.ts': {
		quick: ['contract/postgres/readers'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-store.ts': {
		quick: ['contract/postgres/store'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-transaction.ts': {
		quick: ['contract/postgres/writer', 'core/store/postgres/transaction'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-writer.ts': {
		quick: ['contract/postgres/writer', 'core/store/postgres/writer'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/transaction-executor.ts': {
		quick: ['contract/postgres/readers'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/postgres-schema.ts': {
		quick: ['contract/postgres/{schema,unfit-database}'],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres/session-check.ts': {
		quick: ['contract/postgres/session-check'],
		stories: ['contract/postgres/pooling'],
	},
	'core/store/postgres/postgres-settings.ts': {
		quick: [
			'core/store/{postgres-settings,postgres/settings}',
			'contract/postgres/{session-settings,single-connection}',
		],
		stories: ['contract/postgres/*'],
	},
	'core/store/postgres': {
		quick: [
			'contract/postgres/{connections,credential-probe,pooling,session-settings,unfit-database}',
			'contract/home.postgres',
			'core/store/postgres/*',
		],
		stories: ['contract/postgres/*', 'contract/store.postgres*'],
	},
	'core/store/sql/sealer.ts': {
		quick: ['core/store/sql/{sealer,stored-form}', 'core/store/secret-texts'],
		stories: ['scenario/at-rest/*'],
	},
	'core/store/sql/sql-counters.ts': {
		quick: [
			'core/store/sql/{counters,reaches-disk,reserved-numbers}',
			'contract/sqlite-memory/numbers',
		],
		stories: ['contract/{home.sqlite,store.*}', 'scenario/counters/*'],
	},
	'core/store/sql/sql-leases.ts': {
		quick: ['core/store/sql/leases', 'contract/sqlite-memory/{numbers,open-work,transactions}'],
		stories: ['contract/processes/*'],
	},
	'core/store/sql/sql-sync-overview.ts': {
		quick: ['contract/sqlite-memory/open-work', 'core/store/sqlite-file'],
		stories: ['contract/store.*'],
	},
	'core/store/sql/sql-store.ts': {
		quick: [
			'contract/sqlite-memory/transactions',
			'core/store/{sqlite/store,sql/{leases,reaches-disk}}',
		],
		stories: ['contract/store.*'],
	},
	'core/store/sql/sql-transaction.ts': {
		quick: [
			'contract/sqlite-memory/transactions',
			'contract/store.postgres-sealed',
			'core/store/sql/{counters,leases,reaches-disk,transaction}',
		],
		stories: ['contract/store.*', 'contract/postgres/round-trips'],
	},
	'core/store/sql/sql-consumers.ts': {
		quick: ['contract/sqlite-memory/{events,texts}', 'core/store/sql/stored-form'],
		stories: ['contract/store.*'],
	},
	'core/store/sql/sql-outbox.ts': {
		quick: ['contract/sqlite-memory/{events,texts,transactions}', 'core/store/sql/stored-form'],
		stories: ['contract/store.*', 'scenario/at-rest/*'],
	},
	'core/store/sql': {
		quick: ['core/store/{collections/fields,sqlite-statements,sql/*}', 'contract/sqlite-memory/*'],
		stories: [
			'contract/{home.sqlite,store.sqlite,store.postgres*}',
			'core/store/*',
			'scenario/{at-rest,counters}/*',
		],
	},
	'core/store/sqlite/file-identity.ts': {
		quick: ['core/store/sqlite/file-identity'],
		stories: ['core/store/vanished-file'],
	},
	'core/store/sqlite/file-limit.ts': {
		quick: ['core/store/sqlite/file-limit'],
		stories: ['contract/processes/open-files'],
	},
	'core/store/sqlite/file-modes.ts': {
		quick: ['core/store/sqlite/file', 'core/store/open-store'],
		stories: [],
	},
	'core/store/sqlite/sqlite-connection.ts': {
		quick: [
			'contract/sqlite-memory/{fields,queries}',
			'core/store/{sqlite-statements,sqlite/{connection,resting,session}}',
		],
		stories: ['contract/store.sqlite'],
	},
	'core/store/sqlite/sqlite-failures.ts': {
		quick: ['core/store/sqlite/failures'],
		stories: ['core/store/sqlite-session'],
	},
	'core/store/sqlite/sqlite-file.ts': {
		quick: ['core/store/{sqlite-file,sqlite/file}'],
		stories: ['core/store/{locks,open-store,vanished-file}', 'contract/home.sqlite'],
	},
	'core/store/sqlite/sqlite-session.ts': {
		quick: ['core/store/{sqlite-session,sqlite/{resting,session}}', 'core/store/vanished-file'],
		stories: ['contract/store.sqlite', 'core/store/sqlite-file'],
	},
	'core/store/sqlite/sqlite-store.ts': {
		quick: ['core/store/{sqlite-file,sql/leases,sqlite/{resting,store}}'],
		stories: ['contract/store.sqlite'],
	},
	'core/store/sqlite/key-file.ts': { quick: ['core/store/sqlite/key-file'], stories: [] },
	'core/store/sqlite/sqlite-version.ts': { quick: ['core/store/sqlite-version'], stories: [] },
	'core/store/sqlite/log-sync.ts': {
		quick: ['core/store/sqlite/log-sync', 'core/store/sql/reaches-disk'],
		stories: ['scenario/messages/unconfirmed-commit'],
	},
	'core/store/sqlite/open-mark.ts': {
		quick: ['core/store/sqlite/open-mark', 'core/store/sql/leases'],
		stories: ['contract/processes/open-mark', 'contract/home.sqlite'],
	},
	'core/store/sqlite/sqlite-home.ts': {
		quick: ['core/store/sqlite/home', 'contract/home.sqlite'],
		stories: ['scenario/account-transfer/*'],
	},
	'core/store/sqlite': {
		quick: ['core/store/*', 'core/store/sql/{leases,reaches-disk}', 'core/store/sqlite/*'],
		stories: ['contract/{home,store}.sqlite', 'scenario/accounts/{opening,vanished-store}'],
	},
	'core/store/store-errors.ts': {
		quick: ['core/store/{open-store,sqlite-file}'],
		stories: stores,
	},
	'core/store': {
		quick: [
			'core/store/**/*',
			'core/domain/{collection-query,list-plans}',
			'contract/*.sqlite',
			'contract/sqlite-memory/*',
		],
		stories: stores,
	},
};
