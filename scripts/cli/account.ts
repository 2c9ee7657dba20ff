import { parseArgs } from 'node:util';
import {
	codeOf,
	exportAccount,
	importAccount,
	isGatewayError,
	moveAccount,
	verifyAccount,
	type AccountPlace,
	type CopyToVerify,
	type TransferOptions,
} from '../../core';
import { accountHelp } from './account-help';
import { parsePlace, type Place } from './account-place';
import {
	discardProblems,
	listProblems,
	reconcile,
	retryProblems,
	type ProblemPlace,
	type ProblemArguments,
} from './account-problems';
import { copiedOutput, verifiedOutput, type Outcome } from './account-output';
import { AccountSecrets } from './account-secrets';
import { UsageError } from './usage-error';

const options = {
	full: { type: 'boolean', default: false },
	from: { type: 'string' },
	to: { type: 'string' },
	account: { type: 'string', default: 'default' },
	'to-account': { type: 'string' },
	offline: { type: 'boolean', default: false },
	backbone: { type: 'string' },
	serve: { type: 'boolean', default: false },
	config: { type: 'string', short: 'c' },
	all: { type: 'boolean', default: false },
	kind: { type: 'string' },
	consumer: { type: 'string' },
	retire: { type: 'boolean', default: false },
	'replace-retired': { type: 'boolean', default: false },
	json: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** Command `npx n8n-nodes-enmeshed account`; returns the exit code. */
export async function account(words: readonly string[]): Promise<number> {
	const isJson = words.includes('--json');
	try {
		return await carryOut(words, isJson);
	} catch (error) {
		const isUsageError = error instanceof UsageError;
		if (!isUsageError && !(isJson && isGatewayError(error))) throw error;
		if (isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: shown(error) })}\n`);
		else process.stderr.write(`${error.message}\nSee 'account --help'.\n`);
		return isUsageError ? 2 : 1;
	}
}

async function carryOut(words: readonly string[], isJson: boolean): Promise<number> {
	const { values, positionals } = parse(words);
	if (values.help) {
		process.stdout.write(accountHelp);
		return 0;
	}
	const [name = '', ...others] = positionals;
	const command = commands.get(name);
	if (command === undefined || (others.length > 0 && !namesProblems.has(name))) {
		throw new UsageError(
			"Expected one of 'export', 'import', 'verify', 'problems', 'retry', 'discard' and 'reconcile', and options.",
		);
	}
	const secrets = new AccountSecrets(process.env, values.offline);
	const outcome = await command({ values, others, secrets, deps: { onStep: tell(isJson) } });
	process.stdout.write(isJson ? `${JSON.stringify(outcome.report)}\n` : outcome.words);
	return outcome.isGood ? 0 : 1;
}

function parse(words: readonly string[]) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (cause) {
		throw new UsageError((cause as Error).message, { cause });
	}
}

interface Order {
	readonly values: Values;
	/** arguments after the name of the command */
	readonly others: readonly string[];
	readonly secrets: AccountSecrets;
	readonly deps: TransferOptions;
}

const commands: ReadonlyMap<string, (order: Order) => Promise<Outcome>> = new Map([
	['export', (order) => copy(order, placeOf(order, 'from', 'sqlite'), placeOf(order, 'to'))],
	['import', (order) => copy(order, placeOf(order, 'from'), placeOf(order, 'to', 'sqlite'))],
	['verify', verify],
	['problems', (order) => listProblems(problemPlaceOf(order), problemWordsOf(order))],
	['retry', (order) => retryProblems(problemPlaceOf(order), problemWordsOf(order))],
	['reconcile', (order) => reconcile(problemPlaceOf(order), order.values.full)],
	['discard', (order) => discardProblems(problemPlaceOf(order), problemWordsOf(order))],
]);

const namesProblems: ReadonlySet<string> = new Set(['problems', 'retry', 'discard']);

function problemPlaceOf(order: Order): ProblemPlace {
	const { values, secrets } = order;
	const { from, backbone, serve, config } = values;
	if (!serve && config === undefined) {
		return { kind: 'given', place: placeOf(order, 'from', 'sqlite'), secrets, backbone };
	}
	if (from === undefined && backbone === undefined) return { kind: 'served', file: config };
	throw new UsageError('The configuration of serve already determines the place and the Backbone.');
}

function problemWordsOf({ values, others }: Order): ProblemArguments {
	const { all, kind, consumer } = values;
	return { ids: others, all, kind, consumer };
}

async function copy(order: Order, from: Place, to: Place): Promise<Outcome> {
	if (from.kind === 'file' && to.kind === 'file') {
		throw new UsageError('One of the two places must be a store.');
	}
	const { values, secrets, deps } = order;
	if (values.retire && to.kind !== 'file') {
		throw new UsageError(
			'--retire is for files only: a move to a store always retires the former one.',
		);
	}
	if (values['replace-retired'] && from.kind !== 'file') {
		throw new UsageError('--replace-retired is for files only.');
	}
	const client = await secrets.client(values.backbone);
	if (from.kind === 'file') {
		const password = await secrets.filePassword(false);
		const replaceRetired = values['replace-retired'];
		const target = await secrets.target(to as StorePlace);
		const report = await importAccount(
			{ file: from.file, password, to: target, client, replaceRetired },
			deps,
		);
		return copiedOutput('imported', report);
	}
	if (to.kind === 'file') {
		const password = await secrets.filePassword(true);
		const { file } = to;
		const { retire } = values;
		const report = await withPassphrase(secrets, from, (source) =>
			exportAccount({ from: source, file, password, client, retire }, deps),
		);
		return copiedOutput(retire ? 'retired' : 'backup', report);
	}
	const report = await withPassphrase(secrets, from, async (source) =>
		moveAccount({ from: source, to: await secrets.target(to), client }, deps),
	);
	return copiedOutput('moved', report);
}

type StorePlace = Extract<Place, { kind: 'store' }>;

async function verify(order: Order): Promise<Outcome> {
	const { values, secrets, deps } = order;
	const first = await copyToVerify(order, placeOf(order, 'from', 'sqlite'), 'source');
	const second =
		values.to === undefined ? undefined : await copyToVerify(order, placeOf(order, 'to'), 'target');
	const client = await secrets.client(values.backbone);
	return verifiedOutput(
		await verifyAccount(second === undefined ? [first] : [first, second], client, deps),
	);
}

async function copyToVerify(
	{ secrets }: Order,
	place: Place,
	end: 'source' | 'target',
): Promise<CopyToVerify> {
	if (place.kind === 'file') {
		return { kind: 'file', file: place.file, password: await secrets.filePassword(false) };
	}
	return { kind: 'store', place: await secrets[end](place) };
}

/**
 * Repeats the work after asking for a passphrase, because only opening the store shows that it has
 * one.
 */
async function withPassphrase<Result>(
	secrets: AccountSecrets,
	place: StorePlace,
	work: (source: AccountPlace) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await secrets.source(place));
	} catch (error) {
		if (codeOf(error) !== 'error.gateway.store.passphraseMissing') throw error;
		if (!(await secrets.askPassphrase())) throw error;
		return await work(await secrets.source(place));
	}
}

function placeOf({ values, secrets }: Order, end: 'from' | 'to', otherwise?: string): Place {
	const text = values[end] ?? otherwise;
	if (text === undefined) throw new UsageError(`--${end} is missing: name a place.`);
	const account = end === 'from' ? values.account : (values['to-account'] ?? values.account);
	return parsePlace(text, { account, password: secrets.postgresPassword(end) });
}

function tell(isSilent: boolean): (sentence: string) => void {
	return (sentence) => {
		if (!isSilent) process.stderr.write(`${sentence}\n`);
	};
}

function shown(error: unknown): unknown {
	return isGatewayError(error) ? error : { message: (error as Error).message };
}
