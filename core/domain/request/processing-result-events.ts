import { isoInstant, type Clock } from '../../base/clock';
import { appendEvent } from '../../events/outbox';
import type { MessageDto, MessageRecord } from '../../model/record/message';
import type { RequestRecord } from '../../model/record/request';
import type { TemplateDto, TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { WriteTransaction } from '../../store/store';

type MessageResult =
	'RequestAutomaticallyDecided' | 'ManualRequestDecisionRequired' | 'NoRequest' | 'Error';

export interface TemplateResult {
	readonly result:
		MessageResult | 'NonCompletedRequestExists' | 'RelationshipExists' | 'RequestExpired';
	readonly requestId?: string;
	readonly relationshipId?: string;
}

export interface ProcessingResultEventsDependencies {
	readonly clock: Clock;
	/*
	 * mappings to the public form, injected because messages and templates may import requests, but
	 * not vice versa
	 */
	readonly showMessage: (record: MessageRecord) => MessageDto;
	readonly showTemplate: (record: TemplateRecord, secrets: TemplateSecrets) => TemplateDto;
}

/**
 * Publishes the results of processing messages and templates that may carry a request
 * (docs/protocol/consumption.md 10.1).
 */
export class ProcessingResultEvents {
	constructor(private readonly dependencies: ProcessingResultEventsDependencies) {}

	async message(tx: WriteTransaction, record: MessageRecord, result: MessageResult): Promise<void> {
		await appendEvent(tx, {
			name: 'consumption.messageProcessed',
			createdAt: isoInstant(this.dependencies.clock.now()),
			peer: record.createdBy,
			subject: record.id,
			data: { message: this.dependencies.showMessage(record), result },
		});
	}

	async template(
		tx: WriteTransaction,
		{ id, createdBy }: Pick<TemplateRecord, 'id' | 'createdBy'>,
		result: TemplateResult,
	): Promise<void> {
		const entry = await tx.templates.get(id);
		if (entry === undefined) return;
		await appendEvent(tx, {
			name: 'consumption.relationshipTemplateProcessed',
			createdAt: isoInstant(this.dependencies.clock.now()),
			peer: createdBy,
			subject: id,
			data: { template: this.dependencies.showTemplate(entry.record, entry.secrets), ...result },
		});
	}

	/** Publishes the result for the message or template that carried the request. */
	async ofSource(
		tx: WriteTransaction,
		{ id: requestId, peer, source }: RequestRecord,
		result: 'RequestAutomaticallyDecided' | 'ManualRequestDecisionRequired' | 'Error',
	): Promise<void> {
		if (source === undefined) return;
		if (source.type === 'RelationshipTemplate') {
			await this.template(tx, { id: source.reference, createdBy: peer }, { result, requestId });
			return;
		}
		const message = (await tx.messages.get(source.reference))?.record;
		if (message !== undefined) await this.message(tx, message, result);
	}
}
