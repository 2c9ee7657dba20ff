import { noInstruments, type Instruments } from '../base/observation/instruments';
import type { AccountStore } from '../store/account/account-store';

/** Store whose write transactions are observed; the store itself if there is no observer. */
export function observedStore(store: AccountStore, instruments: Instruments): AccountStore {
	if (instruments === noInstruments) return store;
	const transact: AccountStore['transact'] = async (work, options) => {
		const calledAt = performance.now();
		let begunAt: number | undefined;
		const ended = (isCommitted: boolean): void => {
			const now = performance.now();
			const begun = begunAt ?? now;
			instruments.storeWritten({
				waitMs: begun - calledAt,
				durationMs: now - begun,
				isCommitted,
			});
		};
		try {
			const result = await store.transact((tx) => {
				begunAt = performance.now();
				return work(tx);
			}, options);
			ended(true);
			return result;
		} catch (error) {
			ended(false);
			throw error;
		}
	};
	return new Proxy(store, {
		get: (target, name): unknown => {
			if (name === 'transact') return transact;
			const member: unknown = Reflect.get(target, name);
			return typeof member === 'function' ? (member.bind(target) as unknown) : member;
		},
	});
}
