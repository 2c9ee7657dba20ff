import type { Random } from '../base/random';
import { openText, sealText, type SealedPlace, type StoreKey } from '../crypto/sealing';

/** Seals and opens the secrets of one account. */
export class Sealer {
	constructor(
		private readonly key: StoreKey,
		private readonly random: Random,
	) {}

	seal(text: string, place: SealedPlace): string {
		return sealText(this.key, text, place, this.random);
	}

	/** @throws `error.crypto.sealing.cannotOpen` */
	open(sealed: string, place: SealedPlace): string {
		return openText(this.key, sealed, place);
	}
}
