import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { ValidationResultDto } from '../../facade';
import { withMembers } from '../../model/content/parse';
import { parseOwnRequest } from '../../model/content/requests';
import { parseTemplateContent, requestsOf } from '../../model/content/template-content';
import { compareInstants } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestDto } from '../../model/record/request';
import type { Query, RequestField, Store, WriteTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import { parseInput } from '../validation';
import { toRequestDto } from './request-dto';
import { requestErrors } from './request-errors';
import { validateRequest } from './request-validation';
import { completeFromRelationship } from './template-response';
import { firstFailure } from './validation-result';

export interface RequestDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
	readonly clock: Clock;
	readonly logger: Logger;
}

const validateInputSchema = z.strictObject({
	content: z.unknown().optional(),
	peer: z.string().max(200).optional(),
});

/** Requests that we make (docs/protocol/consumption.md 4). */
export class OutgoingRequestService {
	constructor(private readonly deps: RequestDependencies) {}

	/**
	 * The result tree of consumption 2.2; a rule that the request breaks is a result, not an error.
	 * Without a peer the request is meant for a template.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.requestDeserialization`,
	 * `error.runtime.unknownType`, `error.runtime.servalError`
	 */
	async validate(input: unknown, options: Cancellable = {}): Promise<ValidationResultDto> {
		const { content, peer } = parseInput(validateInputSchema, input, (message, field) =>
			requestErrors.create('invalidInput', { message, facts: { field } }),
		);
		return await this.check(parseOwnRequest(content), peer, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<RequestDto> {
		const entry = await this.deps.store.read((tx) => tx.requests.get(id), options);
		if (entry?.record.isOwn === true) return toRequestDto(entry.record);
		throw requestErrors.create('notFound', {
			message: `There is no outgoing request with the ID '${id}' in this account.`,
			facts: { requestId: id },
		});
	}

	async list(query: Query<RequestField> = {}, options: Cancellable = {}): Promise<RequestDto[]> {
		const own = { field: 'isOwn', op: 'eq', value: true } as const;
		const entries = await this.deps.store.read(
			(tx) => tx.requests.list({ ...query, where: [own, ...(query.where ?? [])] }),
			options,
		);
		return entries.map(({ record }) => toRequestDto(record));
	}

	/**
	 * Own template content as it is sent: parsed, its requests checked, the expiry filled in
	 * (consumption 4.7).
	 *
	 * @param templateExpiresAt ISO text
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.requestDeserialization`,
	 * `error.runtime.unknownType`, `error.runtime.servalError`,
	 * `error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate`,
	 * `error.gateway.notSupportedYet`, or the code at the root of the result tree
	 */
	async prepareTemplateContent(
		content: unknown,
		templateExpiresAt: string,
		options: Cancellable,
	): Promise<JsonObject> {
		const parsed = parseTemplateContent(content);
		const requests = requestsOf(parsed);
		const onNew = requests[0]?.request;
		if (onNew === undefined) return parsed;
		const expiresAt = onNew['expiresAt'];
		const expires = typeof expiresAt === 'string';
		if (expires && compareInstants(expiresAt, templateExpiresAt) > 0) {
			throw requestErrors.create('expiresAfterTemplate', {
				message: 'The request expires after the template that carries it.',
				facts: { field: 'content.onNewRelationship.expiresAt' },
			});
		}
		for (const { name, request } of requests) await this.requireValid(name, request, options);
		if (expires) return parsed;
		const onNewRelationship = withMembers(onNew, { expiresAt: templateExpiresAt });
		return withMembers(parsed, { onNewRelationship });
	}

	/** The answer to the request of our template came with a relationship; never refuses the latter. */
	async completeFromRelationship(
		tx: WriteTransaction,
		relationship: RelationshipRecord,
	): Promise<void> {
		const { account, clock, logger } = this.deps;
		const now = isoInstant(clock.now());
		await completeFromRelationship(tx, relationship, { address: account.address, now, logger });
	}

	private async requireValid(
		member: string,
		request: JsonObject,
		options: Cancellable,
	): Promise<void> {
		const result = await this.check(request, undefined, options);
		const leaf = firstFailure(result);
		if (leaf === undefined) return;
		const isUnsupported = leaf.code === 'error.gateway.notSupportedYet';
		// The promised code is that of the whole; what is wrong stands deep inside.
		throw new GatewayError({
			code: (isUnsupported ? leaf.code : result.code) ?? '',
			kind: 'invalid',
			message: leaf.message ?? 'The request is not valid.',
			remedy: 'Correct the named item of the request.',
			facts: { itemCode: leaf.code ?? '', field: `content.${member}` },
		});
	}

	private async check(
		request: JsonObject,
		peer: string | undefined,
		options: Cancellable,
	): Promise<ValidationResultDto> {
		const { store, account, clock } = this.deps;
		return await store.read(
			(tx) =>
				validateRequest(request, {
					tx,
					ownAddress: account.address,
					peer,
					nowMs: clock.now(),
				}),
			options,
		);
	}
}
