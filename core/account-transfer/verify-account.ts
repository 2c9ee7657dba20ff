import { resolve } from 'node:path';
import { safeParse } from '../base/schema-parse';
import type { Cancellable } from '../base/abort';
import { identityRecordSchema, identitySecretsSchema } from '../model/record/identity';
import type { ContentRow } from './account-content';
import { AccountFileReader } from './account-file';
import { differences, tallyOf, type ContentSummary } from './account-tally';
import { identityIn, proveIdentity, summaryOf, type StoredIdentity } from './copy-proof';
import { requireAccount } from './source';
import { transferDependencies, type TransferDependencies } from './transfer-dependencies';
import type { AccountPlace, BackboneClient, CopyReport, TransferOptions } from './transfer-types';
import { transferErrors } from './transfer-errors';

/** Copy of an account: in a store, or in an exported file. */
export type CopyToVerify =
	| {
			/** a copy that a gateway can open */
			readonly kind: 'store';
			/** store and name of the account, with its secrets */
			readonly place: AccountPlace;
	  }
	| {
			/** an exported file */
			readonly kind: 'file';
			/** path of the file */
			readonly file: string;
			/** password with which the file was exported */
			readonly password: string;
	  };

/** What was found in one copy. */
export interface VerifiedCopy {
	/** description of the copy: a store, or `file:` and a path */
	readonly name: string;
	/** address of the identity */
	readonly address: string;
	/** `file`, or the state of the copy in its store */
	readonly state: 'living' | 'arriving' | 'retired' | 'file';
	/** number of rows by section; empty sections are absent */
	readonly counts: CopyReport['counts'];
	/** hash over all rows; copies with the same content have the same one */
	readonly digest: string;
}

/** Result of a verification, which is reached only if every copy is readable and its keys sign. */
export interface VerificationReport {
	/** one entry per given copy, in their order */
	readonly copies: readonly VerifiedCopy[];
	/** sections in which the second copy differs from the first; empty for one copy */
	readonly differences: readonly string[];
}

/**
 * Verifies one copy of an account, or compares two: reads every record and secret, signs with the
 * keys, and logs in. Changes nothing; other processes may have the account open.
 *
 * @param client absent: the login is not tried
 * @throws `error.gateway.moving.noAccount`, `error.gateway.moving.keyDoesNotSign`, the codes of
 * `importAccount` about files, codes of `openStore` about files and proof, and the Backbone's
 * reason
 * for refusing the login
 */
export async function verifyAccount(
	copies: readonly [CopyToVerify] | readonly [CopyToVerify, CopyToVerify],
	client: BackboneClient | undefined,
	deps: TransferOptions = {},
	options: Cancellable = {},
): Promise<VerificationReport> {
	const context = transferDependencies(deps);
	const read: Array<Read> = [];
	for (const copy of copies) {
		const one = await (copy.kind === 'store'
			? readStore(copy, context, options)
			: readFile(copy, context));
		if (client !== undefined) context.step('Logging in at the Backbone with its keys.');
		await proveIdentity(one.identity, client, context, options);
		read.push(one);
	}
	const [first, second] = read;
	return {
		copies: read.map(({ verified }) => verified),
		differences:
			first === undefined || second === undefined ? [] : differences(first.summary, second.summary),
	};
}

interface Read {
	readonly verified: VerifiedCopy;
	readonly identity: StoredIdentity;
	readonly summary: ContentSummary;
}

async function readStore(
	{ place }: Extract<CopyToVerify, { kind: 'store' }>,
	context: TransferDependencies,
	options: Cancellable,
): Promise<Read> {
	const home = context.home(place);
	await requireAccount(home);
	context.step(`Reading ${home.name}.`);
	await using store = await home.open(place, { alone: false });
	const identity = await identityIn(store);
	const { state } = await store.read((tx) => tx.accountState.get());
	return readOf(home.name, state, identity, await summaryOf(store, options));
}

async function readFile(
	{ file, password }: Extract<CopyToVerify, { kind: 'file' }>,
	context: TransferDependencies,
): Promise<Read> {
	const path = resolve(file);
	context.step(`Reading ${path}.`);
	await using reader = await AccountFileReader.open(path, password);
	let identity: ContentRow | undefined;
	async function* watched(): AsyncGenerator<ContentRow> {
		for await (const row of reader.rows()) {
			if (row.section === 'identity') identity = row;
			yield row;
		}
	}
	const summary = await tallyOf(watched());
	return readOf(`file:${path}`, 'file', identityOf(identity), summary);
}

function identityOf(row: ContentRow | undefined): StoredIdentity {
	const record = safeParse(identityRecordSchema, row?.record);
	const secrets = safeParse(identitySecretsSchema, row?.secrets);
	if (record.success && secrets.success) return { record: record.data, secrets: secrets.data };
	throw transferErrors.create('contentInvalid', {
		message: "A record of 'identity' does not fit its schema.",
		facts: { section: 'identity', id: 'self' },
	});
}

function readOf(
	name: string,
	state: VerifiedCopy['state'],
	identity: StoredIdentity,
	summary: ContentSummary,
): Read {
	const { counts, digest } = summary;
	const { address } = identity.record;
	return { verified: { name, address, state, counts, digest }, identity, summary };
}
