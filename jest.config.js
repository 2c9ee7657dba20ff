/** Packages that ship ES modules only and have to be translated for jest. */
const modulePackages = [
	'@noble/ciphers',
	'kysely',
	'eventsource-parser',
	'jose',
	'oauth4webapi',
	'openid-client',
];

// One seed for all that tests leave to chance; the workers get it with the environment.
if (process.env.ENMESHED_TEST_SEED === undefined) {
	process.env.ENMESHED_TEST_SEED = String(Date.now() % 1_000_000);
	console.error(`Repeat this run with ENMESHED_TEST_SEED=${process.env.ENMESHED_TEST_SEED}`);
}

module.exports = {
	testEnvironment: 'node',
	sandboxInjectedGlobals: ['Math'],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Long, because tests rarely hang, while machines are often busy.
	testTimeout: 30_000,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
	transform: { '^.+\\.(t|j|mj)s$': '<rootDir>/scripts/lib/jest-typescript.cjs' },
	transformIgnorePatterns: [`/node_modules/(?!(${modulePackages.join('|')})/)`],
};
