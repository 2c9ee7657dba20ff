import { withDeadline, type Cancellable } from './base/abort';
import { systemClock } from './base/clock';
import { isGatewayError } from './base/errors';
import { systemRandom } from './base/random';
import { HttpBackbone } from './backbone/http-backbone';
import { parseGatewayConfig, type GatewayConfigInput } from './gateway-config';
import { peekAccount } from './store/open-store';

const probeTimeoutMs = 10_000;

export interface CredentialProbe {
	readonly ok: boolean;
	/** one line that names what to correct; never a secret */
	readonly message: string;
}

/**
 * What a person who fills in the credential wants to know: is it a Backbone, does it take our client,
 * and may we open the account. Creates nothing. Never rejects.
 */
export async function probeCredential(
	input: GatewayConfigInput,
	options: Cancellable = {},
): Promise<CredentialProbe> {
	try {
		return await probe(input, { signal: withDeadline(probeTimeoutMs, options.signal) });
	} catch (error) {
		if (isGatewayError(error)) return failed(error.message, error.remedy, error.code);
		if (error instanceof Error && error.name === 'TimeoutError') {
			return failed(
				"The Backbone did not answer within 10 seconds; check the field 'Backbone URL'.",
				undefined,
				'error.transport.request.aborted',
			);
		}
		return failed(
			'The test failed unexpectedly; see the n8n log.',
			undefined,
			'error.runtime.unknown',
		);
	}
}

async function probe(input: GatewayConfigInput, options: Cancellable): Promise<CredentialProbe> {
	const config = parseGatewayConfig(input);
	const backbone = HttpBackbone.open({ ...config.backbone, timeoutMs: probeTimeoutMs });
	try {
		const { majorVersion } = await backbone.version.get(options);
		const verdict = await backbone.authentication.checkClient(options);
		if (verdict.verdict !== 'clientAccepted') {
			return failed(verdict.message, verdict.error.remedy, verdict.error.code);
		}
		const account = await peekAccount(config, { clock: systemClock, random: systemRandom });
		const who =
			account.state === 'proven' && account.address !== undefined
				? `as ${account.address}`
				: 'No identity yet; it is created on first use';
		return {
			ok: true,
			message: who.startsWith('as')
				? `Connected to Backbone ${majorVersion} ${who}`
				: `Connected to Backbone ${majorVersion}. ${who}.`,
		};
	} finally {
		await backbone.close();
	}
}

function failed(message: string, remedy: string | undefined, code: string): CredentialProbe {
	const advice = remedy === undefined || message.includes(remedy) ? '' : ` ${remedy}`;
	return { ok: false, message: `${message}${advice} (${code})` };
}
