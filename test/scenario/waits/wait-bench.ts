import type { Gateway, GatewayConfigInput, NewWait } from '../../../core';
import { openLog } from '../../support/log-lines';
import { TestClock } from '../../support/clock';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { Receiver, type Reply } from '../../core/publish/webhooks/support/receiver';

type Status = 'missing' | 'running' | 'waiting' | 'finished' | 'crashed';

const told = (status: number, message: string): Reply => ({
	status,
	body: JSON.stringify({ code: status, message }),
});

/** An account whose executions wait, a person, and the waiting webhooks of n8n. */
export class WaitBench {
	readonly log = openLog();

	/** outcomes with which n8n went on, by key */
	readonly resumed: Array<{ key: string; outcome: unknown }> = [];

	/** executions by the key of their wait */
	readonly executions = new Map<string, Status>();

	/** replaces the answer to a call, for faults; undefined for the usual answer */
	fault: (key: string) => Reply | undefined | Promise<Reply | undefined> = () => undefined;

	private waits = 0;

	private constructor(
		readonly network: SandboxNetwork,
		readonly clock: TestClock,
		readonly config: GatewayConfigInput,
		public gateway: Gateway,
		readonly person: Gateway,
		readonly personClock: TestClock,
		readonly address: string,
		readonly personAddress: string,
		readonly receiver: Receiver,
	) {}

	static async open(store: Partial<GatewayConfigInput> = {}): Promise<WaitBench> {
		const network = await SandboxNetwork.open();
		const clock = new TestClock(Date.now());
		const config = { ...network.config(), ...store };
		const gateway = await network.gateway(config, { clock });
		const personClock = new TestClock(clock.now());
		const person = await network.gateway(network.config(), { clock: personClock });
		const { addressA, addressB } = await relate(gateway, person);
		const receiver = await Receiver.open();
		const bench = new WaitBench(
			...([network, clock, config, gateway, person, personClock] as const),
			...([addressA, addressB, receiver] as const),
		);
		receiver.judge = ({ path }) => bench.answer(path);
		return bench;
	}

	/** Another process with the same account; the former one stays as it is. */
	async anotherProcess(): Promise<Gateway> {
		const { clock, config } = this;
		const { logger } = this.log;
		this.gateway = await this.network.gateway(config, { clock, logger });
		return this.gateway;
	}

	newWait(until?: string, id = `instance:${++this.waits}:node`): NewWait {
		const key = `key${++this.waits}`;
		this.executions.set(key, 'waiting');
		return { id, key, note: {}, until, resumeUrl: `${this.receiver.url}/wait?id=${id}&key=${key}` };
	}

	/** Asks the person for a consent; answers the wait. */
	async ask(wait = this.newWait(), idempotencyKey?: string): Promise<NewWait> {
		const item = {
			'@type': 'ConsentRequestItem' as const,
			consent: 'May we?',
			mustBeAccepted: true,
		};
		const { gateway, personAddress: peer } = this;
		const { content } = await gateway.outgoingRequests.create({ content: { items: [item] }, peer });
		await gateway.messages.send({ recipients: [peer], content }, { wait, idempotencyKey });
		return wait;
	}

	async askByMail(wait = this.newWait()): Promise<NewWait> {
		await this.gateway.messages.send(mailTo(this.personAddress, 'Question'), { wait });
		return wait;
	}

	/** Shows a template that asks for a consent, of new and of connected people; answers its reference. */
	async invite(wait: NewWait): Promise<{ id: string; reference: string }> {
		const item = {
			'@type': 'ConsentRequestItem' as const,
			consent: 'May we?',
			mustBeAccepted: true,
		};
		const request = { '@type': 'Request' as const, items: [item] };
		const content = {
			'@type': 'RelationshipTemplateContent' as const,
			onNewRelationship: request,
			onExistingRelationship: request,
		};
		const expiresAt = new Date(this.clock.now() + 3_600_000).toISOString();
		const { id, truncatedReference: reference } = await this.gateway.templates.create(
			{ content, expiresAt },
			{ wait },
		);
		return { id, reference };
	}

	/** A person scans the template and decides; the account has not heard of it. */
	async scan(
		reference: string,
		person = this.person,
		verb: 'accept' | 'reject' = 'accept',
	): Promise<void> {
		await person.templates.loadPeer({ reference });
		await this.decide(verb, person);
	}

	/** The person decides all open requests; the account has not heard of it. */
	async decide(verb: 'accept' | 'reject' = 'accept', person = this.person): Promise<void> {
		await this.network.settle(person);
		const open = await person.incomingRequests.list({
			where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
		});
		for (const { id } of open) {
			await person.incomingRequests[verb](id, { items: [{ accept: verb === 'accept' }] });
		}
		await this.network.settle(person);
	}

	async settle(): Promise<void> {
		await this.network.settle(this.gateway);
	}

	outcomesOf({ key }: NewWait): unknown[] {
		return this.resumed.filter((one) => one.key === key).map(({ outcome }) => outcome);
	}

	async close(): Promise<void> {
		await this.network.close();
		await this.receiver.down();
	}

	private async answer(path: string): Promise<Reply> {
		const { searchParams } = new URL(path, 'http://host');
		const [id = '', key = ''] = [searchParams.get('id') ?? '', searchParams.get('key') ?? ''];
		const fault = await this.fault(key);
		if (fault !== undefined) return fault;
		const status = this.executions.get(key) ?? 'missing';
		if (status === 'missing') return told(404, 'The execution "1" does not exist.');
		if (status === 'running') return told(409, 'The execution "1" is running already.');
		if (status === 'crashed') return told(500, 'Cannot read properties of undefined');
		if (status === 'finished') return { status: 200, body: '<h1>No action required</h1>' };
		const wait = await this.gateway.waits.find(id, key);
		const enmeshed = wait === undefined ? 'unknown' : 'waiting';
		if (wait?.outcome === undefined) {
			return { status: 409, body: JSON.stringify({ enmeshed, wait: key }) };
		}
		await this.gateway.waits.handOver(id, key);
		this.executions.set(key, 'finished');
		this.resumed.push({ key, outcome: wait.outcome });
		return { status: 200, body: JSON.stringify({ enmeshed: 'taken', wait: key }) };
	}
}
