import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toGatewayConfig } from '../helpers/acquire-gateway';
import { loadCore } from '../helpers/core';

/** Asks the Backbone whether it takes our client, without creating an identity. Never rejects. */
export async function enmeshedBackboneApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { probeCredential } = await loadCore();
	const { ok, message } = await probeCredential(toGatewayConfig(credential.data ?? {}));
	return { status: ok ? 'OK' : 'Error', message };
}
