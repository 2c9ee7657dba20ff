import { settle } from '../../support/gateways';
import type { Gateway } from '../../../core';
import type { SandboxNetwork } from '../../support/gateways';

/** The peer was sent each subject once, and no counter, which makes a nonce, was used twice. */
export async function expectSentOnce(
	network: SandboxNetwork,
	peer: Gateway,
	sender: string,
	subjects: readonly string[],
): Promise<void> {
	await settle(peer);
	const arrived = (await peer.messages.list()).flatMap(({ content, isOwn }) =>
		isOwn ? [] : [String(content['subject'])],
	);
	expect([...arrived].sort()).toEqual([...subjects].sort());
	const counters = [...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === sender)
		.flatMap(({ recipients }) => recipients)
		.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
		.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);
	expect(counters).toHaveLength(subjects.length);
	expect(new Set(counters).size).toBe(subjects.length);
}

/** What a process of that name writes in its mails. */
export function subjectsOf(name: string, sends: number): string[] {
	return Array.from({ length: sends }, (_, index) => `${name} ${index + 1}`);
}
