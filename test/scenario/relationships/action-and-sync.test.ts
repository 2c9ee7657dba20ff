import type { Gateway } from '../../../core';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { relate, SandboxNetwork, settle } from '../../support/gateways';
import { watchBackbone } from '../../support/backbone/watched-backbone';

it('an action whose end another process has seen before its answer is told once', async () => {
	const network = await SandboxNetwork.open();
	const config = network.config();
	const opened: Gateway[] = [];
	const acting = await network.gateway(config, {
		openBackbone: (options) =>
			watchBackbone(HttpBackbone.open(options), async (name, call) => {
				const answer = await call();
				if (name === 'relationships.terminate') for (const one of opened) await settle(one);
				return answer;
			}),
	});
	const { relationshipId } = await relate(acting, await network.gateway());
	const other = await network.gateway(config);
	opened.push(other);
	const terminations = async (): Promise<number> => {
		const names = ['transport.relationshipChanged'] as const;
		const events = await acting.events.recent({ names }, 100);
		return events.filter(({ data }) => 'status' in data && data.status === 'Terminated').length;
	};
	const terminating = acting.relationships.terminate(relationshipId);
	await expect(terminating).resolves.toMatchObject({ status: 'Terminated' });
	expect(await terminations()).toBe(1);
	await network.close();
});
