import type { Gateway } from '../../../core';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { startModules } from '../../../core/server';
import { TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';

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

it('sync and sse together are one loop, with a warning', async () => {
	const { logger, lines } = openLog();
	const modules = await startModules(
		{ facade: await network.gateway(), logger },
		modulesSchema.parse({ sync: { enabled: true }, sse: { enabled: true } }),
	);
	expect(lines).toContainEqual(expect.stringContaining("'modules.sync' is not needed"));
	await modules.close();
});
