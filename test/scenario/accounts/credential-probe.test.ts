import { probeCredential, type GatewayConfigInput } from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import { SandboxNetwork } from '../../support/gateways';

/* The test of a credential is green only if the account can then be used. */
let network: SandboxNetwork;
let config: GatewayConfigInput;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	config = network.config();
});

afterEach(() => network.close());

const withBackbone = (change: Partial<GatewayConfigInput['backbone']>): GatewayConfigInput => ({
	...config,
	backbone: { ...config.backbone, ...change },
});

const byNumber = (): GatewayConfigInput =>
	withBackbone({ baseUrl: network.backbone.baseUrl.replace('localhost', '127.0.0.1') });

describe('the test of a credential', () => {
	it('refuses an IP address as the host name, and says what to enter', async () => {
		const { ok, settings, message } = await probeCredential(byNumber());
		expect({ ok, settings }).toEqual({ ok: false, settings: ['backbone.baseUrl'] });
		expect(message).toContain(`enter ${network.backbone.baseUrl}`);
		expect(message).toContain('error.gateway.identity.addressMismatch');
	});

	it('accepts an IP address beside the right host name', async () => {
		const named = { ...byNumber().backbone, addressHostname: 'localhost' };
		expect(await probeCredential(withBackbone(named))).toMatchObject({ ok: true });
	});

	it('refuses another address than the one of an existing account', async () => {
		await (await network.gateway(config)).close();
		const { ok, settings, message } = await probeCredential(byNumber());
		expect({ ok, settings }).toEqual({ ok: false, settings: ['backbone.baseUrl'] });
		expect(message).toContain(`This account lives on ${network.backbone.baseUrl}`);
	});

	it('says which host name the Backbone uses once it has told it', async () => {
		const wrong = withBackbone({ addressHostname: 'other.example' });
		await failureOf(network.gateway(wrong));
		const { ok, settings, message } = await probeCredential(wrong);
		expect({ ok, settings }).toEqual({ ok: false, settings: ['backbone.addressHostname'] });
		expect(message).toContain("Enter localhost in 'Address Hostname'");
		expect(await probeCredential(config)).toMatchObject({ ok: true });
	});
});
