import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { HttpGateway } from './support/http-gateway';

/* An identity that is to be deleted, or was deleted at the Backbone, over HTTP. */

const dayMs = 24 * 3_600_000;

let network: SandboxNetwork;
let gateway: HttpGateway;
let peer: string;
let lines: string[];

beforeEach(async () => {
	network = await SandboxNetwork.open();
	const log = openLog();
	({ lines } = log);
	gateway = await HttpGateway.open(network, { logger: log.logger });
	({ addressB: peer } = await relate(gateway.gateway, await network.gateway()));
	await gateway.gateway.messages.send(mailTo(peer, 'before'));
	await gateway.gateway.identityDeletion.initiate({ lengthOfGracePeriodInDays: 1 });
});
afterEach(async () => {
	await gateway.server.close();
	await network.close();
});

const errors = (): string[] => lines.filter((line) => line.startsWith('error'));

it('a sync during the grace period is refused, which is not an error in the log', async () => {
	const { error } = await gateway.ask('POST /Account/Sync');
	expect(error.code).toBe(
		'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
	);
	expect(error.message).toMatch(/to be deleted \(its grace period ends at \d{4}-/);
	// The Backbone deletes an identity some time after this end.
	expect(error.message).not.toContain('until then');
	expect(errors()).toEqual([]);
});

it('a message during the grace period is refused before it is sent', async () => {
	const posts = () => network.backbone.calls.count('POST', /\/Messages$/);
	const before = posts();
	const { status, error } = await gateway.ask('POST /Messages', { json: mailTo(peer, 'after') });
	expect([status, error.code]).toEqual([400, 'error.gateway.identity.toBeDeleted']);
	expect(posts()).toBe(before);
	expect(errors()).toEqual([]);
});

describe('a deleted identity', () => {
	beforeEach(async () => {
		expect((await gateway.ask('GET /health')).status).toBe(200);
		network.backbone.advanceClock(2 * dayMs);
		network.backbone.deletions.runJob();
	});

	it('is unhealthy, and its stored data can be read', async () => {
		const { status, json } = await gateway.ask('GET /health');
		expect([status, json]).toEqual([
			500,
			{
				isHealthy: false,
				services: {
					database: 'healthy',
					backboneConnection: 'healthy',
					backboneAuthentication: 'unhealthy',
				},
			},
		]);
		const stored = await gateway.ask('GET /Messages');
		expect(stored.status).toBe(200);
		expect(stored.result).toHaveLength(1);
	});

	it('is told in the words of the settings, without an error in the log', async () => {
		const { error } = await gateway.ask('POST /Account/Sync');
		expect(error.code).toBe('error.gateway.identity.deleted');
		expect(error.message).toContain("'database.dbName'");
		expect(error.message).not.toContain('Account Name');
		expect(errors()).toEqual([]);
	});
});
