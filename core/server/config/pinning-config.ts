import * as z from 'zod';
import type { ConfigProblem } from './config-problem';

/** SHA-256 fingerprint as tools print it: 32 bytes in hexadecimal, with or without colons. */
const fingerprint = z
	.string()
	.regex(
		/^([0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/,
		'expected the SHA-256 fingerprint of a certificate in hexadecimal',
	)
	.transform((text) => text.replaceAll(':', '').toLowerCase());

/** Certificates that hosts may present (docs/protocol/http-api.md 14.2). */
export const pinningSchema = {
	pinnedTLSCertificateSHA256Fingerprints: z
		.record(
			z.string().regex(/^[^/:\s]{1,253}$/, 'expected the name of a host, without port'),
			z.union([fingerprint.transform((one) => [one]), z.array(fingerprint).min(1)]),
		)
		.transform((pins) =>
			Object.fromEntries(Object.entries(pins).map(([host, all]) => [host.toLowerCase(), all])),
		)
		.optional(),
	enforceCertificatePinning: z.boolean().default(false),
};

/** Pinned certificates by host in lower case: hexadecimal without colons, in lower case. */
export type PinningConfig = z.infer<z.ZodObject<typeof pinningSchema>>;

/** Problems that stop the start, because the gateway could never reach its Backbone. */
export function problemsOfPinning(
	config: PinningConfig & { readonly transportLibrary: { readonly baseUrl: string } },
): ConfigProblem[] {
	if (!config.enforceCertificatePinning) return [];
	const url = URL.parse(config.transportLibrary.baseUrl);
	if (url?.protocol !== 'https:') {
		const message = "must begin with 'https://' where 'enforceCertificatePinning' is set";
		return [{ setting: 'transportLibrary.baseUrl', message }];
	}
	if (config.pinnedTLSCertificateSHA256Fingerprints?.[url.hostname] !== undefined) return [];
	const setting = 'pinnedTLSCertificateSHA256Fingerprints';
	const message = `has no entry for ${url.hostname}, the host of 'transportLibrary.baseUrl'`;
	return [{ setting, message }];
}
