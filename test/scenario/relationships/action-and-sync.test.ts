import type { Gateway } from '../../../core';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { relate, SandboxNetwork, settle } from '../../support/gateways';
import { watchBackbone } from '../../support/backbone/watched-backbone';

let network: SandboxNetwork;
/** what happens beside a call of the account, by the name of the call */
let beside: Record<string, { before?: () => Promise<unknown>; after?: () => Promise<unknown> }>;
let acting: Gateway;
/** another process of the same account */
let other: Gateway;
let peer: Gateway;
let id: string;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	beside = {};
	const config = network.config();
	acting = await network.gateway(config, {
		openBackbone: (options) =>
			watchBackbone(HttpBackbone.open(options), async (name, call) => {
				await beside[name]?.before?.();
				const answer = await call();
				await beside[name]?.after?.();
				return answer;
			}),
	});
	peer = await network.gateway();
	({ relationshipId: id } = await relate(acting, peer));
	other = await network.gateway(config);
});
afterEach(() => network.close());

it('an action whose end another process has seen before its answer is told once', async () => {
	beside['relationships.terminate'] = { after: () => settle(other) };
	const terminations = async (): Promise<number> => {
		const names = ['transport.relationshipChanged'] as const;
		const events = await acting.events.recent({ names }, 100);
		return events.filter(({ data }) => 'status' in data && data.status === 'Terminated').length;
	};
	const terminating = acting.relationships.terminate(id);
	await expect(terminating).resolves.toMatchObject({ status: 'Terminated' });
	expect(await terminations()).toBe(1);
});

it('an action with a lost answer is looked for although the peer acted meanwhile', async () => {
	await acting.relationships.terminate(id);
	await settle(peer);
	beside['relationships.decompose'] = {
		before: async () => {
			await peer.relationships.requestReactivation(id);
			await settle(other);
		},
	};
	const action = { kind: 'cutAfter' } as const;
	network.backbone.faults.add({ method: 'PUT', path: /decompose/i, action });
	await expect(acting.relationships.decompose(id)).rejects.toMatchObject({ kind: 'unavailable' });
	await settle(other);
	expect(await other.relationships.list()).toEqual([]);
});
