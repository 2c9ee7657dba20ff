import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway, GatewayConfigInput } from '../../core';
import type { Timings } from '../../core/base/timings';
import type { Place } from '../../test/support/accounts/account-places';
import type { Dice } from '../harness/dice';
import { GatewayProcess } from './gateway-process';
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
		private readonly dice: Dice,
		program: string,
		processCount: number,
		readonly ledger = new Ledger(),
	) {
		const names = Array.from({ length: processCount }, (_, index) => `${name}${index + 1}`);
		this.processes = names.map((consumer) => {
			const task = { config, timings: chaosTimings, consumer, syncEveryMs };
			return new GatewayProcess(program, task, this.ledger);
		});
	}

	/** The account in a copy of its store, without processes. */
	at(place: Place): Account {
		const { name, config, dice, ledger, address } = this;
		const copy = new Account(name, place, { ...config, ...place.config }, dice, '', 0, ledger);
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

	/**
	 * Repeats a call of any of the processes until it succeeds or is permanently refused, as n8n
	 * repeats the job of a lost process.
	 *
	 * @param times largest number of calls
	 * @returns the value, or the code of the refusal
	 */
	async call(
		[useCase, method]: readonly [useCase: keyof Gateway, method: string],
		parameters: readonly unknown[] = [],
		times = Infinity,
	): Promise<Settled> {
		const giveUpAt = Date.now() + stuckAfterMs;
		for (let time = 0; Date.now() < giveUpAt; time++) {
			const call: Call = { useCase, method, parameters };
			const outcome = await this.dice.pick(this.processes).call(call);
			if (outcome.status === 'done') return { value: outcome.value };
			if (outcome.status === 'broken') {
				this.complain(`${method} broke: ${outcome.message}`);
				return { code: 'broken' };
			}
			if (outcome.status === 'refused' && !isPassing(outcome)) return { code: outcome.code };
			if (time + 1 >= times) return { code: outcome.status };
			await delay(pauseMs);
		}
		this.complain(`${method} ${JSON.stringify(parameters)} is stuck`);
		return { code: 'stuck' };
	}

	/** Value of a call that only a defect refuses permanently. */
	valueOf<Value>(settled: Settled, what: string): Value | undefined {
		if ('value' in settled) return settled.value as Value;
		this.complain(`${what} was refused: ${settled.code}`);
		return undefined;
	}

	complain(what: string): void {
		this.ledger.complaints.push(`${this.name}: ${what}`);
	}
}

/** Result of a call that was repeated as often as necessary. */
type Settled = { readonly value: unknown } | { readonly code: string };

/** True for refusals that a repetition overcomes. */
function isPassing({ code, kind }: { readonly code: string; readonly kind: string }): boolean {
	return kind === 'unavailable' || code === 'error.gateway.messages.outcomeUnknown';
}
