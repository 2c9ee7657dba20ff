import { ownText } from '../../../core/model/json';
import type { Gateway, GatewayConfigInput } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const hourMs = 3_600_000;

/* The push service as it is beside a real Backbone: not always there, at an address of its own, and with
   registrations that get lost. */
describe.each([6, 7] as const)('the push service of a Backbone %i', (majorVersion) => {
	let network: SandboxNetwork;
	let own: Gateway;
	let peer: Gateway;
	let address: string;
	let release: () => void;
	/** moves the clocks of the gateway and of the server */
	let passedMs: number;

	const follow = async (
		pushUrl: string | undefined,
		intervalMs: number,
		state: string,
	): Promise<void> => {
		const config = network.config();
		const backbone: GatewayConfigInput['backbone'] =
			pushUrl === undefined ? config.backbone : { ...config.backbone, pushUrl };
		const clock = { now: () => Date.now() + passedMs };
		own = await network.gateway({ ...config, backbone }, { clock });
		peer = await network.gateway();
		({ addressA: address } = await relate(own, peer));
		const onProblem = (): void => undefined;
		({ release } = own.events.keepSynced({ intervalMs, push: true, onProblem }));
		await until(async () => (await own.account.getSyncStatus()).push.state === state);
	};

	const pushOf = async () => (await own.account.getSyncStatus()).push;

	const hasMail = async (subject: string): Promise<boolean> =>
		(await own.messages.list()).some(({ content }) => ownText(content, 'subject') === subject);

	const open = async (pushAt: 'same' | 'own'): Promise<void> => {
		network = await SandboxNetwork.open({ majorVersion, pushAt });
		passedMs = 0;
	};

	afterEach(async () => {
		release();
		await network.close();
		jest.useRealTimers();
	});

	it('that is elsewhere leaves polling, and says what to set', async () => {
		await open('own');
		await follow(undefined, 200, 'unavailable');
		await peer.messages.send(mailTo(address, 'found'));
		await until(() => hasMail('found'));
		expect(await pushOf()).toMatchObject({
			code: 'error.gateway.backbone.pushNotAvailable',
			message: expect.stringMatching(/404.*'Push Address'/) as string,
		});
	});

	it('that is elsewhere announces events when its address is set', async () => {
		await open('own');
		await follow(network.backbone.pushUrl, hourMs, 'connected');
		await peer.messages.send(mailTo(address, 'announced'));
		await until(() => hasMail('announced'));
		expect(await pushOf()).toMatchObject({ lastEventAt: expect.any(String) as string });
	});

	it('that is called by another host name refuses the token, and the status says why', async () => {
		await open('same');
		await follow(network.backbone.baseUrl.replace('localhost', '127.0.0.1'), 200, 'unavailable');
		expect(await pushOf()).toMatchObject({
			code: 'error.platform.unauthorized',
			message: expect.stringMatching(/same host name everywhere/) as string,
		});
		await peer.messages.send(mailTo(address, 'found'));
		await until(() => hasMail('found'));
	});

	it('that has lost the registration is connected anew after a sync has found an event', async () => {
		await open('same');
		// The ten seconds that an announcement may take are jumped over.
		jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
		await follow(undefined, hourMs, 'connected');
		// So that the event is younger than the connection beyond doubt.
		passedMs = 10_000;
		network.backbone.advanceClock(passedMs);
		network.backbone.loseRegistration(address);
		await peer.messages.send(mailTo(address, 'not announced'));
		await network.arrives(own, () => hasMail('not announced'));
		jest.advanceTimersByTime(10_000);
		await until(async () => (await pushOf()).state === 'unavailable');
		expect((await pushOf()).code).toBe('error.gateway.backbone.pushNotRegistered');
		await until(async () => (await pushOf()).state === 'connected');
		await peer.messages.send(mailTo(address, 'announced'));
		await until(() => hasMail('announced'));
	});
});
