import { withType, type UntypedRequest } from '../../model/content/requests/requests';
import { requestsOf } from '../../model/content/template-content';
import { epochMsOf } from '../../model/instant';
import { isId, newId } from '../../model/ids';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { TemplateRecord } from '../../model/record/template';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { currentRelationship } from '../current-relationship';
import { automaticDecisions, type Automation } from './decisions/automation';
import type { RequestMessage } from './lost-requests';
import type { ProcessingResultEvents, TemplateResult } from './processing-result-events';
import { openWork } from '../unfinished/ledger';
import { publishRequest, takeAction } from './request-changes';
import { toRequestDto } from './request-dto';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

export interface ReceptionDependencies extends Needs<'random' | 'logger'> {
	readonly now: () => string;
	readonly automation: Automation;
	readonly resultEvents: ProcessingResultEvents;
}

/** Request that arrived with a message or a template; `'Error'` was logged. */
type Received = RequestRecord | 'Error';

const undecidedStatuses = ['Open', 'DecisionRequired', 'ManualDecisionRequired', 'Decided'];
const establishedStatuses = ['Pending', 'Active', 'Terminated', 'DeletionProposed'];

/**
 * Receives requests of peers (docs/protocol/consumption.md 5.1 to 5.3, 10.1), inside the
 * transaction that stores the message or template. A fault of the peer is logged, never thrown.
 */
export class RequestReception {
	constructor(private readonly dependencies: ReceptionDependencies) {}

	/** Receives the request of a message. */
	async fromMessage(tx: WriteTransaction, message: RequestMessage): Promise<void> {
		const received = await this.receive(tx, {
			content: message.content,
			peer: message.createdBy,
			source: { type: 'Message', reference: message.id },
		});
		// No further event for a request that exists already or has expired.
		if (received === 'Error' || received.status !== 'DecisionRequired') return;
		await this.publishIfManual(tx, await this.begin(tx, received));
	}

	/**
	 * Receives the request of a peer's template, also after a repeated load; the first matching row
	 * of docs/protocol/consumption.md 10.1 applies.
	 */
	async fromTemplate(tx: WriteTransaction, template: TemplateRecord): Promise<void> {
		if (template.isOwn) return;
		const result = await this.resultOfLoading(tx, template);
		if (result !== undefined) await this.dependencies.resultEvents.template(tx, template, result);
	}

	/** Result of loading; undefined when it is published later, with the decision. */
	private async resultOfLoading(
		tx: WriteTransaction,
		template: TemplateRecord,
	): Promise<TemplateResult | undefined> {
		const requests = requestsOf(template.content);
		if (requests.length === 0) return { result: 'NoRequest' };
		const byName = new Map(requests.map(({ name, request }) => [name, request]));
		const known = await unfinishedOf(tx, template.id);
		if (known !== undefined) {
			return { result: 'NonCompletedRequestExists', requestId: known.id };
		}
		const relationship = (await currentRelationship(tx, template.createdBy))?.record;
		const exists = relationship !== undefined && establishedStatuses.includes(relationship.status);
		if (!exists) {
			const other = await undecidedFromTemplates(tx, template.createdBy);
			if (other !== undefined) {
				return { result: 'NonCompletedRequestExists', requestId: other.id };
			}
			return await this.receiveFrom(tx, template, byName.get('onNewRelationship'), undefined);
		}
		const onExisting = byName.get('onExistingRelationship');
		if (relationship.status !== 'Active' || onExisting === undefined) {
			return { result: 'RelationshipExists', relationshipId: relationship.id };
		}
		return await this.receiveFrom(tx, template, onExisting, relationship);
	}

	private async receiveFrom(
		tx: WriteTransaction,
		template: TemplateRecord,
		request: UntypedRequest | undefined,
		relationship: RelationshipRecord | undefined,
	): Promise<TemplateResult | undefined> {
		if (request === undefined) return { result: 'Error' };
		if (this.isPast(request.expiresAt)) return { result: 'RequestExpired' };
		const received = await this.receive(tx, {
			content: withEarlierExpiry(
				request,
				relationship === undefined ? template.expiresAt : undefined,
			),
			peer: template.createdBy,
			source: { type: 'RelationshipTemplate', reference: template.id },
		});
		if (received === 'Error' || received.status !== 'DecisionRequired') return { result: 'Error' };
		const begun = await this.begin(tx, received);
		if (begun.status === 'DecisionRequired') return undefined;
		return { result: 'ManualRequestDecisionRequired', requestId: begun.id };
	}

	/**
	 * Stores the request; items of all types are ready to be decided at once
	 * (docs/protocol/consumption.md 5.2).
	 */
	private async receive(
		tx: WriteTransaction,
		{
			content,
			peer,
			source,
		}: Pick<RequestRecord, 'peer' | 'source'> & { readonly content: UntypedRequest },
	): Promise<Received> {
		const { now, random, logger } = this.dependencies;
		const id = content.id ?? newId('request', random);
		const at = now();
		const isLate = this.isPast(content.expiresAt);
		const record: RequestRecord = {
			id,
			isOwn: false,
			peer,
			createdAt: at,
			status: isLate && source?.type === 'RelationshipTemplate' ? 'Expired' : 'Open',
			content: withType(content),
			...(source === undefined ? {} : { source }),
			statusLog: [],
		};
		if (!isId('request', id) || !(await tx.requests.insertIfNew(record, undefined))) {
			const reason = 'its ID is malformed or belongs to another request';
			logger.warn('a request of a peer was ignored', { source: source?.reference ?? '', reason });
			return 'Error';
		}
		await publishRequest(tx, 'consumption.incomingRequestReceived', record, at);
		if (record.status === 'Expired') return record;
		return await takeAction(tx, record, isLate ? 'expire' : 'checkPrerequisites', at);
	}

	/**
	 * Leaves the decision to a person, unless the rules of the automation decide right after this
	 * transaction.
	 */
	private async begin(tx: WriteTransaction, record: RequestRecord): Promise<RequestRecord> {
		const exists = (await currentRelationship(tx, record.peer)) !== undefined;
		const { automation, now } = this.dependencies;
		if (automaticDecisions(toRequestDto(record), automation, exists) === undefined) {
			return await takeAction(tx, record, 'requireManualDecision', now());
		}
		await openWork(tx, { id: record.id, kind: 'decideRequest', since: now() });
		return record;
	}

	private async publishIfManual(tx: WriteTransaction, record: RequestRecord): Promise<void> {
		if (record.status === 'DecisionRequired') return;
		await this.dependencies.resultEvents.ofSource(tx, record, 'ManualRequestDecisionRequired');
	}

	private isPast(expiresAt: unknown): boolean {
		return (
			typeof expiresAt === 'string' && epochMsOf(expiresAt) < epochMsOf(this.dependencies.now())
		);
	}
}

/**
 * Limits the expiry of a template's request to the expiry of the template, while there is no
 * relationship (docs/protocol/consumption.md 5.1).
 */
function withEarlierExpiry(
	request: UntypedRequest,
	templateExpiresAt: string | undefined,
): UntypedRequest {
	if (templateExpiresAt === undefined) return request;
	const own = request.expiresAt;
	const isEarlier = typeof own === 'string' && epochMsOf(own) <= epochMsOf(templateExpiresAt);
	return isEarlier ? request : { ...request, expiresAt: templateExpiresAt };
}

/** Finds a request from this template that is not completed; expired requests count as well. */
async function unfinishedOf(
	tx: ReadTransaction,
	templateId: string,
): Promise<RequestRecord | undefined> {
	const found = await tx.requests.first({
		where: [
			...matching({ sourceReference: templateId, isOwn: false }),
			{ field: 'status', op: 'ne', value: 'Completed' },
		],
	});
	return found?.record;
}

async function undecidedFromTemplates(
	tx: ReadTransaction,
	peer: string,
): Promise<RequestRecord | undefined> {
	const found = await tx.requests.first({
		where: matching({
			peer,
			isOwn: false,
			sourceType: 'RelationshipTemplate',
			status: undecidedStatuses,
		}),
	});
	return found?.record;
}
