/**
 * Files and folders that `npm test` runs of its slower suites: the scenarios that a change breaks most
 * often, a story with each official runtime, and a story in a real n8n with a browser.
 * `npm run test:rest` runs all others.
 */
export const quickFiles = {
	scenario: [
		'test/scenario/answers/',
		'test/scenario/attributes/',
		'test/scenario/counts/',
		'test/scenario/messages/',
		'test/scenario/problems/',
		'test/scenario/reconciliation/reconciliation.test.ts',
		'test/scenario/references/',
		'test/scenario/relationships/',
		'test/scenario/requests/',
		'test/scenario/sync/',
		'test/scenario/unfinished/',
	],
	interop: ['test/interop/official-wallet.test.ts'],
	e2e: ['test/e2e/readme-story.test.ts'],
};
