import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import { parseOwnRequest } from '../../model/content/requests/requests';
import type {
	AttributeListenerDto,
	AttributeListenerRecord,
	AttributeRecord,
} from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { WriteTransaction } from '../../store/store';
import { toAttributeWithoutOwnerDto } from '../attribute/attribute-dto';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import { listenersFor, subjectOf } from '../attribute/attribute-listeners';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { isFoundBy } from '../attribute/queries/query-execution';
import { currentRelationship } from '../current-relationship';
import type { OutgoingRequestService } from '../request/outgoing-request-service';
import { toRequestDto } from '../request/request-dto';
import type { Observer } from '../observers';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

export interface AttributeListenerDependencies extends Needs<'store' | 'logger'> {
	readonly writer: () => AttributeWriter;
	readonly requests: OutgoingRequestService;
}

/**
 * Offers attributes to peers with a matching attribute listener (docs/protocol/consumption.md 11).
 * A match creates a draft of the request that offers the attribute, in the same transaction; the
 * client decides whether to send it.
 */
export class AttributeListenerService implements Observer<
	'attributeCreated' | 'relationshipAccepted'
> {
	constructor(private readonly dependencies: AttributeListenerDependencies) {}

	async list(options: Cancellable = {}): Promise<AttributeListenerDto[]> {
		const entries = await this.dependencies.store.read(
			(tx) => tx.attributeListeners.list(),
			options,
		);
		return entries.map(({ record }) => record);
	}

	/** Offers an attribute that this account or a peer has created. */
	async attributeCreated(tx: WriteTransaction, attribute: AttributeRecord): Promise<void> {
		if (!isIdentityAttribute(attribute)) {
			const peer = attribute.shareInfo?.peer ?? '';
			const relationship = (await currentRelationship(tx, peer))?.record;
			if (isPrivate(attribute) || relationship?.status !== 'Active') return;
		} else if (attribute.shareInfo !== undefined) return;
		await this.offer(tx, attribute);
	}

	/**
	 * Offers the attributes that were exchanged while the relationship was pending, once it is
	 * accepted.
	 */
	async relationshipAccepted(tx: WriteTransaction, { peer }: RelationshipRecord): Promise<void> {
		const entries = await tx.attributes.list({
			where: matching({ peer, contentType: 'RelationshipAttribute' }),
		});
		for (const { record } of entries) {
			// Official software offers no attribute that was stored after a private one; the gateway does
			// the same.
			if (isPrivate(record)) return;
			await this.offer(tx, record);
		}
	}

	private async offer(tx: WriteTransaction, attribute: AttributeRecord): Promise<void> {
		const listeners = await listenersFor(tx, subjectOf(attribute.content));
		if (listeners.length === 0) return;
		const { ownAddress } = this.dependencies.writer();
		for (const listener of listeners) {
			if (!(await isFoundBy(tx, listener.query, attribute, ownAddress))) continue;
			const request = await this.draft(tx, attribute, listener);
			if (request !== undefined) await this.publish(tx, { listener, attribute, request });
		}
	}

	/**
	 * Creates the request for one listener; returns undefined and logs the reason when the attribute
	 * cannot be offered to that peer.
	 */
	private async draft(
		tx: WriteTransaction,
		attribute: AttributeRecord,
		listener: AttributeListenerRecord,
	): Promise<RequestRecord | undefined> {
		const thirdPartyAddress = attribute.shareInfo?.peer;
		const content = parseOwnRequest({
			items: [
				{
					'@type': 'ShareAttributeRequestItem',
					attribute: attribute.content,
					sourceAttributeId: attribute.id,
					mustBeAccepted: true,
					metadata: { attributeListenerId: listener.id },
					...(thirdPartyAddress === undefined || thirdPartyAddress === listener.peer
						? {}
						: { thirdPartyAddress }),
				},
			],
		});
		try {
			return await this.dependencies.requests.createIn(tx, content, listener.peer);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const { code, message: reason } = error;
			const facts = { attributeListenerId: listener.id, attributeId: attribute.id, code, reason };
			this.dependencies.logger.warn(
				'an attribute cannot be offered to the peer that waits for it',
				facts,
			);
			return undefined;
		}
	}

	private async publish(
		tx: WriteTransaction,
		triggered: {
			readonly listener: AttributeListenerRecord;
			readonly attribute: AttributeRecord;
			readonly request: RequestRecord;
		},
	): Promise<void> {
		const { listener, attribute, request } = triggered;
		await appendEvent(tx, {
			name: 'consumption.attributeListenerTriggered',
			createdAt: this.dependencies.writer().now,
			peer: listener.peer,
			subject: attribute.id,
			data: {
				attributeListener: listener,
				attribute: toAttributeWithoutOwnerDto(attribute),
				request: toRequestDto(request),
			},
		});
	}
}

function isPrivate({ content }: AttributeRecord): boolean {
	return content['@type'] === 'RelationshipAttribute' && content.confidentiality === 'private';
}
