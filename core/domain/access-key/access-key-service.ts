import { hash } from 'node:crypto';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { alphanumeric } from '../../base/random';
import type { AcceptedAccessKey, AccessKeyUseCases } from '../../facade/http/access-keys';
import { newId } from '../../model/ids';
import { createAccessKeySchema, rotateAccessKeySchema } from '../../model/input/access-key';
import { isExpired } from '../../model/instant';
import type {
	AccessKeyDto,
	AccessKeyRecord,
	NewAccessKeyDto,
} from '../../model/record/http/access-key';
import { parseInput } from '../validation';
import { accessKeyErrors } from './access-key-errors';
import { matching } from '../query/conditions';
import { invalidInput } from '../input-errors';
import type { Needs } from '../needs';

const mostKeys = 1_000;
const hourMs = 3_600_000;
/** Characters of a key after its prefix: more than 256 bits. */
const keyLength = 44;
/** Text by which people and scanners of source code recognise a key. */
const keyPrefix = 'enmeshed_';
/** Longest text that is looked up; keys of this gateway are shorter. */
const longestText = 200;

export type AccessKeyDependencies = Needs<'store' | 'clock' | 'random'>;

/**
 * Keys of programs that use the account over HTTP. Only hashes are stored: a key has more than 256
 * random bits, so its plain SHA-256 cannot be reversed, and finding it by an index shows nothing.
 */
export class AccessKeyService implements AccessKeyUseCases {
	constructor(private readonly dependencies: AccessKeyDependencies) {}

	async create(input: unknown, options: Cancellable = {}): Promise<NewAccessKeyDto> {
		const { name, scopes, expiresAt } = parseInput(createAccessKeySchema, input);
		this.requireFuture(expiresAt);
		const { store, random, clock } = this.dependencies;
		const key = this.newText();
		const record: AccessKeyRecord = {
			id: newId('accessKey', random),
			name,
			digest: digestOf(key),
			scopes,
			createdAt: isoInstant(clock.now()),
			...(expiresAt === undefined ? {} : { expiresAt }),
		};
		await store.transact(async (tx) => {
			const named = { where: matching({ name }), limit: 1 };
			if ((await tx.accessKeys.list(named)).length > 0) {
				throw accessKeyErrors.create('nameTaken', {
					message: `There is a key '${name}' already.`,
					facts: { field: 'name' },
				});
			}
			if ((await tx.accessKeys.count({})) >= mostKeys) {
				throw accessKeyErrors.create('tooMany', { message: `There are ${mostKeys} keys already.` });
			}
			await tx.accessKeys.insert(record, undefined);
		}, options);
		return { ...toDto(record), key };
	}

	async list(options: Cancellable = {}): Promise<AccessKeyDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.accessKeys.list({}), options);
		return entries.map(({ record }) => toDto(record));
	}

	async rotate(
		id: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<NewAccessKeyDto> {
		const { overlapHours, expiresAt } = parseInput(rotateAccessKeySchema, input);
		this.requireFuture(expiresAt);
		const key = this.newText();
		const record = await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.accessKeys.get(id);
			if (entry === undefined) throw unknown();
			const now = this.dependencies.clock.now();
			const { previous: _previous, ...kept } = entry.record;
			const changed: AccessKeyRecord = {
				...kept,
				...(expiresAt === undefined ? {} : { expiresAt }),
				digest: digestOf(key),
				rotatedAt: isoInstant(now),
				...(overlapHours === 0
					? {}
					: {
							previous: {
								digest: kept.digest,
								validUntil: isoInstant(now + overlapHours * hourMs),
							},
						}),
			};
			await tx.accessKeys.update(changed);
			return changed;
		}, options);
		return { ...toDto(record), key };
	}

	async revoke(id: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			if ((await tx.accessKeys.get(id)) === undefined) throw unknown();
			await tx.accessKeys.delete(id);
		}, options);
	}

	async find(text: string, options: Cancellable = {}): Promise<AcceptedAccessKey | undefined> {
		if (text.length > longestText) return undefined;
		const digest = digestOf(text);
		const { store, clock } = this.dependencies;
		return await store.read(async (tx) => {
			for (const field of ['digest', 'previousDigest'] as const) {
				const where = [{ field, op: 'eq', value: digest } as const];
				const [entry] = await tx.accessKeys.list({ where, limit: 1 });
				if (entry !== undefined) return acceptedAt(clock.now(), entry.record, field);
			}
			return undefined;
		}, options);
	}

	private newText(): string {
		return keyPrefix + this.dependencies.random.text(keyLength, alphanumeric);
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	private requireFuture(expiresAt: string | undefined): void {
		if (expiresAt === undefined || !isExpired(expiresAt, this.dependencies.clock.now())) return;
		throw invalidInput("'expiresAt' must be in the future.", 'expiresAt');
	}
}

/** What a key allows now; the text before a rotation ends earlier than the key. */
function acceptedAt(
	nowMs: number,
	{ id, name, scopes, expiresAt, previous }: AccessKeyRecord,
	found: 'digest' | 'previousDigest',
): AcceptedAccessKey | undefined {
	const ends = [expiresAt, found === 'digest' ? undefined : previous?.validUntil];
	const expiresAtMs = Math.min(
		...ends.map((end) => (end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end))),
	);
	if (expiresAtMs <= nowMs) return undefined;
	return { id, name, scopes, ...(Number.isFinite(expiresAtMs) ? { expiresAtMs } : {}) };
}

function toDto({ digest: _digest, previous, ...shown }: AccessKeyRecord): AccessKeyDto {
	return {
		...shown,
		...(previous === undefined ? {} : { previousValidUntil: previous.validUntil }),
	};
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url');

function unknown(): Error {
	return accessKeyErrors.create('notFound', { message: 'There is no such key.' });
}
