/**
 * Tests that judge the mutants of a folder. `quick` tests run for each mutant; `stories`, which
 * take seconds each, for the surviving ones. Stories that involve everything (kills, processes,
 * convergence, other hosts) are excluded.
 */
const byFolder = {
	'core/domain/message': {
		quick: [
			'core/domain/message/**/*',
			'core/domain/message/message-envelope',
			'scenario/messages/attachments',
			'scenario/messages/message-status',
		],
		stories: [
			'core/domain/replay/message-replay',
			'scenario/relationships/decomposition',
			'scenario/problems/discarding-problems',
			'scenario/hostile/hostile-message',
			'scenario/relationships/left-while-waiting',
			'scenario/problems/problems',
			'scenario/messages/restored-backup',
			'scenario/messages/sending',
			'scenario/messages/unreadable-content',
		],
	},
	'core/domain/relationship': {
		quick: [
			'core/domain/relationship/**/*',
			'core/domain/relationship/relationship-envelope',
			'scenario/relationships/auto-accept',
			'scenario/relationships/lost-creations',
			'scenario/relationships/relationship-life',
			'scenario/relationships/shadowed-relationship',
		],
		stories: [
			'core/domain/replay/relationship-replay',
			'scenario/hostile/bad-input',
			'scenario/relationships/decomposition',
			'scenario/relationships/deleted-templates',
			'scenario/hostile/hostile-relationship',
			'scenario/relationships/official-sequence',
			'scenario/requests/requests-delivery',
		],
	},
	'core/sync/reconciliation': {
		quick: ['core/sync/reconciliation/**/*', 'scenario/reconciliation/reconciliation'],
		stories: ['scenario/reconciliation/reconciliation-*'],
	},
	'core/sync/push': { quick: ['core/sync/push/**/*'], stories: ['scenario/sync/push-service'] },
	'core/sync': {
		quick: [
			'core/sync/*',
			'scenario/sync/empty-sync',
			'scenario/sync/following-again',
			'scenario/sync/regular-stop',
		],
		stories: [
			'scenario/hostile/hostile-events',
			'scenario/sync/housekeeping',
			'scenario/reconciliation/reconciliation',
			'scenario/sync/sync-elsewhere',
			'scenario/sync/unordered-events',
		],
	},
	'core/store/postgres': {
		quick: ['contract/postgres/*'],
		stories: ['contract/store.postgres-*', 'contract/home.postgres'],
	},
	'core/store': {
		quick: ['core/domain/collection-query', 'core/store/*'],
		stories: [
			'contract/store.sqlite',
			'contract/home.sqlite',
			'contract/processes/*',
			'core/domain/list-plans',
			'scenario/accounts/vanished-store',
		],
	},
	'core/domain': {
		quick: ['core/domain/**/*', 'core/model/**/*'],
		stories: ['scenario/accounts/queries', 'scenario/requests/requests-delivery'],
	},
	core: { quick: ['core/**/*'], stories: [] },
	nodes: { quick: ['nodes/**/*'], stories: [] },
	credentials: { quick: ['nodes/**/*'], stories: [] },
};

const sequences = /replay|official-sequence|^nodes|^core\/(domain\/)?\*\*/;

/** True if tests build on each other, so that a part of them would fail alone. */
export const haveSequences = (judges) => judges.some((judge) => sequences.test(judge));

/** Patterns of test files for a source folder or file; undefined if no tests cover it. */
export function judgesOf(path) {
	const folders = Object.keys(byFolder).sort((a, b) => b.length - a.length);
	const folder = folders.find((known) => path === known || path.startsWith(`${known}/`));
	return folder === undefined ? undefined : byFolder[folder];
}
