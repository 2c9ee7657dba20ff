import type { Backbone } from '../../../core/backbone/port/backbone';
import type { Store } from '../../../core/store/store';
import { watchBackbone } from '../../support/backbone/watched-backbone';

/** Thrown at every port of a process that is over. */
export class LifeIsOver extends Error {}

/**
 * One process, watched at its two ports. Points are the moments before and after every Backbone call
 * and every commit, counted from `arm`; at one of them something may happen to it.
 */
export class Life {
	isExpired = false;

	private points = 0;

	private planned: { readonly at: number; readonly event: () => Promise<void> | void } | undefined;

	/** @param at the point at which the event comes, from 1 */
	arm(at: number, event: () => Promise<void> | void): void {
		this.points = 0;
		this.planned = { at, event };
	}

	disarm(): void {
		this.planned = undefined;
	}

	/** From now on nothing leaves this process any more, neither to its store nor to the network. */
	end(): void {
		this.isExpired = true;
	}

	watchBackbone(backbone: Backbone): Backbone {
		return watchBackbone(backbone, (_name, call) => this.between(call));
	}

	watchStore(store: Store): void {
		const read = store.read.bind(store);
		const transact = store.transact.bind(store);
		store.read = async (work, options) => {
			this.requireAlive();
			return await read(work, options);
		};
		store.transact = (work, options) => this.between(() => transact(work, options));
	}

	private async between<Result>(work: () => Promise<Result>): Promise<Result> {
		await this.point();
		const result = await work();
		await this.point();
		return result;
	}

	private async point(): Promise<void> {
		this.requireAlive();
		if (this.planned === undefined || ++this.points !== this.planned.at) return;
		await this.planned.event();
		this.requireAlive();
	}

	private requireAlive(): void {
		if (this.isExpired) throw new LifeIsOver();
	}
}
