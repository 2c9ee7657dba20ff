import type { GatewayFacade } from '../../../core';
import { isNotFound } from '../errors/not-found';
import { resultOf } from '../output/simplify-request';
import { answersOf, noteOf, type Ended } from './answer-item';
import { newestRelationship } from './newest-relationship';

/**
 * Accepts the relationship with each new person who has accepted the template's request, if the
 * workflow wants that. A repetition changes nothing. A relationship that the person has withdrawn
 * meanwhile stays as it is.
 *
 * @throws errors that another attempt may not have
 */
export async function acceptAnswers(gateway: GatewayFacade, wait: Ended): Promise<void> {
	if (noteOf(wait).accept !== true) return;
	for (const requestId of answersOf(wait.outcome)) await accept(gateway, wait, requestId);
}

async function accept(gateway: GatewayFacade, wait: Ended, requestId: string): Promise<void> {
	const request = await gateway.outgoingRequests
		.get(requestId)
		.catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
	if (request === undefined || resultOf(request) !== 'Accepted') return;
	const relationship = await newestRelationship(gateway, request.peer);
	if (relationship?.status !== 'Pending' || relationship.template.id !== wait.subject) return;
	await gateway.relationships.accept(relationship.id).catch(async (error: unknown) => {
		const present = await newestRelationship(gateway, request.peer);
		if (present?.status === 'Pending') await Promise.reject(error);
	});
}
