import { withDeadline, type Cancellable } from '../base/abort';
import { systemClock } from '../base/clock';
import { isGatewayError, type GatewayError } from '../base/errors';
import { systemRandom } from '../base/random';
import { isUnprotected } from '../base/unprotected';
import { identityErrors } from '../domain/identity/identity-errors';
import { requireAddressHostname, requireIdentityBackbone } from '../domain/identity/own-backbone';
import type { IdentityRecord } from '../model/record/identity';
import { backboneErrors } from '../backbone/backbone-errors';
import { HttpBackbone } from '../backbone/http/http-backbone';
import { unprotected } from './replaceable-backbone';
import { parseGatewayConfig, type GatewayConfig, type GatewayConfigInput } from '../config';
import { peekAccount } from '../store/open-store';
import { storeErrors } from '../store/store-errors';

const probeTimeoutMs = 10_000;

/** Result of {@link probeCredential}. */
export interface CredentialProbe {
	/** true if a gateway can be opened with the settings */
	readonly ok: boolean;
	/** one line that says what to correct; never contains a secret */
	readonly message: string;
	/**
	 * paths of the settings that may be wrong, for example `backbone.baseUrl`; empty if none of them
	 * is
	 */
	readonly settings: readonly string[];
}

/**
 * Settings to correct, by the code of the error. The verdict decides for a refused client instead.
 */
const settingsByCode: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
	...[
		backboneErrors.baseUrlNotSet,
		backboneErrors.invalidBaseUrl,
		backboneErrors.versionNotSupported,
		backboneErrors.notABackbone,
		backboneErrors.redirected,
		backboneErrors.aborted,
		backboneErrors.connectionFailed,
		backboneErrors.addressNotFound,
	].map(({ code }) => [code, ['backbone.baseUrl']]),
	[identityErrors.anotherBackbone.code, ['backbone.baseUrl']],
	[identityErrors.downgraded.code, ['backbone.baseUrl']],
	[identityErrors.addressMismatch.code, ['backbone.addressHostname']],
	[backboneErrors.clientIdNotSet.code, ['backbone.clientId']],
	[backboneErrors.clientSecretNotSet.code, ['backbone.clientSecret']],
	[storeErrors.folderNotAbsolute.code, ['store.folder']],
	[storeErrors.notWritable.code, ['store.folder']],
	[storeErrors.databaseMissing.code, ['store.folder']],
	[storeErrors.wrongPassphrase.code, ['passphrase']],
	[storeErrors.passphraseMissing.code, ['passphrase']],
	[storeErrors.passphraseUnexpected.code, ['passphrase']],
	[storeErrors.wrongClientSecret.code, ['backbone.clientSecret']],
]);

const clientSettings = ['backbone.clientId', 'backbone.clientSecret'];

/**
 * Tests a credential for the person who fills it in: whether the address is a Backbone, the client
 * is accepted, and the account can be opened. Creates nothing. Never rejects.
 */
export async function probeCredential(
	input: GatewayConfigInput,
	options: Cancellable = {},
): Promise<CredentialProbe> {
	try {
		return await probe(input, { signal: withDeadline(probeTimeoutMs, options.signal) });
	} catch (error) {
		if (isGatewayError(error)) return failed(error, settingsOf(error));
		if (error instanceof Error && error.name === 'TimeoutError') {
			const message = 'The Backbone did not answer within 10 seconds.';
			const late = backboneErrors.create('aborted', { message });
			return failed(late, settingsOf(late));
		}
		const message = 'The test failed unexpectedly; see the n8n log.';
		return failed({ message, code: 'error.runtime.unknown' }, []);
	}
}

async function probe(input: GatewayConfigInput, options: Cancellable): Promise<CredentialProbe> {
	const config = parseGatewayConfig(input);
	await using backbone = HttpBackbone.open({ ...config.backbone, timeoutMs: probeTimeoutMs });
	const { majorVersion } = await backbone.version.get(options);
	const verdict = await backbone.authentication.checkClient(options);
	if (verdict.verdict !== 'clientAccepted') {
		const { code, remedy } = verdict.error;
		const isRefused = verdict.verdict === 'clientRefused';
		const settings = isRefused ? clientSettings : settingsOf(verdict.error);
		return failed({ message: verdict.message, remedy, code }, settings);
	}
	const account = await peekAccount(config, { clock: systemClock, random: systemRandom });
	const identity = account.state === 'proven' ? account.identity : undefined;
	requireUsable({ ...config.backbone, baseUrl: backbone.baseUrl }, identity);
	const who =
		identity?.state === 'ready'
			? ` as ${identity.address}`
			: '. No identity yet; it is created on first use.';
	const plain = isUnprotected(backbone.baseUrl) ? `. The connection is ${unprotected}` : '';
	const message = `Connected to Backbone ${majorVersion}${who}${plain}`;
	return { ok: true, message, settings: [] };
}

/**
 * Compares the host name in addresses with the settings as the first use of the account would.
 *
 * @throws the codes of `IdentityService.open` that concern the Backbone of an account
 */
function requireUsable(
	backbone: GatewayConfig['backbone'],
	identity: IdentityRecord | undefined,
): void {
	if (identity === undefined || identity.state === 'creating') {
		requireAddressHostname(backbone);
	} else {
		requireIdentityBackbone(identity, backbone);
	}
}

function settingsOf(error: GatewayError): readonly string[] {
	const { field } = error.facts;
	return typeof field === 'string' ? [field] : (settingsByCode[error.code] ?? []);
}

function failed(
	{ message, remedy, code }: { message: string; remedy?: string | undefined; code: string },
	settings: readonly string[],
): CredentialProbe {
	const advice = remedy === undefined || message.includes(remedy) ? '' : ` ${remedy}`;
	return { ok: false, message: `${message}${advice} (${code})`, settings };
}
