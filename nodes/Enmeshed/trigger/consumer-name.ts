import type { ITriggerFunctions } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';

/**
 * Name of the stored cursor of a trigger node. It contains the address instead of the
 * account's name, because deduplication keys are built from it: an account that was created
 * anew must not repeat old keys.
 */
export async function consumerName(
	functions: Pick<ITriggerFunctions, 'getNode' | 'getWorkflow'>,
	gateway: GatewayFacade,
): Promise<string> {
	const { address } = await gateway.account.getIdentity();
	return `n8n:${address.slice(-22)}:${functions.getWorkflow().id ?? ''}:${functions.getNode().id}`;
}
