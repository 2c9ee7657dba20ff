import type { Gateway } from '../../../../core';
import { isoInstant } from '../../../../core/base/clock';
import type { JsonObject } from '../../../../core/model/json';
import {
	bringTo,
	ConsumptionPlayer,
	type RecordedScenario,
	type RecordedStep,
} from './consumption-player';
import type { OwnEvent } from './recorded-events';
import { loosely } from '../../../support/loosely';

/** Runs with the machine's clock, and can be moved forward. */
class MovedClock {
	private aheadMs = 0;

	now(): number {
		return Date.now() + this.aheadMs;
	}

	advance(durationMs: number): void {
		this.aheadMs += durationMs;
	}
}

const hourMs = 3_600_000;

/**
 * Plays the scenes of requests: those have templates, time that passes, rules of the automation, and
 * relationships that change behind the scene.
 */
export class RequestPlayer extends ConsumptionPlayer {
	private readonly time: MovedClock;

	private index = 0;

	/** what the step before had created, for messages that say no more than 'the request' */
	private lastRequest: JsonObject = {};

	constructor(private readonly scenario: RecordedScenario) {
		const time = new MovedClock();
		super(time);
		this.time = time;
	}

	async begin(): Promise<this> {
		await this.open(this.scenario);
		// The requests of these two came by a message, so there was a relationship.
		if (/request from Message/.test(this.scenario.name)) {
			await bringTo('Active', this.gateway('A'), this.gateway('B'));
		}
		await this.skipEvents();
		return this;
	}

	override async play(step: RecordedStep): Promise<void> {
		this.index = this.scenario.steps.indexOf(step);
		const { op, note = '', ms = 0, events } = step;
		if (op === undefined) {
			await this.playNote(note);
			return;
		}
		this.placeholders.soon = () => this.soon();
		if (op === 'wait') this.time.advance(ms);
		else if (op === 'send request') await this.playSending(step);
		else if (op.startsWith('relationship becomes')) await this.playChange(step);
		else {
			await this.playBefore();
			this.compareOutcome(step, this.shaped(step, await this.outcomeOf(step)));
		}
		if (op === 'send request' && events === undefined) await this.skipEvents();
		else if (op !== 'wait') await this.compareEvents(step);
	}

	/** What the recording shows of a request. */
	private shaped({ result }: RecordedStep, outcome: unknown): unknown {
		if (typeof result !== 'object' || result === null || Array.isArray(result)) return outcome;
		const { content, status, source, response } = outcome as Record<string, JsonObject>;
		if ('responseSource' in result) return { status, source, responseSource: response?.['source'] };
		return (result as JsonObject)['@type'] === 'Request' ? content : outcome;
	}

	/** Before the next wait is over, or long after. */
	private soon(): string {
		const next = this.scenario.steps.slice(this.index).find(({ op }) => op === 'wait');
		const inMs = next?.ms === undefined ? hourMs : next.ms / 2;
		return isoInstant(this.time.now() + inMs);
	}

	protected override async outcomeOf(step: RecordedStep): Promise<unknown> {
		const { actor, op = '', input } = step;
		const gateway = this.gateway(actor);
		switch (op) {
			case 'load peer template':
				await this.load(gateway, this.placeholders.valueOf(String(input).replace(/[<>]/g, '')));
				return null;
			case 'relationshipTemplates.createOwnRelationshipTemplate':
				return await super.outcomeOf({ ...step, input: this.withLongLife(input ?? {}) });
			case 'messages.sendMessage':
				return await super.outcomeOf({ ...step, input: this.messageOf(input) });
			case 'outgoingRequests.create': {
				const outcome = (await super.outcomeOf(step)) as JsonObject;
				this.lastRequest = (outcome['content'] as JsonObject | undefined) ?? this.lastRequest;
				return outcome;
			}
			default:
				return await super.outcomeOf(step);
		}
	}

	/** The exchange of the recording did not count allocations. */
	protected override async newEvents(name: string, gateway: Gateway): Promise<OwnEvent[]> {
		const events = await super.newEvents(name, gateway);
		return events.filter(
			({ event }) => event !== 'transport.relationshipTemplateAllocationsExhausted',
		);
	}

	private messageOf(input: unknown): JsonObject {
		const { content: given, ...rest } = (
			typeof input === 'object' && input !== null ? input : { recipients: ['<B>'] }
		) as { content?: JsonObject; recipients: string[] };
		if (given === undefined) return { ...rest, content: this.lastRequest };
		// Its expiry is as it was created.
		const expiresAt = this.lastRequest['expiresAt'];
		const isSame = given['expiresAt'] !== undefined && expiresAt !== undefined;
		return { ...rest, content: isSame ? { ...given, expiresAt } : given };
	}

	/** A template whose request has an expiry of its own outlives it. */
	private withLongLife(input: JsonObject): JsonObject {
		const text = JSON.stringify(input['content']);
		const expiresAt = isoInstant(this.time.now() + hourMs);
		return text.includes('"expiresAt":"<soon>"') ? { ...input, expiresAt } : input;
	}

	private async load(gateway: Gateway, templateId: string): Promise<void> {
		const { truncatedReference } = await this.gateway('A').templates.get(templateId);
		await gateway.templates.loadPeer({ reference: truncatedReference });
	}

	private async playSending(step: RecordedStep): Promise<void> {
		await this.skipEvents();
		await this.sendRequest(step);
		if (step.events !== undefined) await this.newEvents('A', this.gateway('A'));
	}

	/** Changes that the recording shows by their events only. */
	private async playBefore(): Promise<void> {
		const { events } = this.scenario.steps[this.index] ?? {};
		const isTerminated = events?.['B']?.some(({ status }) => status === 'Terminated') === true;
		if (!isTerminated) return;
		await this.gateway('A').relationships.terminate(await this.relationshipId());
		await this.newEvents('A', this.gateway('A'));
		await this.gateway('B').account.sync();
	}

	private async playChange({ op = '', actor = 'B' }: RecordedStep): Promise<void> {
		const a = this.gateway('A');
		const id = await this.relationshipId();
		if (op.includes('Rejected')) {
			await a.relationships.reject(id);
		} else {
			await a.relationships.decompose(id);
			await this.newEvents('A', a);
		}
		await this.gateway(actor).account.sync();
	}

	private async playNote(note: string): Promise<void> {
		const [, status] = /^relationship status now (\w+)/.exec(note) ?? [];
		const [a, b] = [this.gateway('A'), this.gateway('B')];
		const isThere = (await a.relationships.list()).length > 0;
		if (status === 'Terminated') {
			await a.relationships.terminate(await this.relationshipId());
			await b.account.sync();
		} else if (status !== undefined && status !== 'none' && !isThere) {
			await bringTo(status, a, b);
		} else if (note === 'incoming expiry') {
			const request = { '@type': 'AuthenticationRequestItem' as const, mustBeAccepted: true };
			this.placeholders.soon = () => this.soon();
			await this.sendExpiring({ items: [request], expiresAt: this.soon() });
		}
		if (note !== 'incoming expiry') await this.skipEvents();
	}

	/** The recording leaves out that A sends a request that expires. */
	private async sendExpiring(content: JsonObject): Promise<void> {
		const a = this.gateway('A');
		const peer = this.placeholders.valueOf('B');
		const request = await a.outgoingRequests.create({ content: loosely(content), peer });
		await a.messages.send({ recipients: [peer], content: request.content });
		await this.newEvents('A', a);
	}

	private async relationshipId(): Promise<string> {
		const [relationship] = await this.gateway('A').relationships.list();
		return relationship?.id ?? '';
	}
}
