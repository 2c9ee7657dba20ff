import { storeJudges } from './store-judges.mjs';

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

const byFolder = {
	'core/domain/message/message-attachments.ts': {
		quick: ['core/domain/message/message-{attachments,receipt}'],
		stories,
	},
	'core/domain/message/message-dto.ts': { quick: ['core/domain/message/message-lists'], stories },
	'core/domain/message/message-events.ts': {
		quick: ['core/domain/message/{message-lists,message-receipt,send-settlement}'],
		stories,
	},
	'core/domain/message/message-input.ts': {
		quick: ['core/domain/message/message-{lists,service}', 'core/domain/replay/message-replay'],
		stories,
	},
	'core/domain/message/message-receipt.ts': {
		quick: ['core/domain/message/message-{attachments,receipt}', 'contract/postgres/round-trips'],
		stories,
	},
	'core/domain/message/message-service.ts': {
		quick: [
			'core/domain/message/{message-lists,message-service,prepared-messages}',
			'contract/postgres/round-trips',
		],
		stories,
	},
	'core/domain/message/sending/message-sending.ts': {
		quick: ['core/domain/message/{message-service,prepared-messages,send-preparation}'],
		stories,
	},
	'core/domain/message/sending/prepared-messages.ts': {
		quick: ['core/domain/message/{prepared,required}-messages'],
		stories,
	},
	'core/domain/message/sending/repeated-sending.ts': {
		quick: ['core/domain/message/{message-service,repeated-sending}'],
		stories,
	},
	'core/domain/message/sending/required-delivery.ts': {
		quick: ['core/domain/message/{prepared-messages,required-messages,queued-sends}'],
		stories,
	},
	'core/domain/message/sending/restored-backup.ts': {
		quick: ['core/domain/message/restored-backup'],
		stories,
	},
	'core/domain/message/sending/send-claims.ts': {
		quick: ['core/domain/message/send-claims'],
		stories,
	},
	'core/domain/message/sending/send-intents.ts': {
		quick: [
			'core/domain/message/{send-settlement,send-transitions}',
			'contract/postgres/round-trips',
		],
		stories,
	},
	'core/domain/message/sending/send-preparation.ts': {
		quick: [
			'core/domain/message/{message-attachments,message-service,send-preparation}',
			'scenario/messages/unconfirmed-commit',
			'contract/postgres/round-trips',
		],
		stories,
	},
	'core/domain/message/sending/send-settlement.ts': {
		quick: ['core/domain/message/{required-messages,send-settlement}'],
		stories,
	},
	'core/domain/message/message-rules.ts': {
		quick: ['core/domain/message/message-{rules,service}'],
		stories,
	},
	'core/domain/message/sending': { quick: ['core/domain/message/*'], stories },
	'core/domain/message': {
		quick: [
			'core/domain/message/**/*',
			'core/domain/collection-query',
			'core/domain/replay/message-replay',
			'scenario/messages/attachments',
		],
		stories,
	},
	'core/domain/relationship': {
		quick: [
			'core/domain/relationship/**/*',
			'core/domain/envelopes/*',
			'core/domain/replay/relationship-replay',
		],
		stories,
	},
	'core/sync/reconciliation': { quick: ['core/sync/reconciliation/*'], stories },
	'core/sync/push': { quick: ['core/sync/push/*'], stories },
	'core/sync/steps': { quick: ['core/sync/{steps,inbox-applier,inbox-obstacles}'], stories },
	'core/sync/housekeeping.ts': { quick: ['core/sync/housekeeping-passes'], stories },
	'core/sync/inbox-retention.ts': { quick: ['core/sync/sync-inbox'], stories },
	'core/sync/external-events.ts': { quick: ['core/sync/inbox-{applier,obstacles}'], stories },
	'core/sync/settle.ts': { quick: ['core/sync/settle'], stories },
	'core/sync/inbox-applier.ts': { quick: ['core/sync/inbox-{applier,obstacles}'], stories },
	'core/sync/sync-engine.ts': { quick: ['core/sync/sync-engine*'], stories },
	'core/sync/sync-inbox.ts': { quick: ['core/sync/{failed-events,sync-inbox}'], stories },
	'core/sync/sync-loop.ts': { quick: ['core/sync/sync-loop*'], stories },
	'core/sync/sync-run.ts': {
		quick: ['core/sync/sync-run-{fetcher,state}'],
		stories: ['core/sync/sync-run', ...stories],
	},
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
	...storeJudges,
	'core/events': { quick: ['core/events/*'], stories },
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
