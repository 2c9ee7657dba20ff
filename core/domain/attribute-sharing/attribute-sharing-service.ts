import type * as z from 'zod';
import { GatewayError, isGatewayError } from '../../base/errors';
import { textMember } from '../../model/content/members';
import { parseOwnRequest, type Request } from '../../model/content/requests/requests';
import { createAndShareAttributeSchema, shareAttributeSchema } from '../../model/input/attribute';
import type { RequestDto, RequestRecord } from '../../model/record/request';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { ShareOptions } from '../../facade/attributes';
import type { HintOptions } from '../../facade/requests';
import { requireAttributeId } from '../attribute/attribute-input';
import { findAttribute, requireRepository } from '../attribute/attribute-service';
import type { AttributeWriter } from '../attribute/attribute-writer';
import {
	sendNowOrLater,
	type EarlierMessage,
	type PreparedMessage,
	type PreparedMessages,
} from '../message/sending/prepared-messages';
import type { OutgoingRequestService } from '../request/outgoing-request-service';
import { toRequestDto } from '../request/request-dto';
import { requestErrors } from '../request/request-errors';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

type Metadata = z.infer<typeof shareAttributeSchema>;

export interface AttributeSharingDependencies extends Needs<'store' | 'logger'> {
	readonly messages: PreparedMessages;
	readonly requests: OutgoingRequestService;
	readonly writer: () => AttributeWriter;
}

/**
 * Requests that offer a single attribute, created and sent in one step
 * (docs/protocol/consumption.md 8.12). Each method returns the request as created; the request
 * becomes open right afterwards.
 */
export class AttributeSharingService {
	constructor(private readonly dependencies: AttributeSharingDependencies) {}

	/**
	 * Offers an own attribute to a peer. Input: `peer`, `requestMetadata`, `requestItemMetadata`.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotRepositoryAttribute`,
	 * `error.runtime.validation.invalidPropertyValue`, `error.runtime.requestDeserialization`, the
	 * code of the invalid item or request, `error.transport.messages.missingOrInactiveRelationship`
	 */
	async share(id: string, input: unknown, options: ShareOptions = {}): Promise<RequestDto> {
		requireAttributeId(id);
		const metadata = parseInput(shareAttributeSchema, input);
		return await this.send(metadata.peer, options, async (tx) => {
			const { ownAddress } = this.dependencies.writer();
			const { content } = requireRepository(await findAttribute(tx, id), ownAddress);
			const item = {
				'@type': 'ShareAttributeRequestItem',
				attribute: content,
				sourceAttributeId: id,
			};
			return await this.createWithCodeOfItem(tx, requestOf(item, metadata), metadata.peer, options);
		});
	}

	/**
	 * Proposes an own relationship attribute. Input: `content` with `value`, `key`,
	 * `confidentiality`, `isTechnical`, `validFrom`, `validTo`, and the members of {@link share}.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.requestDeserialization`, the code at the root of the invalid request,
	 * `error.transport.messages.missingOrInactiveRelationship`
	 */
	async createAndShareRelationshipAttribute(
		input: unknown,
		options: ShareOptions = {},
	): Promise<RequestDto> {
		const { content, ...metadata } = parseInput(createAndShareAttributeSchema, input);
		const owner = this.dependencies.writer().ownAddress;
		const item = {
			'@type': 'CreateAttributeRequestItem',
			attribute: { '@type': 'RelationshipAttribute', ...content, owner },
		};
		const request = requestOf(item, metadata);
		return await this.send(metadata.peer, options, (tx) =>
			this.dependencies.requests.createIn(tx, request, metadata.peer, options),
		);
	}

	/** Commits the request and its message together, once per idempotency key. */
	private async send(
		peer: string,
		options: ShareOptions,
		create: (tx: WriteTransaction) => Promise<RequestRecord>,
	): Promise<RequestDto> {
		const { store, messages, logger } = this.dependencies;
		const { idempotencyKey: key } = options;
		await messages.ready([peer], options);
		const { record, message } = await store.transact(async (tx): Promise<Sending> => {
			const earlier = key === undefined ? undefined : await messages.findEarlier(tx, key);
			if (earlier !== undefined) return await requestOfEarlier(tx, earlier);
			const made = await create(tx);
			return { record: made, message: await messages.prepare(tx, peer, made.content, key) };
		}, options);
		if (message !== undefined) await sendNowOrLater(message, 'request', logger, options);
		return toRequestDto(record);
	}

	/**
	 * Creates a request and reports the code of its only item, which is more specific than the code
	 * of the request.
	 */
	private async createWithCodeOfItem(
		tx: WriteTransaction,
		request: Request,
		peer: string,
		options: HintOptions,
	): Promise<RequestRecord> {
		try {
			return await this.dependencies.requests.createIn(tx, request, peer, options);
		} catch (error) {
			if (!isGatewayError(error, requestErrors.inheritedFromItem.code)) throw error;
			const { kind, message, remedy, facts } = error;
			throw new GatewayError({ code: facts.itemCode, kind, message, remedy, facts, cause: error });
		}
	}
}

interface Sending {
	readonly record: RequestRecord;
	/** absent if the message was sent before */
	readonly message?: PreparedMessage;
}

/**
 * @throws `error.runtime.recordNotFound` when the request no longer exists, or the key belongs to
 * another kind of message
 */
async function requestOfEarlier(tx: ReadTransaction, earlier: EarlierMessage): Promise<Sending> {
	const isWaiting = earlier.state === 'waiting';
	const entry = isWaiting
		? await tx.requests.get(textMember(earlier.content, 'id'))
		: await tx.requests.first({ where: matching({ sourceReference: earlier.messageId }) });
	if (entry?.record.isOwn !== true) {
		throw requestErrors.create('notFound', {
			message:
				'The message that was sent under this idempotency key is not a request of this account.',
			facts: { requestId: '' },
		});
	}
	const { record } = entry;
	return isWaiting ? { record, message: earlier.message } : { record };
}

/** Builds a request with one item that must be accepted. */
function requestOf(item: object, { requestMetadata, requestItemMetadata }: Metadata): Request {
	return parseOwnRequest({
		...requestMetadata,
		items: [{ ...requestItemMetadata, ...item, mustBeAccepted: true }],
	});
}
