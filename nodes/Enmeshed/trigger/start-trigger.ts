import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { credentialName, toGatewayConfig } from '../gateway/acquire-gateway';
import { loadCore } from '../gateway/core';
import { toNodeError } from '../errors/to-node-error';
import { ManualTest } from './manual-test';
import { TriggerSession } from './trigger-session';
import { readTriggerSettings } from './trigger-settings';

/**
 * Throws only for mistakes that a person has to correct, because n8n deactivates a trigger after
 * five failed starts. All other failures are retried in the background.
 */
export async function startTrigger(functions: ITriggerFunctions): Promise<ITriggerResponse> {
	const settings = await readTriggerSettings(functions);
	await checkCredential(functions);
	if (functions.getMode() === 'manual') {
		const test = new ManualTest(functions, settings);
		return {
			manualTriggerFunction: () => test.run(),
			closeFunction: async () => test.close(),
		};
	}
	const session = new TriggerSession(functions, settings);
	await session.start();
	return { closeFunction: () => session.close() };
}

/** @throws NodeOperationError if the credential is not complete */
export async function checkCredential(functions: ITriggerFunctions): Promise<void> {
	try {
		const { parseGatewayConfig } = await loadCore();
		parseGatewayConfig(toGatewayConfig(await functions.getCredentials(credentialName)));
	} catch (error) {
		throw toNodeError(functions.getNode(), error);
	}
}
