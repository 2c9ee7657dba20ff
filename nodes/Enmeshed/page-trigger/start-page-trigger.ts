import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { AnyEvent, DeliveryVerdict, EventName, GatewayFacade } from '../../../core';
import { loadCore } from '../gateway/core';
import { toNodeError } from '../errors/to-node-error';
import { objectMember, textMember } from '../helpers/members';
import { EventDelivery } from '../trigger/deliver-events';
import { deliveryHost } from '../trigger/delivery-host';
import { checkCredential } from '../trigger/start-trigger';
import { defaultTiming, TriggerSession, type MakeDelivery } from '../trigger/trigger-session';
import type { TriggerSettings } from '../trigger/trigger-settings';
import type { Ended } from '../waiting/answer-item';
import { readPageSettings } from './page-settings';
import { answeredVisit, visitItems } from './visit-answer';
import { publishedVisit } from './visits';

/** Events of answers to requests. */
const names: EventName[] = [
	'consumption.outgoingRequestCreatedAndCompleted',
	'consumption.outgoingRequestStatusChanged',
];

const settings: TriggerSettings = {
	filter: { names, only: ['answers'] },
	acceptPendingRelationships: false,
	acknowledge: 'succeeds',
	attachmentMegabytes: undefined,
	batchSize: 1,
	maxAttempts: 3,
	parallel: 10,
	simplify: true,
	push: true,
	// A code can be answered before the position of a new trigger is stored.
	startFrom: 'oldest',
	syncIntervalMs: 60_000,
};

/**
 * Starts the workflow with each answer to a code of the published page. The answers are read from
 * the stored events, so neither a closed browser nor a restart of n8n loses one.
 *
 * @throws NodeOperationError for mistakes that a person has to correct
 */
export async function startPageTrigger(functions: ITriggerFunctions): Promise<ITriggerResponse> {
	// Expressions can depend on the visitor.
	if (!hasExpressions(functions.getNode().parameters)) await readPageSettings(functions);
	await checkCredential(functions);
	const session = new TriggerSession(functions, settings, defaultTiming, deliverAnswers);
	await session.start();
	return { closeFunction: () => session.close() };
}

function hasExpressions(parameters: unknown): boolean {
	return JSON.stringify(parameters).includes('"=');
}

const deliverAnswers: MakeDelivery = (functions, gateway, chosen, closed) => {
	/** visits of the deliveries in progress, by event */
	const visits = new Map<string, Ended>();
	const toItems = async (events: readonly AnyEvent[]) => {
		const items = [];
		for (const { id } of events) {
			const visit = visits.get(id);
			if (visit !== undefined) items.push(...(await visitItems(gateway, visit, id)));
		}
		return items;
	};
	const host = {
		...deliveryHost(functions, gateway, chosen, closed),
		toItems: (events: readonly AnyEvent[]) =>
			toItems(events).catch((error: unknown) =>
				Promise.reject(closed.aborted ? error : toNodeError(functions.getNode(), error)),
			),
	};
	const { deliver } = new EventDelivery(host, chosen);
	return async (delivery): Promise<DeliveryVerdict> => {
		const [event] = delivery.events;
		const visit = event === undefined ? undefined : await visitOf(functions, gateway, event);
		if (event === undefined || visit === undefined) return { kind: 'accepted' };
		visits.set(event.id, visit);
		try {
			return await deliver(delivery);
		} finally {
			visits.delete(event.id);
		}
	};
};

/** Visit of this node that an event answers, if the answer starts the workflow. */
async function visitOf(
	functions: ITriggerFunctions,
	gateway: GatewayFacade,
	event: AnyEvent,
): Promise<Ended | undefined> {
	const { carriedRecord } = await loadCore();
	const { member } = carriedRecord(event.event);
	const request = member === undefined ? event.data : objectMember(event.data, member);
	const templateId = textMember(objectMember(request, 'source'), 'reference');
	const requestId = textMember(request, 'id');
	if (templateId === undefined || requestId === undefined) return undefined;
	for (const wait of await gateway.waits.ofTemplate(templateId)) {
		if (publishedVisit(functions, wait) === undefined) continue;
		return await answeredVisit(gateway, wait, requestId);
	}
	return undefined;
}
