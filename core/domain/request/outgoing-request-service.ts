import { z } from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { ValidationResultDto } from '../../facade';
import { contentError } from '../../model/content/content-errors';
import { readCreationResponse } from '../../model/content/creation-content';
import { request as requestType } from '../../model/content/requests';
import { parseTemplateContent } from '../../model/content/template-content';
import { isId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestDto, RequestRecord } from '../../model/record/request';
import type {
	Query,
	ReadTransaction,
	RequestField,
	Store,
	WriteTransaction,
} from '../../store/store';
import type { AttributeService } from '../attribute/attribute-service';
import type { Account } from '../identity/account';
import { handlerOf } from './items';
import type { ResponseContext } from './items/item-handler';
import { requestErrors } from './request-errors';
import {
	checkKeyUniqueness,
	isGroup,
	itemsOf,
	pairResponse,
	type AnsweredItem,
} from './request-rules';
import { failure, firstFailure, inherited, success } from './validation-result';

export interface RequestDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
	readonly clock: Clock;
	readonly random: Random;
	readonly attributes: AttributeService;
	readonly logger: Logger;
}

const validateInputSchema = z.strictObject({
	content: z.record(z.string(), z.unknown()),
	peer: z.string().max(200).optional(),
});

/** Requests that we make (docs/protocol/consumption.md 4). */
export class OutgoingRequestService {
	constructor(private readonly deps: RequestDependencies) {}

	/**
	 * The result tree of consumption 2.2: never rejects for a rule that the request breaks.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.requestDeserialization`,
	 * `error.runtime.unknownType`
	 */
	async validate(input: unknown, options: Cancellable = {}): Promise<ValidationResultDto> {
		const parsed = validateInputSchema.safeParse(input);
		if (!parsed.success) {
			const field = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
			throw requestErrors.create('invalidInput', {
				message: `'${field}' is not valid: ${parsed.error.issues[0]?.message ?? ''}.`,
				facts: { field },
			});
		}
		const content = parseRequest(parsed.data.content);
		return await this.deps.store.read((tx) => this.check(tx, content, parsed.data.peer), options);
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
	 * @throws content codes,
	 * `error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate`, and the code
	 * of the first rule that a request breaks
	 */
	async prepareTemplateContent(
		content: unknown,
		templateExpiresAt: string,
		options: Cancellable,
	): Promise<JsonObject> {
		const parsed = parseTemplateContent(content);
		if (parsed['@type'] !== 'RelationshipTemplateContent') return parsed;
		const onNew = parsed['onNewRelationship'] as JsonObject;
		const expiresAt = onNew['expiresAt'];
		if (typeof expiresAt === 'string' && Date.parse(expiresAt) > Date.parse(templateExpiresAt)) {
			throw requestErrors.create('expiresAfterTemplate', {
				message: 'The request expires after the template that carries it.',
				facts: { field: 'content.onNewRelationship.expiresAt' },
			});
		}
		await this.requireValid(onNew, options);
		const onExisting = parsed['onExistingRelationship'];
		if (onExisting !== undefined && onExisting !== null) {
			await this.requireValid(onExisting as JsonObject, options);
		}
		if (typeof expiresAt === 'string') return parsed;
		return { ...parsed, onNewRelationship: { ...onNew, expiresAt: templateExpiresAt } };
	}

	/**
	 * The answer to the request of our template came with a relationship (consumption 4.6). Whatever
	 * is wrong with the answer is logged: the relationship arrives all the same.
	 */
	async completeFromRelationship(
		tx: WriteTransaction,
		relationship: RelationshipRecord,
	): Promise<void> {
		const template = relationship.template.content;
		const response = readCreationResponse(relationship.creationContent);
		if (template['@type'] !== 'RelationshipTemplateContent' || response === undefined) return;
		const request = template['onNewRelationship'] as JsonObject;
		const requestId = String(response['requestId']);
		const context: ResponseContext = {
			tx,
			attributes: this.deps.attributes,
			ownAddress: this.deps.account.address,
			peer: relationship.peer,
			requestId,
		};
		const answered = await this.judge(request, response, context);
		if (answered instanceof GatewayError) {
			this.deps.logger.warn('the answer to a template was not usable', {
				relationshipId: relationship.id,
				code: answered.code,
				reason: answered.message,
			});
			return;
		}
		await this.storeCompleted(tx, relationship, request, response);
		for (const { item, response: answer } of answered) {
			if (answer['result'] === 'Accepted')
				await handlerOf(item)?.applyResponse(item, answer, context);
		}
	}

	/** Decides before anything is written. */
	private async judge(
		request: JsonObject,
		response: JsonObject,
		context: ResponseContext,
	): Promise<readonly AnsweredItem[] | GatewayError> {
		if (!isId('request', context.requestId)) {
			return requestErrors.create('responseMismatch', {
				message: 'The response names an impossible request ID.',
			});
		}
		if ((await context.tx.requests.get(context.requestId)) !== undefined) {
			return requestErrors.create('responseMismatch', {
				message: `There is already a request with the ID ${context.requestId}.`,
			});
		}
		const pairs = pairResponse(request, response);
		if (pairs instanceof GatewayError) return pairs;
		for (const { item, response: answer } of pairs) {
			if (answer['result'] !== 'Accepted') continue;
			const problem = handlerOf(item)?.checkResponse(item, answer, context);
			if (problem !== undefined) return problem;
		}
		return pairs;
	}

	private async storeCompleted(
		tx: WriteTransaction,
		relationship: RelationshipRecord,
		request: JsonObject,
		response: JsonObject,
	): Promise<void> {
		const now = isoInstant(this.deps.clock.now());
		const id = String(response['requestId']);
		const record: RequestRecord = {
			id,
			isOwn: true,
			peer: relationship.peer,
			createdAt: now,
			status: 'Completed',
			content: { '@type': 'Request', ...request, id },
			source: { type: 'RelationshipTemplate', reference: relationship.templateId },
			response: {
				createdAt: now,
				content: { '@type': 'Response', ...response },
				source: { type: 'Relationship', reference: relationship.id },
			},
			statusLog: [
				{ createdAt: now, oldStatus: 'Draft', newStatus: 'Open' },
				{ createdAt: now, oldStatus: 'Open', newStatus: 'Completed' },
			],
		};
		await tx.requests.insert(record, undefined);
		const names = [
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
		];
		for (const name of names) {
			await tx.outbox.append({
				name,
				createdAt: now,
				peer: record.peer,
				subject: record.id,
				data: toRequestDto(record) as unknown as JsonObject,
			});
		}
	}

	private async requireValid(request: JsonObject, options: Cancellable): Promise<void> {
		const result = await this.deps.store.read((tx) => this.check(tx, request, undefined), options);
		const leaf = firstFailure(result);
		if (leaf === undefined) return;
		// The code of the whole, as promised to callers; the message of what is wrong inside.
		throw new GatewayError({
			code: leaf.code === 'error.gateway.notSupportedYet' ? leaf.code : (result.code ?? ''),
			kind: 'invalid',
			message: leaf.message ?? 'The request is not valid.',
			remedy: 'Correct the named item of the request.',
			facts: { itemCode: leaf.code ?? '' },
		});
	}

	/** docs/protocol/consumption.md 4.1, in its order. */
	private async check(
		tx: ReadTransaction,
		request: JsonObject,
		peer: string | undefined,
	): Promise<ValidationResultDto> {
		const problem = await this.checkWhole(tx, request, peer);
		if (problem !== undefined) return failure(problem);
		const context = { tx, ownAddress: this.deps.account.address, peer };
		const checkItem = async (item: JsonObject): Promise<ValidationResultDto> => {
			if (isGroup(item)) {
				const children = [];
				for (const child of itemsOf(item)) children.push(await checkItem(child));
				return inherited(children);
			}
			const handler = handlerOf(item);
			if (handler === undefined) {
				return failure(
					requestErrors.create('notSupportedYet', {
						message: `Items of type '${String(item['@type'])}' are not supported yet.`,
					}),
				);
			}
			const refused = await handler.checkOutgoing(item, context);
			return refused === undefined ? success : failure(refused);
		};
		const items = [];
		for (const item of itemsOf(request)) items.push(await checkItem(item));
		const result = inherited(items);
		if (!result.isSuccess) return result;
		const clash = checkKeyUniqueness(request, peer);
		return clash === undefined ? result : failure(clash);
	}

	private async checkWhole(
		tx: ReadTransaction,
		request: JsonObject,
		peer: string | undefined,
	): Promise<GatewayError | undefined> {
		if (peer === this.deps.account.address) {
			return requestErrors.create('withYourself', { message: 'The peer is our own identity.' });
		}
		const expiresAt = request['expiresAt'];
		if (typeof expiresAt === 'string' && Date.parse(expiresAt) < this.deps.clock.now()) {
			return requestErrors.create('expired', {
				message: `The request would have expired already at ${expiresAt}.`,
			});
		}
		if (peer === undefined) return undefined;
		const relationship = await tx.relationships.first({
			where: [{ field: 'peer', op: 'eq', value: peer }],
			orderBy: { field: 'inserted', direction: 'desc' },
		});
		if (relationship === undefined) {
			return requestErrors.create('missingRelationship', {
				message: `There is no relationship with ${peer}.`,
			});
		}
		const { status, peerDeletionInfo } = relationship.record;
		if (status !== 'Pending' && status !== 'Active') {
			return requestErrors.create('wrongRelationshipStatus', {
				message: `The relationship with ${peer} is '${status}'.`,
			});
		}
		if (peerDeletionInfo === undefined) return undefined;
		const name =
			peerDeletionInfo.deletionStatus === 'ToBeDeleted' ? 'peerIsInDeletion' : 'peerIsDeleted';
		return requestErrors.create(name, { message: `The identity ${peer} is being or was deleted.` });
	}
}

/** @throws `error.runtime.requestDeserialization`, `error.runtime.unknownType` */
function parseRequest(content: Record<string, unknown>): JsonObject {
	const result = requestType.members.safeParse(content);
	if (result.success) return result.data;
	throw contentError('The request', result.error);
}

function toRequestDto(record: RequestRecord): RequestDto {
	const { statusLog: _statusLog, ...shown } = record;
	return shown;
}
