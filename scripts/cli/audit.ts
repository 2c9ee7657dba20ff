import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
	parseGatewayConfig,
	readStoredAudit,
	type AuditFindingDto,
	type AuditVerificationDto,
	type StoredAudit,
} from '../../core';
import { withPassphrase } from './account';
import type { Outcome } from './account-commands/account-output';
import { parsePlace, type Place } from './account-commands/account-place';
import { AccountSecrets } from './account-commands/account-secrets';
import { UsageError } from './usage-error';

const auditHelp = `Usage: n8n-nodes-enmeshed audit <verify|export|head> [options]

Reads the audit: who did what over HTTP. The gateway may be running, and the Backbone is not asked.

  audit verify [--head <number>:<hash>]
                        looks for changed, removed and reordered rows; with --head also whether the audit
                        still has the row that 'audit head' has printed earlier
  audit export [--to <file>] [--after <number>]
                        one row per line as JSON (NDJSON), the oldest first; otherwise to the output
  audit head            prints <number>:<hash> of the newest row. Keep it out of reach of all who can
                        change the store: only it shows that the whole store was set back

Places
  --serve, -c, --config <file>
                        the account of the HTTP gateway, with the secrets that 'serve' is configured with
  --from <place>        sqlite, sqlite:/absolute/folder or postgres://…; default: the store of your n8n
  --account <name>      account name in the store; default: default
  --json                one line of JSON instead of sentences
  -h, --help            this text

Secrets come from the environment or a prompt: ENMESHED_CLIENT_SECRET, ENMESHED_PASSPHRASE,
ENMESHED_POSTGRES_PASSWORD.

Exit codes: 0 intact, 1 something was found or failed, 2 wrong use.
`;

const options = {
	serve: { type: 'boolean' },
	config: { type: 'string', short: 'c' },
	from: { type: 'string' },
	account: { type: 'string' },
	head: { type: 'string' },
	to: { type: 'string' },
	after: { type: 'string' },
	json: { type: 'boolean' },
	help: { type: 'boolean', short: 'h' },
} as const;

const rowsAtOnce = 500;

type Values = ReturnType<typeof parse>['values'];

/** Options that only one command takes. */
const optionsOf: Readonly<Record<string, ReadonlyArray<keyof Values>>> = {
	verify: ['head'],
	export: ['to', 'after'],
	head: [],
};

/** Command `npx n8n-nodes-enmeshed audit`; returns the exit code. */
export async function audit(words: readonly string[]): Promise<number> {
	try {
		const { values, positionals } = parse(words);
		if (values.help === true) {
			process.stdout.write(auditHelp);
			return 0;
		}
		const work = workOf(positionals, values);
		const secrets = new AccountSecrets(process.env, true);
		const place = await placeOf(values, secrets);
		const outcome = await withPassphrase(secrets, place, (source) => readStoredAudit(source, work));
		const isJson = values.json === true;
		process.stdout.write(isJson ? `${JSON.stringify(outcome.report)}\n` : outcome.words);
		return outcome.isGood ? 0 : 1;
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		process.stderr.write(`${error.message}\nSee 'audit --help'.\n`);
		return 2;
	}
}

function parse(words: readonly string[]) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (cause) {
		throw new UsageError((cause as Error).message, { cause });
	}
}

function workOf(
	[name = '', ...others]: readonly string[],
	values: Values,
): (audit: StoredAudit) => Promise<Outcome> {
	const own = Object.hasOwn(optionsOf, name) ? optionsOf[name] : undefined;
	if (own === undefined || others.length > 0) {
		throw new UsageError("Expected one of 'verify', 'export', 'head', and options.");
	}
	const foreign = Object.values(optionsOf)
		.flat()
		.find((option) => values[option] !== undefined && !own.includes(option));
	if (foreign !== undefined) throw new UsageError(`'audit ${name}' does not take --${foreign}.`);
	const { head, to, after, json } = values;
	if (name === 'verify') {
		return async (stored) => verified(await stored.verify(head === undefined ? {} : { head }));
	}
	if (name === 'head') return headOf;
	if (after !== undefined && !/^\d{1,15}$/.test(after)) {
		throw new UsageError('--after is the number of a row.');
	}
	if (json === true && to === undefined) {
		throw new UsageError("'audit export' writes JSON already; --json goes with --to.");
	}
	return (stored) => exported(stored, Number(after ?? 0), to);
}

async function placeOf(
	{ serve, config, from, account }: Values,
	secrets: AccountSecrets,
): Promise<Extract<Place, { kind: 'store' }>> {
	if (serve === true || config !== undefined) {
		if (from !== undefined || account !== undefined) {
			throw new UsageError('The configuration of serve already names store and account.');
		}
		const { servedAccount } = await import('./serve');
		const served = await servedAccount(config);
		secrets.useServed(served);
		const { account: name, store } = parseGatewayConfig(served);
		return { kind: 'store', account: name, store, served };
	}
	const password = secrets.postgresPassword('from');
	const place = parsePlace(from ?? 'sqlite', { account: account ?? 'default', password });
	if (place.kind === 'store') return place;
	throw new UsageError('An exported file has to be imported first: name a store.');
}

async function headOf(stored: StoredAudit): Promise<Outcome> {
	const head = await stored.head();
	if (head === undefined) {
		return { isGood: false, report: { ok: false }, words: 'Nothing has been recorded.\n' };
	}
	const { number, mac } = head;
	return { isGood: true, report: { ok: true, number, mac }, words: `${number}:${mac}\n` };
}

async function exported(
	stored: StoredAudit,
	after: number,
	file: string | undefined,
): Promise<Outcome> {
	const handle = file === undefined ? undefined : await open(file, 'wx', 0o600);
	let rows = 0;
	try {
		for (let position = after, hasMore = true; hasMore;) {
			const page = await stored.page({ after: position, limit: rowsAtOnce });
			const text = page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
			if (handle !== undefined) await handle.appendFile(text);
			else if (!process.stdout.write(text)) await once(process.stdout, 'drain');
			rows += page.entries.length;
			({ position, hasMore } = page);
		}
	} finally {
		await handle?.close();
	}
	const words = file === undefined ? '' : `${rows} rows were written to ${file}.\n`;
	return { isGood: true, report: { ok: true, rows, file }, words };
}

function verified(report: AuditVerificationDto): Outcome {
	const { isIntact, checked, newest, findings } = report;
	const head = newest === undefined ? '' : ` The newest row is ${newest.number}:${newest.mac}.`;
	const words = isIntact
		? `All ${checked} rows are as they were written.${head}\n`
		: findings.map((finding) => `${sentenceOf(finding)}\n`).join('');
	return { isGood: isIntact, report: { ok: isIntact, ...report }, words };
}

const sentences: Readonly<Record<AuditFindingDto['kind'], (rows: string) => string>> = {
	missing: (rows) => `${rows}: removed`,
	changed: (rows) => `${rows}: changed or in another place than written`,
	unchecked: (rows) => `${rows}: cannot be checked, because the row before is not known`,
	foreign: (rows) => `${rows}: beside the audit there are rows that do not belong to it`,
	newest: (rows) => `${rows}: the newest row is not the sealed one`,
	chain: () =>
		'There is no audit: nothing was recorded, or all of it was removed, or its sealed record was changed.',
	givenHead: (rows) => `${rows}: not the row of the given head, or no longer kept`,
};

function sentenceOf({ kind, from, to }: AuditFindingDto): string {
	return sentences[kind](from === to ? `Row ${from}` : `Rows ${from} to ${to}`);
}
