/**
 * Which tests judge the mutants of a folder. `quick` ones run for each mutant; `stories`, which take
 * seconds each, for those that are left. Stories that take part in everything (kills, processes,
 * convergence, other hosts) are left out.
 */
const byFolder = {
	'core/domain/message': {
		quick: [
			'core/domain/message/**/*',
			'core/domain/envelopes/message-envelope',
			'scenario/attachments',
			'scenario/message-status',
		],
		stories: [
			'core/domain/replay/message-replay',
			'scenario/decomposition',
			'scenario/discarding-problems',
			'scenario/hostile-message',
			'scenario/left-while-waiting',
			'scenario/problems',
			'scenario/restored-backup',
			'scenario/sending',
			'scenario/unreadable-content',
		],
	},
	'core/domain/relationship': {
		quick: [
			'core/domain/relationship/**/*',
			'core/domain/envelopes/relationship-envelope',
			'scenario/auto-accept',
			'scenario/lost-creations',
			'scenario/relationship-life',
			'scenario/shadowed-relationship',
		],
		stories: [
			'core/domain/replay/relationship-replay',
			'scenario/bad-input',
			'scenario/decomposition',
			'scenario/deleted-templates',
			'scenario/hostile-relationship',
			'scenario/official-sequence',
			'scenario/requests-delivery',
		],
	},
	'core/sync/reconciliation': {
		quick: ['core/sync/reconciliation/**/*', 'scenario/reconciliation'],
		stories: ['scenario/reconciliation-*'],
	},
	'core/sync/push': { quick: ['core/sync/push/**/*'], stories: ['scenario/push-service'] },
	'core/sync': {
		quick: [
			'core/sync/*',
			'scenario/empty-sync',
			'scenario/following-again',
			'scenario/regular-stop',
		],
		stories: [
			'scenario/hostile-events',
			'scenario/housekeeping',
			'scenario/reconciliation',
			'scenario/sync-elsewhere',
			'scenario/unordered-events',
		],
	},
	'core/store/postgres': {
		quick: ['core/store/postgres/**/*'],
		stories: ['contract/store.postgres', 'contract/home.postgres'],
	},
	'core/store': {
		quick: ['core/domain/collection-query', 'core/store/*'],
		stories: [
			'contract/store.sqlite',
			'contract/home.sqlite',
			'core/domain/list-plans',
			'scenario/vanished-store',
		],
	},
	'core/domain': {
		quick: ['core/domain/**/*', 'core/model/**/*'],
		stories: ['scenario/queries', 'scenario/requests-delivery'],
	},
	core: { quick: ['core/**/*'], stories: [] },
	nodes: { quick: ['nodes/**/*'], stories: [] },
	credentials: { quick: ['nodes/**/*'], stories: [] },
};

const sequences = /replay|official-sequence|^nodes|^core\/(domain\/)?\*\*/;

/** Whether some of the tests go on from each other: a part of them would fail by itself. */
export const haveSequences = (judges) => judges.some((judge) => sequences.test(judge));

/** Patterns of test files for a source folder or file; undefined when no tests are about it. */
export function judgesOf(path) {
	const folders = Object.keys(byFolder).sort((a, b) => b.length - a.length);
	const folder = folders.find((known) => path === known || path.startsWith(`${known}/`));
	return folder === undefined ? undefined : byFolder[folder];
}
