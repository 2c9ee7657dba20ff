import type * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { encodeBase64Url } from '../../base/encoding';
import { isGatewayError } from '../../base/errors';
import { parse } from '../../base/schema-parse';
import type { AuditUseCases } from '../../facade/http/audit';
import { auditQuerySchema, auditVerificationSchema } from '../../model/input/audit';
import {
	newAuditEntrySchema,
	type AuditChainSecrets,
	type AuditEntryDto,
	type AuditEntryRecord,
	type AuditHeadDto,
	type AuditPageDto,
	type AuditVerificationDto,
	type NewAuditEntry,
} from '../../model/record/http/audit';
import type { WriteTransaction } from '../../store/store';
import { parseInput } from '../validation';
import { ChainCheck, macOf, storedObject } from './audit-chain';
import { auditErrors } from './audit-errors';
import { chainId, readChain, readRows } from './audit-rows';
import type { Needs } from '../needs';

const rowsAtOnce = 500;
/** rows that one page looks at, so that a filter that fits nothing ends soon */
const mostLookedAt = 5_000;
const keyLength = 32;
/** Rows of two processes come one after the other, and do not wait for other work. */
const scope = ['audit'];

export type AuditDependencies = Needs<'store' | 'clock' | 'random'>;

/**
 * Rows about who did what, chained by a keyed hash. A sealed record, changed in the transaction of
 * each row, has the key, the newest row and the first kept one (docs/adr/0051).
 */
export class AuditService implements AuditUseCases {
	/** newest row that this process has written: an older audit beside it was set back */
	private written: AuditHeadDto | undefined;

	constructor(private readonly dependencies: AuditDependencies) {}

	async record(entry: NewAuditEntry, options: Cancellable = {}): Promise<number> {
		const { store, clock } = this.dependencies;
		// Hashed is what will be stored, without members that the schema does not know.
		const described = parse(newAuditEntrySchema, entry);
		const written = await store.transact(
			async (tx) => {
				const chain = (await readChain(tx)) ?? (await this.begin(tx));
				const { number: last, mac: before } = chain.newest;
				if (last < (this.written?.number ?? 0)) throw setBack(last);
				const number = last + 1;
				const key = Buffer.from(chain.key, 'base64url');
				const { object } = described;
				const row = {
					id: String(number),
					at: isoInstant(clock.now()),
					...described,
					...(object === undefined ? {} : { object: storedObject(key, object) }),
				};
				const mac = macOf(key, before, row);
				await tx.auditEntries.insert({ ...row, mac }, undefined);
				await tx.auditChain.update({ id: chainId }, { ...chain, newest: { number, mac } });
				return { number, mac };
			},
			{ ...options, scope },
		);
		if (written.number > (this.written?.number ?? 0)) this.written = written;
		return written.number;
	}

	async page(query: unknown = {}, options: Cancellable = {}): Promise<AuditPageDto> {
		const { after = 0, limit, object, ...others } = parseInput(auditQuerySchema, query);
		return await this.dependencies.store.read(async (tx) => {
			const chain = await readChain(tx);
			if (chain === undefined) return { entries: [], position: after, hasMore: false };
			const newest = chain.newest.number;
			const key = Buffer.from(chain.key, 'base64url');
			const filter = { ...others, object: object && storedObject(key, object) };
			const entries: AuditEntryDto[] = [];
			let position = Math.max(after, chain.first.number - 1);
			const end = Math.min(newest, position + mostLookedAt);
			while (position < end && entries.length < limit) {
				const last = Math.min(end, position + rowsAtOnce);
				for (const row of await readRows(tx, position + 1, last)) {
					if (entries.length >= limit) break;
					position++;
					if (row === 'unreadable') throw unreadable(position);
					if (row !== 'missing' && fits(row, filter)) entries.push(toDto(row));
				}
			}
			return { entries, position, hasMore: position < newest };
		}, options);
	}

	async head(options: Cancellable = {}): Promise<AuditHeadDto | undefined> {
		const chain = await this.dependencies.store.read(readChain, options);
		return chain === undefined || chain.newest.number === 0 ? undefined : chain.newest;
	}

	async verify(input: unknown = {}, options: Cancellable = {}): Promise<AuditVerificationDto> {
		const { head } = parseInput(auditVerificationSchema, input);
		const given = head === undefined ? undefined : headOf(head);
		const remembered = this.written;
		const { store } = this.dependencies;
		const opening = await store.read(
			async (tx) => ({ chain: await openedChain(tx), count: await tx.auditEntries.count() }),
			options,
		);
		const { chain, count } = opening;
		if (chain === undefined) return noChain(given);
		const { first, newest } = chain;
		const isKept = remembered !== undefined && remembered.number >= first.number;
		const known = [...(given === undefined ? [] : [given]), ...(isKept ? [remembered] : [])];
		const check = new ChainCheck(chain, known);
		// A transaction for each part: the rows before stay as they are, however many follow.
		while (check.nextNumber <= newest.number) {
			await store.read(async (tx) => {
				const now = await openedChain(tx);
				if (now !== undefined) check.skipTo(now.first);
				const last = Math.min(newest.number, check.nextNumber + rowsAtOnce - 1);
				for (const row of await readRows(tx, check.nextNumber, last)) check.add(row);
			}, options);
		}
		check.end(newest, count - (newest.number - first.number + 1 - check.missing));
		const { findings, checked } = check;
		return { isIntact: findings.length === 0, checked, first: first.number, newest, findings };
	}

	async prune(olderThan: string, options: Cancellable = {}): Promise<number> {
		const { store } = this.dependencies;
		const isDue = await store.read(async (tx) => {
			const chain = await readChain(tx);
			if (chain === undefined || chain.first.number > chain.newest.number) return false;
			const [row] = await readRows(tx, chain.first.number, chain.first.number);
			return typeof row !== 'object' || row.at < olderThan;
		}, options);
		if (!isDue) return 0;
		return await store.transact((tx) => removeOldest(tx, olderThan), { ...options, scope });
	}

	/** Creates the key, on first use. */
	private async begin(tx: WriteTransaction): Promise<AuditChainSecrets> {
		const chain: AuditChainSecrets = {
			key: encodeBase64Url(this.dependencies.random.bytes(keyLength)),
			first: { number: 1, before: '' },
			newest: { number: 0, mac: '' },
		};
		await tx.auditChain.insert({ id: chainId }, chain);
		return chain;
	}
}

/** @throws `error.gateway.audit.broken` */
async function removeOldest(tx: WriteTransaction, olderThan: string): Promise<number> {
	const chain = await readChain(tx);
	if (chain === undefined) return 0;
	const key = Buffer.from(chain.key, 'base64url');
	const last = Math.min(chain.newest.number, chain.first.number + rowsAtOnce - 1);
	let { number, before } = chain.first;
	for (const row of await readRows(tx, number, last)) {
		if (typeof row !== 'object') throw broken(number);
		const { mac, ...hashed } = row;
		if (macOf(key, before, hashed) !== mac) throw broken(number);
		if (row.at >= olderThan) break;
		await tx.auditEntries.delete(row.id);
		number++;
		before = mac;
	}
	const removed = number - chain.first.number;
	if (removed === 0) return 0;
	await tx.auditChain.update({ id: chainId }, { ...chain, first: { number, before } });
	return removed;
}

/** The sealed ends; undefined also if they were altered. */
async function openedChain(
	tx: Parameters<typeof readChain>[0],
): Promise<AuditChainSecrets | undefined> {
	try {
		return await readChain(tx);
	} catch (error) {
		const isAltered =
			isGatewayError(error, 'error.crypto.sealing.cannotOpen') ||
			isGatewayError(error, 'error.gateway.store.corruptRow');
		if (!isAltered) throw error;
		return undefined;
	}
}

function noChain(given: AuditHeadDto | undefined): AuditVerificationDto {
	const number = given?.number ?? 0;
	const findings = [{ kind: 'chain' as const, from: number, to: number }];
	return { isIntact: false, checked: 0, findings };
}

function headOf(text: string): AuditHeadDto {
	const [number = '', mac = ''] = text.split(':');
	return { number: Number(number), mac };
}

function fits(
	{ at, actor, route, object }: AuditEntryRecord,
	wanted: Omit<z.output<typeof auditQuerySchema>, 'after' | 'limit'>,
): boolean {
	const { actor: who, route: pattern, object: what, from, to } = wanted;
	if (who !== undefined && actor.name !== who && actor.id !== who) return false;
	if (pattern !== undefined && route !== pattern) return false;
	if (what !== undefined && object !== what) return false;
	const time = Date.parse(at);
	if (from !== undefined && time < Date.parse(from)) return false;
	return to === undefined || time < Date.parse(to);
}

const toDto = ({ id, ...row }: AuditEntryRecord): AuditEntryDto => ({ number: Number(id), ...row });

function broken(number: number, problem = `Row ${number} of the audit was changed or removed.`) {
	return auditErrors.create('broken', { message: problem, facts: { number } });
}

function setBack(number: number): Error {
	const later = `The audit ends at row ${number}, and this process has written later rows.`;
	return broken(number, later);
}

function unreadable(number: number): Error {
	return broken(number, `Row ${number} of the audit cannot be read.`);
}
