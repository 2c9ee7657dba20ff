import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Gateway } from '../../../core';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { startModules } from '../../../core/server';
import { relate, settle, TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { until } from '../../support/until';

/* docs/protocol/http-api.md 13: what runs beside the requests */
let network: TestNetwork;

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());

const inline = (url: string): object => ({
	enabled: true,
	webhooks: [{ triggers: ['**'], target: { url } }],
});

it('a module that cannot start stops the start and is named in the log', async () => {
	const { logger, lines } = openLog();
	const facade = await network.gateway();
	const starting = startModules(
		{ facade, logger },
		modulesSchema.parse({ webhooks: inline('no address') }),
	);
	await expect(starting).rejects.toMatchObject({
		code: 'error.runtime.modules.webhooks.invalidUrlFormat',
	});
	expect(lines).toContainEqual(expect.stringContaining('"module":"webhooks"'));
});

it('a module that fails without a code is told by its name', async () => {
	const { logger } = openLog();
	const gateway = await network.gateway();
	const broken = new Error('the disk is gone');
	const account = { ...gateway.account, getIdentity: () => Promise.reject(broken) };
	const starting = startModules(
		{ facade: Object.create(gateway, { account: { value: account } }) as Gateway, logger },
		modulesSchema.parse({ webhooks: inline('http://127.0.0.1:9') }),
	);
	await expect(starting).rejects.toMatchObject({
		code: 'error.gateway.modules.cannotStart',
		facts: { module: 'webhooks' },
		cause: broken,
	});
});

// shows connector-7 11: SSE and Sync module both enabled
it('sync and sse together are one loop, with a warning', async () => {
	const { logger, lines } = openLog();
	const modules = await startModules(
		{ facade: await network.gateway(), logger },
		modulesSchema.parse({ sync: { enabled: true }, sse: { enabled: true } }),
	);
	expect(lines).toContainEqual(expect.stringContaining("'modules.sync' is not needed"));
	await modules.close();
});

it('the audit loses the rows whose time is over', async () => {
	const { logger } = openLog();
	const facade = await network.gateway();
	const { audit } = facade;
	const row = { account: 'default', actor: { kind: 'key', name: 'crm' } } as const;
	await audit.record({ ...row, method: 'POST', route: '/Messages' });
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 24 * 3_600_000);
	const modules = await startModules(
		{ facade, logger },
		modulesSchema.parse({ audit: { retentionDays: 1 } }),
	);
	await until(async () => (await audit.page()).entries.length === 0);
	clock.mockRestore();
	expect(await audit.verify()).toMatchObject({ isIntact: true, first: 2 });
	await modules.close();
});

describe('runtime.modulesStarted', () => {
	it('is published at each start, after everything that listens, and webhooks get it without data', async () => {
		const bodies: unknown[] = [];
		const receiver = createServer((request, response) => {
			void text(request).then((body) => {
				bodies.push(JSON.parse(body));
				response.end();
			});
		});
		receiver.listen(0, '127.0.0.1');
		await once(receiver, 'listening');
		const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
		const facade = await network.gateway();
		for (const starts of [1, 2]) {
			const modules = await startModules(
				{ facade, logger: openLog().logger },
				modulesSchema.parse({ webhooks: inline(url) }),
			);
			await until(() => bodies.length === starts);
			await modules.close();
		}
		expect(bodies).toEqual([
			{ trigger: 'runtime.modulesStarted' },
			{ trigger: 'runtime.modulesStarted' },
		]);
		expect(await facade.events.recent({ names: ['runtime.modulesStarted'] }, 10)).toMatchObject([
			{ data: {} },
			{ data: {} },
		]);
		receiver.close();
	});

	it('is not published when a module cannot start', async () => {
		const facade = await network.gateway();
		const starting = startModules(
			{ facade, logger: openLog().logger },
			modulesSchema.parse({ webhooks: inline('no address') }),
		);
		await expect(starting).rejects.toThrow();
		expect(await facade.events.recent({}, 10)).toEqual([]);
	});
});

describe('relationships that their peers have left', () => {
	const settings = modulesSchema.parse({
		autoDecomposeDeletionProposedRelationships: { enabled: true },
	});

	async function leftByPeer(gateway: Gateway): Promise<string> {
		const peer = await network.gateway();
		const { relationshipId } = await relate(gateway, peer);
		await peer.relationships.terminate(relationshipId);
		await peer.relationships.decompose(relationshipId);
		await settle(gateway);
		return relationshipId;
	}

	async function isGone(gateway: Gateway): Promise<boolean> {
		return (await gateway.relationships.list()).length === 0;
	}

	it('are decomposed when the gateway starts', async () => {
		const gateway = await network.gateway();
		const id = await leftByPeer(gateway);
		expect((await gateway.relationships.get(id)).status).toBe('DeletionProposed');
		const modules = await startModules({ facade: gateway, logger: openLog().logger }, settings);
		await until(() => isGone(gateway));
		await modules.close();
	});

	it('are decomposed when the peers leave, and others stay', async () => {
		const gateway = await network.gateway();
		const modules = await startModules({ facade: gateway, logger: openLog().logger }, settings);
		const { relationshipId } = await relate(gateway, await network.gateway());
		const left = await leftByPeer(gateway);
		await until(async () => (await gateway.relationships.list()).length === 1);
		const [stays] = await gateway.relationships.list();
		expect([stays?.id, stays?.status]).toEqual([relationshipId, 'Active']);
		const decomposed = await gateway.events.recent(
			{ names: ['transport.relationshipDecomposedBySelf'] },
			10,
		);
		expect(decomposed.map(({ data }) => data)).toEqual([{ relationshipId: left }]);
		await modules.close();
	});
});
