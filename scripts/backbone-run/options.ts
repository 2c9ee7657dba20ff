import { parseArgs } from 'node:util';

export const usage = `Usage: npm run test:backbone -- --url <address> --client-id <id> --client-secret <secret> [options]

Plays the story, the matrices of transport and requests, and a load of mails against a Backbone, with
fresh identities, and deletes these at the end. Every identity of the client counts against its limit.

  --push-url <address>   where the push stream is served, when it is a service of its own
  --mails <number>       mails of the load; default: 200
  --only-ours            leaves out the official runtimes
  --rules                adds the rule tests of the sandbox
  --scenarios            adds the scenario and interface tests
  --sandbox <6|7>        instead of an address: a sandbox Backbone in a process of its own
  --behaviour <kind|real>  of that sandbox; default: real
  --sums <file>          also writes how many passed, failed and were left out

The environment takes the place of the first three: ENMESHED_TEST_BACKBONE_URL,
ENMESHED_TEST_BACKBONE_CLIENT_ID, ENMESHED_TEST_BACKBONE_CLIENT_SECRET.
`;

/** A Backbone that is reached by its address alone. */
export interface Target {
	readonly url: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly pushUrl?: string | undefined;
}

export interface RunOptions {
	/** undefined: a sandbox is started for the run */
	readonly target: Target | undefined;
	readonly sandbox: { readonly majorVersion: string; readonly behaviour: string };
	readonly mails: number;
	readonly onlyOurs: boolean;
	readonly rules: boolean;
	readonly scenarios: boolean;
	/** file for the sums */
	readonly sums: string | undefined;
}

export class WrongOptions extends Error {}

/** @throws WrongOptions that names what is missing or wrong */
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
		throw new WrongOptions('--mails is no number above 0.');
	const isSandbox = values.sandbox !== undefined;
	if (isSandbox && values.sandbox !== '6' && values.sandbox !== '7') {
		throw new WrongOptions('--sandbox takes 6 or 7, the major version of the Backbone.');
	}
	if (isSandbox && values.behaviour !== 'kind' && values.behaviour !== 'real') {
		throw new WrongOptions('--behaviour takes kind or real.');
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
