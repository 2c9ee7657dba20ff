import type { INodeExecutionData } from 'n8n-workflow';
import type { GatewayFacade, WaitDto } from '../../../core';
import { isNotFound } from '../errors/not-found';
import { resultOf } from '../output/simplify-request';
import { acceptAnswers } from '../waiting/accept-answer';
import { answerItems, noteOf, type Ended } from '../waiting/answer-item';
import { newestRelationship } from '../waiting/newest-relationship';

/**
 * Visit with the answer that starts the workflow; undefined if the answer starts none: the person
 * has declined, or may not answer. A new person who may not answer is refused.
 *
 * @throws errors that another attempt may not have
 */
export async function answeredVisit(
	gateway: GatewayFacade,
	wait: WaitDto,
	requestId: string,
): Promise<Ended | undefined> {
	const { visit } = noteOf(wait);
	const request = await gateway.outgoingRequests
		.get(requestId)
		.catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
	if (request === undefined || visit === undefined) return undefined;
	if (resultOf(request) !== 'Accepted' && !visit.startWhenDeclined) return undefined;
	if (visit.onlyConnected && (await refuseNewPerson(gateway, wait, request.peer))) return undefined;
	return { ...wait, outcome: { kind: 'answered', reference: requestId } };
}

/** True if the person was not connected before. A relationship that waits is rejected. */
async function refuseNewPerson(
	gateway: GatewayFacade,
	{ subject }: WaitDto,
	peer: string,
): Promise<boolean> {
	const relationship = await newestRelationship(gateway, peer);
	if (relationship === undefined) return true;
	if (relationship.template.id !== subject) return false;
	if (relationship.status !== 'Pending') return true;
	await gateway.relationships.reject(relationship.id).catch(async (error: unknown) => {
		const present = await newestRelationship(gateway, peer);
		if (present?.status === 'Pending') await Promise.reject(error);
	});
	return true;
}

/**
 * Accepts the relationship with a new person, if the node wants that, and makes the item that
 * starts the workflow.
 *
 * @param id of the event of the answer, by which repetitions send nothing twice
 */
export async function visitItems(
	gateway: GatewayFacade,
	visit: Ended,
	id?: string,
): Promise<INodeExecutionData[]> {
	await acceptAnswers(gateway, visit);
	const visitor = { ...noteOf(visit).visit?.query };
	const answers = await answerItems(gateway, visit);
	return answers.map(({ json }) => ({
		json: { ...(id === undefined ? {} : { id }), ...json, visitor },
	}));
}
