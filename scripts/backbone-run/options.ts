import { parseArgs } from 'node:util';

export const usage = `Usage: npm run test:backbone -- --url <address> --client-id <id> --client-secret <secret> [options]

Runs the story, the matrices of transport and requests, and a load of mails against a Backbone, with
fresh identities, and deletes them at the end. Every identity of the client counts against its limit.

  --push-url <address>   URL of the push stream, if it is a separate service
  --mails <number>       mails of the load; default: 200
  --only-ours            leaves out the official runtimes
  --rules                adds the rule tests of the sandbox
  --scenarios            adds the scenario and interface tests
  --sandbox <6|7>        instead of an address: a sandbox Backbone in a process of its own
  --behaviour <kind|real>  behaviour of that sandbox; default: real
  --sums <file>          also writes the numbers of passed, failed and skipped tests

Environment variables can replace the first three: ENMESHED_TEST_BACKBONE_URL,
ENMESHED_TEST_BACKBONE_CLIENT_ID, ENMESHED_TEST_BACKBONE_CLIENT_SECRET.
`;

/** Backbone that is reached by its address only. */
export interface Target {
	readonly url: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly pushUrl?: string | undefined;
}

export class WrongOptions extends Error {}

export type RunOptions = ReturnType<typeof readOptions>;

/** @throws WrongOptions that names the missing or wrong option */
export function readOptions(words: readonly string[], environment: NodeJS.ProcessEnv) {
	const orVariable = (name: string) =>
		({ type: 'string', default: environment[`ENMESHED_TEST_BACKBONE_${name}`] ?? '' }) as const;
	const { values } = parseArgs({
		args: [...words],
		options: {
			url: orVariable('URL'),
			'client-id': orVariable('CLIENT_ID'),
			'client-secret': orVariable('CLIENT_SECRET'),
			'push-url': { type: 'string' },
			mails: { type: 'string', default: '200' },
			'only-ours': { type: 'boolean', default: false },
			rules: { type: 'boolean', default: false },
			scenarios: { type: 'boolean', default: false },
			sandbox: { type: 'string' },
			behaviour: { type: 'string', default: 'real' },
			sums: { type: 'string' },
		},
	});
	const { url, 'client-id': clientId, 'client-secret': clientSecret } = values;
	const target: Target = {
		url: url.replace(/\/+$/, ''),
		clientId,
		clientSecret,
		pushUrl: values['push-url'],
	};
	const { sandbox = '6', behaviour } = values;
	const mails = Number(values.mails);
	const isSandbox = values.sandbox !== undefined;
	const require = (isRight: boolean, what: string): void => {
		if (!isRight) throw new WrongOptions(what);
	};
	require(Number.isInteger(mails) && mails > 0, '--mails must be a number above 0.');
	require(/^[67]$/.test(sandbox), '--sandbox must be 6 or 7, the major version of the Backbone.');
	require(/^(kind|real)$/.test(behaviour), '--behaviour must be kind or real.');
	for (const name of ['url', 'client-id', 'client-secret'] as const) {
		require(isSandbox || values[name] !== '', `--${name} is missing.`);
	}
	return {
		...values,
		/** undefined: the run starts a sandbox */
		target: isSandbox ? undefined : target,
		sandbox: { majorVersion: sandbox, behaviour },
		mails,
		onlyOurs: values['only-ours'],
	};
}
