import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway, GatewayConfigInput } from '../../core';
import type { Timings } from '../../core/base/timings';
import type { Place } from '../../test/support/accounts/account-places';
import type { Dice } from '../fuzz/dice';
import { GatewayProcess, type Outcome } from './gateway-process';
import { Ledger } from './ledger';
import type { Call } from './worker';

/**
 * Shortened timings, so that another process takes over the work of a killed one within the run.
 */
export const chaosTimings: Timings = {
	syncLeaseMs: 5_000,
	sending: {
		claimTtlMs: 20_000,
		deadOwnerGraceMs: 2_500,
		renewClaimAfterMs: 2_500,
		firstByteDeadlineMs: 6_000,
		lateArrivalMs: 3_000,
	},
	sqliteBusyMs: 10_000,
};

const syncEveryMs = 1_000;
const pauseMs = 150;
/** Time after which a call that fails without disturbances counts as stuck. */
const stuckAfterMs = 180_000;

/** Account with several processes, and the ledger of its owner. */
export class Account {
	readonly processes: readonly GatewayProcess[];

	address = '';

	constructor(
		readonly name: 'a' | 'b',
		readonly place: Place,
		readonly config: GatewayConfigInput,
		program: string,
		processCount: number,
		readonly ledger = new Ledger(),
	) {
		const names = Array.from({ length: processCount }, (_, index) => `${name}${index + 1}`);
		this.processes = names.map((consumer) => {
			this.ledger.addDelivery(consumer, []);
			const task = { config, timings: chaosTimings, consumer, syncEveryMs };
			return new GatewayProcess(consumer, program, task, {
				onDelivered: (events) => this.ledger.addDelivery(consumer, events),
				onFailed: (reason) => this.ledger.complaints.push(reason),
			});
		});
	}

	/** The account in a copy of its store, without processes. */
	at(place: Place): Account {
		const { name, config, ledger, address } = this;
		const copy = new Account(name, place, { ...config, ...place.config }, '', 0, ledger);
		copy.address = address;
		return copy;
	}

	/**
	 * Processes that share a clock: a file is used on one machine, and a database from several.
	 */
	get machines(): ReadonlyArray<readonly GatewayProcess[]> {
		const { store } = this.place.config;
		return store?.kind === 'postgres' ? this.processes.map((one) => [one]) : [this.processes];
	}

	/** Calls any of the processes once. */
	async call(
		dice: Dice,
		useCase: keyof Gateway,
		method: string,
		...parameters: unknown[]
	): Promise<Outcome> {
		const call: Call = { useCase, method, parameters };
		const outcome = await dice.pick(this.processes).call(call);
		if (outcome.status === 'broken') {
			this.ledger.complaints.push(`${this.name}: ${method} broke: ${outcome.message}`);
		}
		return outcome;
	}

	/**
	 * Repeats a call until it succeeds or is permanently refused, as n8n repeats the job of a lost
	 * process.
	 *
	 * @returns the value, or the code of the refusal
	 */
	async callUntilSettled(
		dice: Dice,
		useCase: keyof Gateway,
		method: string,
		...parameters: unknown[]
	): Promise<Settled> {
		const giveUpAt = Date.now() + stuckAfterMs;
		while (Date.now() < giveUpAt) {
			const outcome = await this.call(dice, useCase, method, ...parameters);
			if (outcome.status === 'done') return { value: outcome.value };
			if (outcome.status === 'broken') return { code: 'broken' };
			if (outcome.status === 'refused' && !isPassing(outcome)) return { code: outcome.code };
			await delay(pauseMs);
		}
		this.complain(`${method} ${JSON.stringify(parameters)} is stuck`);
		return { code: 'stuck' };
	}

	complain(what: string): void {
		this.ledger.complaints.push(`${this.name}: ${what}`);
	}
}

/** Result of a call that was repeated as often as necessary. */
export type Settled = { readonly value: unknown } | { readonly code: string };

/** True for refusals that a repetition overcomes. */
function isPassing({ code, kind }: { readonly code: string; readonly kind: string }): boolean {
	return kind === 'unavailable' || code === 'error.gateway.messages.outcomeUnknown';
}
