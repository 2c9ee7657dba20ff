import { systemClock, type Clock } from '../../../../core/base/clock';
import { codeOf } from '../../../../core/base/errors';
import type { AutomationConfig } from '../../../../core/model/automation';
import type { Gateway } from '../../../../core';
import type { JsonObject } from '../../../../core/model/json';
import { inOneHour, relate, SandboxNetwork } from '../../../support/gateways';
import { operations } from './consumption-operations';
import { Placeholders } from './placeholders';
import { shapedLike } from './recorded-shape';
import { shownEvent, type OwnEvent, type RecordedEvent } from './recorded-events';
import { loosely } from '../../../support/loosely';

export interface RecordedStep {
	readonly actor?: string;
	readonly op?: string;
	readonly note?: string;
	readonly to?: string;
	readonly ms?: number;
	readonly content?: JsonObject;
	readonly request?: string;
	readonly input?: JsonObject;
	readonly result?: unknown;
	readonly error?: { readonly code: string };
	readonly events?: Readonly<Record<string, readonly RecordedEvent[]>>;
}

export interface RecordedScenario {
	readonly name: string;
	readonly identities: readonly string[];
	readonly relationships: ReadonlyArray<{
		readonly between: readonly [string, string];
		readonly templateOwner: string;
		readonly status: string;
	}>;
	readonly options?: Readonly<
		Record<
			string,
			{
				readonly defaults?: boolean;
				readonly moduleConfig?: {
					readonly DeciderModule: { readonly automationConfig: AutomationConfig };
				};
			}
		>
	>;
	readonly steps: readonly RecordedStep[];
}

/** What an operation of the official software is here; the answer is compared with the recorded one. */
export type Operation = (gateway: Gateway, input: JsonObject) => Promise<unknown> | unknown;

/** Codes that the interface summary fixes. */
const ourCodes: Readonly<Record<string, string>> = {
	'error.consumption.requests.validation.inheritedFromItem':
		'error.consumption.validation.inheritedFromItem',
};

/**
 * Plays recorded scenes between our gateways, which talk through the sandbox, one step after the
 * other, and compares each answer, error and event with what the official software gave.
 */
export class ConsumptionPlayer {
	readonly placeholders = new Placeholders();

	private readonly positions = new Map<string, number>();

	private network: SandboxNetwork | undefined;

	protected readonly gateways = new Map<string, Gateway>();

	/** @param clock of all gateways */
	constructor(protected readonly clock: Clock = systemClock) {}

	async open({ identities, options, relationships }: RecordedScenario): Promise<this> {
		// Each step was recorded with all that it causes, at a server that tells everything at once.
		const network = await SandboxNetwork.open({ behaviour: 'kind' });
		this.network = network;
		for (const name of identities) {
			const { defaults, moduleConfig } = options?.[name] ?? {};
			const config = {
				...network.config(),
				defaultAttributes: defaults === true,
				automation: moduleConfig?.DeciderModule.automationConfig ?? [],
			};
			const gateway = await network.gateway(config, { clock: this.clock });
			this.gateways.set(name, gateway);
			this.placeholders.bind(name, (await gateway.account.getIdentity()).address);
		}
		for (const { between, templateOwner, status } of relationships) {
			const [a, b] = between;
			expect(templateOwner).toBe(a);
			await bringTo(status, this.gateway(a), this.gateway(b));
		}
		await this.skipEvents();
		return this;
	}

	async close(): Promise<void> {
		await this.network?.close();
	}

	async play(step: RecordedStep): Promise<void> {
		const { op } = step;
		if (op === undefined) return;
		if (op === 'send request') {
			await this.sendRequest(step);
			// The standard sequence of consumption 10.3, which the notes of the file leave out.
			await this.skipEvents();
			return;
		}
		const outcome = await this.outcomeOf(step);
		this.compareOutcome(step, outcome);
		// Its events stand with the step that delivers it.
		if (op !== 'send message with content') await this.compareEvents(step);
	}

	protected async sendRequest({ actor, to, content, request }: RecordedStep): Promise<void> {
		const [sender, recipient] = [this.gateway(actor), this.gateway(to)];
		const peer = this.placeholders.valueOf(to ?? '');
		const created = await sender.outgoingRequests.create({
			content: Object(this.placeholders.fill(content)),
			peer,
		});
		this.placeholders.match(request, created.id);
		await sender.messages.send({ recipients: [peer], content: created.content });
		await recipient.account.sync();
	}

	protected async outcomeOf(step: RecordedStep): Promise<unknown> {
		const { actor, op = '', input = {} } = step;
		const gateway = this.gateway(actor);
		const filled = this.placeholders.fill(input) as JsonObject;
		if (op === 'send message with content') {
			// The other identity of the scene gets it.
			const [peer] = [...this.gateways.keys()].filter((name) => name !== actor);
			const recipients = [this.placeholders.valueOf(peer ?? '')];
			return await gateway.messages.send({ recipients, content: loosely(filled) });
		}
		const operation = operations[op];
		if (operation === undefined) throw new Error(`The operation '${op}' is not known`);
		try {
			return (await operation(gateway, filled)) ?? null;
		} catch (error) {
			const code = codeOf(error);
			if (code === undefined) throw error;
			return { error: { code } };
		}
	}

	protected compareOutcome(step: RecordedStep, outcome: unknown): void {
		const { op = '', error, result = null } = step;
		if (op === 'sync' || op === 'send message with content') return;
		if (error !== undefined) {
			expect({ op, outcome }).toEqual({
				op,
				outcome: { error: { code: ourCodes[error.code] ?? error.code } },
			});
			return;
		}
		const recorded = withOurCodes(result);
		this.placeholders.match(recorded, shapedLike(recorded, outcome));
	}

	protected async compareEvents({ events = {} }: RecordedStep): Promise<void> {
		for (const [name, gateway] of this.gateways) {
			const own = await this.newEvents(name, gateway);
			this.placeholders.match(events[name] ?? [], own.map(shownEvent));
		}
	}

	protected async skipEvents(): Promise<void> {
		for (const [name, gateway] of this.gateways) await this.newEvents(name, gateway);
	}

	protected async newEvents(name: string, gateway: Gateway): Promise<OwnEvent[]> {
		const after = this.positions.get(name) ?? 0;
		const recent = await gateway.events.recent({}, 10_000);
		const fresh = recent.filter(({ sequence }) => sequence > after);
		this.positions.set(name, fresh.at(-1)?.sequence ?? after);
		return fresh;
	}

	protected gateway(name: string | undefined): Gateway {
		const gateway = this.gateways.get(name ?? '');
		if (gateway === undefined) throw new Error(`There is no identity '${name}' in the scene`);
		return gateway;
	}
}

/** A relationship from a template of the first one. */
export async function bringTo(status: string, a: Gateway, b: Gateway): Promise<void> {
	if (status === 'Active' || status === 'Terminated') {
		const { relationshipId } = await relate(a, b);
		if (status === 'Terminated') await a.relationships.terminate(relationshipId);
	} else {
		const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
		const template = await a.templates.create({ expiresAt: inOneHour(), content });
		const { id: templateId } = await b.templates.loadPeer({
			reference: template.truncatedReference,
		});
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		const { id } = await b.relationships.create({ templateId, creationContent });
		await a.account.sync();
		if (status === 'Rejected') await a.relationships.reject(id);
	}
	await b.account.sync();
}

function withOurCodes(value: unknown): unknown {
	const text = JSON.stringify(value);
	const changed = Object.entries(ourCodes).reduce(
		(sum, [official, ours]) => sum.replaceAll(official, ours),
		text,
	);
	return JSON.parse(changed) as unknown;
}
