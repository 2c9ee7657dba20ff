import { generateKeyPairSync, sign } from 'node:crypto';

const dayMs = 24 * 60 * 60 * 1_000;

/** Tags of DER (ITU-T X.690). */
const tag = { integer: 0x02, bits: 0x03, text: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 };

/** 2.5.4.3 and 1.2.840.10045.4.3.2, tag and length included. */
const commonName = Buffer.from('0603550403', 'hex');
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex');

export interface LocalCertificate {
	/** PEM */
	readonly cert: string;
	/** PEM */
	readonly key: string;
}

/** A new certificate of a server that calls itself localhost, signed by itself. */
export function createLocalCertificate(now = Date.now()): LocalCertificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = der(
		tag.sequence,
		der(tag.set, der(tag.sequence, commonName, der(tag.text, Buffer.from('localhost')))),
	);
	const algorithm = der(tag.sequence, ecdsaWithSha256);
	const validity = der(tag.sequence, time(now - dayMs), time(now + dayMs));
	const toBeSigned = der(
		tag.sequence,
		der(tag.integer, Buffer.from([1])),
		algorithm,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', toBeSigned, privateKey);
	const noUnusedBits = Buffer.from([0]);
	const certificate = der(
		tag.sequence,
		toBeSigned,
		algorithm,
		der(tag.bits, noUnusedBits, signature),
	);
	const text = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
		key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
	};
}

/** Nothing here is longer than two bytes can say. */
function der(kind: number, ...parts: readonly Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([kind, ...(length < 128 ? [length] : long)]), content]);
}

/** YYMMDDHHMMSSZ */
function time(at: number): Buffer {
	const digits = new Date(at).toISOString().replaceAll(/\D/g, '').slice(2, 14);
	return der(tag.time, Buffer.from(`${digits}Z`));
}
