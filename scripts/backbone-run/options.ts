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

export interface RunOptions {
	/** undefined: the run starts a sandbox */
	readonly target: Target | undefined;
	readonly sandbox: { readonly majorVersion: string; readonly behaviour: string };
	readonly mails: number;
	readonly onlyOurs: boolean;
	readonly rules: boolean;
	readonly scenarios: boolean;
	/** path of the file for the totals */
	readonly sums: string | undefined;
}

export class WrongOptions extends Error {}

/** @throws WrongOptions that names the missing or wrong option */
export function readOptions(words: readonly string[], environment: NodeJS.ProcessEnv): RunOptions {
	const { values } = parseArgs({
		args: [...words],
		options: {
			url: { type: 'string', default: environment['ENMESHED_TEST_BACKBONE_URL'] ?? '' },
			'client-id': {
				type: 'string',
				default: environment['ENMESHED_TEST_BACKBONE_CLIENT_ID'] ?? '',
			},
			'client-secret': {
				type: 'string',
				default: environment['ENMESHED_TEST_BACKBONE_CLIENT_SECRET'] ?? '',
			},
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
	const mails = Number(values.mails);
	if (!Number.isInteger(mails) || mails < 1)
		throw new WrongOptions('--mails must be a number above 0.');
	const isSandbox = values.sandbox !== undefined;
	if (isSandbox && values.sandbox !== '6' && values.sandbox !== '7') {
		throw new WrongOptions('--sandbox must be 6 or 7, the major version of the Backbone.');
	}
	if (isSandbox && values.behaviour !== 'kind' && values.behaviour !== 'real') {
		throw new WrongOptions('--behaviour must be kind or real.');
	}
	return {
		target: isSandbox ? undefined : targetOf(values),
		sandbox: { majorVersion: values.sandbox ?? '6', behaviour: values.behaviour },
		mails,
		onlyOurs: values['only-ours'],
		rules: values.rules,
		scenarios: values.scenarios,
		sums: values.sums,
	};
}

function targetOf(values: {
	readonly url: string;
	readonly 'client-id': string;
	readonly 'client-secret': string;
	readonly 'push-url'?: string | undefined;
}): Target {
	for (const name of ['url', 'client-id', 'client-secret'] as const) {
		if (values[name] === '') throw new WrongOptions(`--${name} is missing.`);
	}
	return {
		url: values.url.replace(/\/+$/, ''),
		clientId: values['client-id'],
		clientSecret: values['client-secret'],
		pushUrl: values['push-url'],
	};
}
