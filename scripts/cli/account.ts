import { parseArgs } from 'node:util';
import {
	codeOf,
	exportAccount,
	importAccount,
	isGatewayError,
	moveAccount,
	parseGatewayConfig,
	verifyAccount,
	type AccountPlace,
	type CopyToVerify,
	type GatewayConfigInput,
	type TransferOptions,
} from '../../core';
import { accountHelp } from './account-commands/account-help';
import { parsePlace, type Place } from './account-commands/account-place';
import {
	discardProblems,
	listProblems,
	reconcile,
	retryProblems,
	type ProblemPlace,
	type ProblemArguments,
} from './account-commands/account-problems';
import { copiedOutput, verifiedOutput, type Outcome } from './account-commands/account-output';
import { AccountSecrets } from './account-commands/account-secrets';
import { UsageError } from './usage-error';

const options = {
	full: { type: 'boolean' },
	from: { type: 'string' },
	to: { type: 'string' },
	account: { type: 'string' },
	'to-account': { type: 'string' },
	offline: { type: 'boolean' },
	backbone: { type: 'string' },
	serve: { type: 'boolean' },
	config: { type: 'string', short: 'c' },
	all: { type: 'boolean' },
	kind: { type: 'string' },
	consumer: { type: 'string' },
	retire: { type: 'boolean' },
	'replace-retired': { type: 'boolean' },
	json: { type: 'boolean' },
	help: { type: 'boolean', short: 'h' },
} as const;

type Option = keyof typeof options;

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
	if (values.help === true) {
		process.stdout.write(accountHelp);
		return 0;
	}
	const [name = '', ...others] = positionals;
	const command = Object.hasOwn(commands, name) ? commands[name as Command] : undefined;
	if (command === undefined) {
		const names = Object.keys(commands).map((one) => `'${one}'`);
		throw new UsageError(`Expected one of ${names.join(', ')}, and options.`);
	}
	requireOptions(values, [...always, ...command.options], name);
	if (others.length > 0 && command.takesIds !== true) {
		throw new UsageError(`'account ${name}' takes options only, not '${others[0]}'.`);
	}
	const secrets = new AccountSecrets(process.env, values.offline === true);
	const outcome = await command.run({ values, others, secrets, deps: { onStep: tell } });
	process.stdout.write(isJson ? `${JSON.stringify(outcome.report)}\n` : outcome.words);
	return outcome.isGood ? 0 : 1;
}

/** Refuses options that the command would ignore, because the person expects an effect. */
function requireOptions(values: Values, known: readonly Option[], name: string): void {
	const given = Object.keys(values) as Option[];
	const unknown = given.find((option) => !known.includes(option));
	if (unknown === undefined) return;
	throw new UsageError(`'account ${name}' does not take --${unknown}.`);
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

interface CommandDeclaration {
	readonly options: readonly Option[];
	/** true if ids of problems may follow its name */
	readonly takesIds?: boolean;
	run(order: Order): Promise<Outcome>;
}

const always = ['serve', 'config', 'account', 'backbone', 'json', 'help'] as const;
const copied = ['from', 'to', 'to-account', 'offline'] as const;
const chosen = ['from', 'kind', 'consumer'] as const;

type Command = 'export' | 'import' | 'verify' | 'problems' | 'retry' | 'discard' | 'reconcile';

const commands: Readonly<Record<Command, CommandDeclaration>> = {
	export: {
		options: [...copied, 'retire'],
		run: async (order) => await copy(order, await servedOr(order, 'from'), placeOf(order, 'to')),
	},
	import: {
		options: [...copied, 'replace-retired'],
		run: async (order) => await copy(order, placeOf(order, 'from'), await servedOr(order, 'to')),
	},
	verify: { options: copied, run: verify },
	problems: {
		options: chosen,
		takesIds: true,
		run: async (order) => await listProblems(await problemPlaceOf(order), problemWordsOf(order)),
	},
	retry: {
		options: [...chosen, 'all'],
		takesIds: true,
		run: async (order) => await retryProblems(await problemPlaceOf(order), problemWordsOf(order)),
	},
	discard: {
		options: [...chosen, 'all'],
		takesIds: true,
		run: async (order) => await discardProblems(await problemPlaceOf(order), problemWordsOf(order)),
	},
	reconcile: {
		options: ['from', 'full'],
		run: async (order) => await reconcile(await problemPlaceOf(order), order.values.full === true),
	},
};

/**
 * Account of the HTTP gateway as its configuration says; undefined without --serve and --config.
 */
async function servedOf(
	{ values }: Order,
	end: 'from' | 'to',
): Promise<GatewayConfigInput | undefined> {
	const { serve, config } = values;
	if (serve !== true && config === undefined) return undefined;
	const named = (['backbone', end, end === 'from' ? 'account' : 'to-account'] as const).find(
		(option) => values[option] !== undefined,
	);
	if (named !== undefined) {
		throw new UsageError(`The configuration of serve already says what --${named} would say.`);
	}
	const { servedAccount } = await import('./serve');
	return await servedAccount(config);
}

/** Place of the account of the HTTP gateway if the options name it, otherwise the given place. */
async function servedOr(order: Order, end: 'from' | 'to'): Promise<Place> {
	const served = await servedOf(order, end);
	if (served === undefined) return placeOf(order, end, 'sqlite');
	order.secrets.useServed(served);
	const { account, store } = parseGatewayConfig(served);
	return { kind: 'store', account, store, served };
}

async function problemPlaceOf(order: Order): Promise<ProblemPlace> {
	const { values, secrets } = order;
	const config = await servedOf(order, 'from');
	if (config !== undefined) return { kind: 'served', config };
	return {
		kind: 'given',
		place: placeOf(order, 'from', 'sqlite'),
		secrets,
		backbone: values.backbone,
	};
}

function problemWordsOf({ values, others }: Order): ProblemArguments {
	const { all, kind, consumer } = values;
	return { ids: others, all: all === true, kind, consumer };
}

async function copy(order: Order, from: Place, to: Place): Promise<Outcome> {
	if (from.kind === 'file' && to.kind === 'file') {
		throw new UsageError('One of the two places must be a store.');
	}
	const { values, secrets, deps } = order;
	if (values.retire === true && to.kind !== 'file') {
		throw new UsageError(
			'--retire is for files only: a move to a store always retires the former one.',
		);
	}
	if (values['replace-retired'] === true && from.kind !== 'file') {
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
		const retire = values.retire === true;
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
	const first = await copyToVerify(order, await servedOr(order, 'from'), 'source');
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
export async function withPassphrase<Result>(
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
	const { account: own = 'default' } = values;
	const account = end === 'from' ? own : (values['to-account'] ?? own);
	return parsePlace(text, { account, password: secrets.postgresPassword(end) });
}

/** Names address and places before anything is changed, so it is written beside --json, too. */
function tell(sentence: string): void {
	process.stderr.write(`${sentence}\n`);
}

function shown(error: unknown): unknown {
	return isGatewayError(error) ? error : { message: (error as Error).message };
}
