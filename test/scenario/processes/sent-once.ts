import { ownText } from '../../../core/model/json';
import { settle } from '../../support/gateways';
import { countersUsedBy } from '../../support/accounts/used-counters';
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
		isOwn ? [] : [String(ownText(content, 'subject'))],
	);
	expect([...arrived].sort()).toEqual([...subjects].sort());
	const [counters = []] = countersUsedBy(sender, network.backbone.state).values();
	// The acceptance of the relationship has used one as well.
	expect(counters).toHaveLength(subjects.length + 1);
	expect(new Set(counters).size).toBe(subjects.length + 1);
}

/** What a process of that name writes in its mails. */
export function subjectsOf(name: string, sends: number): string[] {
	return Array.from({ length: sends }, (_, index) => `${name} ${index + 1}`);
}
