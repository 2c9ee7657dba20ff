import { ownText } from '../../core/model/json';
import type { Gateway, GatewayConfig, GatewayConfigInput, ProblemDto } from '../../core';
import type { Backbone } from '../../core/backbone/port/backbone';
import { HttpBackbone } from '../../core/backbone/http/http-backbone';
import { usualTimings } from '../../core/base/timings';
import { systemRandom } from '../../core/base/random';
import type { EventName } from '../../core/events/catalogue';
import type { Delivery, DeliveryVerdict, GatewayEvent } from '../../core/events/event-types';
import { partsOf } from '../../core/gateway/gateway-parts';
import { TestClock } from './clock';
import { mailTo, relate, SandboxNetwork, settle } from './gateways';
import { until } from './until';
import { watchBackbone } from './backbone/watched-backbone';

const hourMs = 3_600_000;

/** A gateway that things go wrong for, and a peer. */
export class ProblemBench {
	private readonly consumed: Array<() => Promise<void>> = [];

	private constructor(
		readonly network: SandboxNetwork,
		readonly clock: TestClock,
		private readonly config: GatewayConfigInput,
		readonly gateway: Gateway,
		readonly peer: Gateway,
		readonly address: string,
		readonly addressOfPeer: string,
	) {}

	static async open(): Promise<ProblemBench> {
		const network = await SandboxNetwork.open();
		const clock = new TestClock(Date.now());
		const config = network.config();
		const gateway = await network.gateway(config, { clock, timings: usualTimings });
		const peer = await network.gateway();
		const { addressA, addressB } = await relate(gateway, peer);
		// The first one of a process also looks for a restored backup.
		await gateway.messages.send(mailTo(addressB, 'before'));
		return new ProblemBench(network, clock, config, gateway, peer, addressA, addressB);
	}

	/**
	 * The same account in another process of this machine.
	 *
	 * @param before every call of the Backbone, which gets its name, for example `messages.page`
	 */
	async elsewhere(before: (call: string) => Promise<void> = async () => {}): Promise<Gateway> {
		const { clock, config, network } = this;
		const openBackbone = (backbone: GatewayConfig['backbone']): Backbone =>
			watchBackbone(HttpBackbone.open({ ...backbone, clock, random: systemRandom }), (name, call) =>
				before(name).then(call),
			);
		return await network.gateway(config, { clock, openBackbone, timings: usualTimings });
	}

	/** Lets time pass for the gateway and for the Backbone. */
	pass(durationMs: number): void {
		this.clock.advance(durationMs);
		this.network.backbone.advanceClock(durationMs);
	}

	/** The data of the events of that name, without those that were erased. */
	async told(name: EventName): Promise<unknown[]> {
		return (await this.gateway.events.recent({ names: [name] }, 100)).map(({ data }) => data);
	}

	/** Subjects of the mails that the gateway has received. */
	async received(): Promise<unknown[]> {
		return (await this.gateway.messages.list())
			.filter(({ isOwn }) => !isOwn)
			.map(({ content }) => ownText(content, 'subject'));
	}

	/** Subjects of the mails that have arrived at the peer. */
	async arrived(): Promise<unknown[]> {
		await settle(this.peer);
		return (await this.peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
	}

	/** A mail of the peer that cannot be read, until the faults are cleared; answers the problem's id. */
	async fail(): Promise<string> {
		const { id } = await this.peer.messages.send(mailTo(this.address, 'odd'));
		this.network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(`Messages.*${id}`),
			times: 1_000,
			action: { kind: 'status', status: 200, body: { result: { id: 'none of this' } } },
		});
		await settle(this.gateway);
		return await this.idOf('receivedEvent');
	}

	/** A problem that was tried as often as it is by itself; answers the problem's id. */
	async park(): Promise<string> {
		const id = await this.fail();
		for (let times = 0; times < 5; times++) {
			this.clock.advance(6 * hourMs);
			await settle(this.gateway);
		}
		return id;
	}

	/** A mail 'lost', whose sending was cut off; answers the problem's id. */
	async lose(kind: 'cutBefore' | 'cutAfter', times = 1): Promise<string> {
		const { faults } = this.network.backbone;
		faults.add({ method: 'POST', path: /Messages/, times, action: { kind } });
		await expect(
			this.gateway.messages.send(mailTo(this.addressOfPeer, 'lost')),
		).rejects.toMatchObject({ code: 'error.gateway.messages.outcomeUnknown' });
		return await this.idOf('sending');
	}

	/** A receiver of `transport.messageReceived` and what it was given; it takes only what is parked. */
	async consume(consumer: string): Promise<Array<Delivery<GatewayEvent>>> {
		const given: Array<Delivery<GatewayEvent>> = [];
		const stop = new AbortController();
		const deliver = (delivery: Delivery<GatewayEvent>): Promise<DeliveryVerdict> => {
			given.push(delivery);
			return Promise.resolve(
				delivery.isParked ? { kind: 'accepted' } : { kind: 'parked', reason: 'answered 500' },
			);
		};
		const running = this.gateway.events.consume({
			consumer,
			filter: { names: ['transport.messageReceived'] },
			startFrom: 'now',
			batchSize: 1,
			deliver,
			signal: stop.signal,
		});
		this.consumed.push(async () => {
			stop.abort();
			await running;
		});
		const { store } = partsOf(this.gateway);
		await until(async () =>
			(await store.read((tx) => tx.consumers.list())).some(({ name }) => name === consumer),
		);
		return given;
	}

	/** Mails of the peer, until each has become a problem of every consumer. */
	async refuse(consumers: number, ...subjects: string[]): Promise<void> {
		for (const subject of subjects) {
			await this.peer.messages.send(mailTo(this.address, subject));
			await settle(this.gateway);
		}
		const count = consumers * subjects.length;
		await until(
			async () => (await this.gateway.problems.list({ kind: 'delivery' })).length === count,
		);
	}

	async stopConsumers(): Promise<void> {
		for (const stop of this.consumed.splice(0)) await stop();
	}

	async close(): Promise<void> {
		await this.stopConsumers();
		await this.network.close();
	}

	/** Problems of each kind: the number in the status, and the number in the list. */
	async counts(): Promise<Record<string, readonly [counted: number, listed: number]>> {
		const { problemCounts } = await this.gateway.account.getSyncStatus();
		const listed = await this.gateway.problems.list();
		return Object.fromEntries(
			Object.entries(problemCounts).map(([kind, counted]) => [
				kind,
				[counted, listed.filter((problem) => problem.kind === kind).length],
			]),
		);
	}

	private async idOf(kind: ProblemDto['kind']): Promise<string> {
		const [problem] = await this.gateway.problems.list({ kind });
		return problem?.id ?? '';
	}
}
