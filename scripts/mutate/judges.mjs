/**
 * Tests that judge the mutants of a folder. `quick` tests judge each mutant; `stories`, which
 * involve several parts, judge the mutants that are left. Tests with processes of their own are
 * excluded: mutants are in this process only.
 */
const stories = [
	'core/domain/**/*',
	'core/events/*',
	'core/server/*',
	'scenario/{accounts,attributes,hostile,messages,problems,reconciliation,references}/*',
	'scenario/{relationships,requests,sync}/*',
];
const stores = [
	'contract/store.*',
	'contract/home.*',
	'contract/postgres/*',
	'contract/processes/*',
];

const byFolder = {
	'core/domain/message': {
		quick: [
			'core/domain/message/**/*',
			'core/domain/collection-query',
			'core/domain/replay/message-replay',
			'scenario/messages/{attachments,message-status,sending,restored-backup}',
		],
		stories,
	},
	'core/domain/relationship': {
		quick: [
			'core/domain/relationship/**/*',
			'core/domain/replay/relationship-replay',
			'scenario/relationships/{auto-accept,lost-creations,relationship-life,shadowed-relationship}',
		],
		stories,
	},
	'core/sync/reconciliation': { quick: ['core/sync/reconciliation/*'], stories },
	'core/sync/push': { quick: ['core/sync/push/*'], stories },
	'core/sync/inbox-applier.ts': { quick: ['core/sync/inbox-applier'], stories },
	'core/sync/sync-engine.ts': { quick: ['core/sync/sync-engine'], stories },
	'core/sync/sync-inbox.ts': { quick: ['core/sync/{failed-events,sync-inbox}'], stories },
	'core/sync/sync-loop.ts': { quick: ['core/sync/sync-loop*'], stories },
	'core/sync/sync-run.ts': { quick: ['core/sync/sync-run'], stories },
	'core/sync/sync-run-marker.ts': { quick: ['core/sync/sync-run-marker'], stories },
	'core/sync/waiting-events.ts': { quick: ['core/sync/failed-events'], stories },
	'core/sync': {
		quick: [
			'core/sync/**/*',
			'scenario/reconciliation/reconciliation',
			'scenario/sync/{empty-sync,following-again,regular-stop,housekeeping}',
		],
		stories,
	},
	'core/store/postgres': { quick: ['contract/postgres/*', 'contract/*.postgres*'], stories },
	'core/store': {
		quick: ['core/store/**/*', 'core/domain/{collection-query,list-plans}', 'contract/*.sqlite'],
		stories: [...stores, ...stories],
	},
	'core/domain': { quick: ['core/domain/**/*', 'core/model/**/*'], stories },
	core: { quick: ['core/**/*'], stories },
	nodes: { quick: ['nodes/**/*'], stories: [] },
	credentials: { quick: ['nodes/**/*'], stories: [] },
};

/** Patterns of test files for a source folder or file; undefined if no tests cover it. */
export function judgesOf(path) {
	const folders = Object.keys(byFolder).sort((a, b) => b.length - a.length);
	const folder = folders.find((known) => path === known || path.startsWith(`${known}/`));
	return folder === undefined ? undefined : byFolder[folder];
}
