import { createPublicKey, verify } from 'node:crypto';
import { cannotParse, invalid, notFound, unexpected } from '../http/backbone-error';
import { JsonBody, requireId } from '../http/body';
import { created, ok, type Call, type Route } from '../http/context';
import type { SandboxState } from '../state/sandbox-state';

const lifetimeMs = 10 * 60_000;
const readableMs = 60 * 60_000;

/** @see docs/protocol/backbone-api.md 6 */
export const challengeRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'challenges',
		isAnonymous: true,
		handle: (call, { state }) => {
			const caller = call.optionalCaller();
			const challenge = {
				id: state.newId('CHL'),
				expiresAt: new Date(state.now() + lifetimeMs).toISOString(),
				createdBy: caller?.identity.address ?? null,
				createdByDevice: caller?.device.id ?? null,
			};
			state.challenges.save(challenge);
			return created(challenge);
		},
	},
	{
		method: 'GET',
		path: 'challenges/{}',
		handle: (call, { state }) => {
			const challenge = state.challenges.get(requireId('CHL', call.parameters[0]));
			const isReadable =
				challenge !== undefined && Date.parse(challenge.expiresAt) + readableMs > state.now();
			if (!isReadable) throw notFound('Challenge');
			return ok(challenge);
		},
	},
];

/** Checks the signature, then the existence, then the expiry. */
export function checkSignedChallenge(call: Call, publicKey: string, state: SandboxState): void {
	const signed = new JsonBody(call.json().get('signedChallenge'));
	const text = signed.text('challenge');
	if (!isSignedBy(publicKey, text, decodeJson(signed.text('signature')).text('sig'))) {
		throw invalid('device.invalidSignature', 'The signature of the challenge is not valid.');
	}
	const content = JsonBody.parse(Buffer.from(text));
	// Without a date the real server fails.
	if (content.get('expiresAt') === undefined) throw unexpected();
	content.date('expiresAt');
	const challenge = state.challenges.get(content.text('id'));
	if (challenge === undefined) throw notFound('Challenge');
	if (Date.parse(challenge.expiresAt) < state.now()) {
		throw invalid('device.challengeHasExpired', 'The challenge has expired.');
	}
}

/** Parses the JSON object in a byte field. */
export function decodeJson(bytes: string): JsonBody {
	return JsonBody.parse(Buffer.from(bytes, 'base64url'));
}

function isSignedBy(publicKey: string, text: string, signature: string): boolean {
	try {
		const key = createPublicKey({
			key: { kty: 'OKP', crv: 'Ed25519', x: publicKey },
			format: 'jwk',
		});
		return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64url'));
	} catch {
		throw cannotParse('The public key or signature cannot be read.');
	}
}
