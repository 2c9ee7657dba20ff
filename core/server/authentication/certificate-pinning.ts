import tls, { type PeerCertificate } from 'node:tls';
import type { PinningConfig } from '../config/pinning-config';
import { serverErrors } from '../server-errors';

type Check = typeof tls.checkServerIdentity;

/**
 * Checks every TLS connection that this process opens from now on against the pinned certificates,
 * after authority, name and dates (docs/protocol/http-api.md 14.2). Connections opened with
 * certificate checks disabled stay unchecked.
 *
 * @returns a function that removes the check
 */
export function pinCertificates(config: PinningConfig): () => void {
	const pins = config.pinnedTLSCertificateSHA256Fingerprints ?? {};
	if (Object.keys(pins).length === 0 && !config.enforceCertificatePinning) return () => undefined;
	const usual: Check = tls.checkServerIdentity;
	tls.checkServerIdentity = (host, certificate) =>
		usual(host, certificate) ?? refusalOf(host, certificate, config, pins);
	return () => {
		tls.checkServerIdentity = usual;
	};
}

/** Reason against the certificate; Node ends the connection with it. */
function refusalOf(
	host: string,
	{ fingerprint256 }: PeerCertificate,
	{ enforceCertificatePinning }: PinningConfig,
	pins: Readonly<Record<string, readonly string[]>>,
): Error | undefined {
	const pinned = Object.hasOwn(pins, host.toLowerCase()) ? pins[host.toLowerCase()] : undefined;
	if (pinned === undefined && !enforceCertificatePinning) return undefined;
	const shown = fingerprint256.replaceAll(':', '').toLowerCase();
	if (pinned?.includes(shown) === true) return undefined;
	const message =
		pinned === undefined
			? `No certificate is pinned for ${host}, and only hosts with a pinned certificate may be called.`
			: `The certificate of ${host} matches none of the certificates pinned for it.`;
	return serverErrors.create('certificateNotPinned', {
		message,
		facts: { host, fingerprint: shown },
	});
}
