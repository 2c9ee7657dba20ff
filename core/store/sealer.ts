import type { Random } from '../base/random';
import { hashText, openText, sealText, type SealedPlace, type StoreKey } from '../crypto/sealing';
import { containsSecret, replaceSecrets } from './secret-texts';

/** A column of a table, side tables included. */
export interface ColumnPlace {
	readonly table: string;
	readonly column: string;
}

type DocumentPlace = Omit<SealedPlace, 'part'>;

/** Before a keyed hash inside a text. */
const hashMark = '\uFDD3';

/** Seals and opens what one account keeps (docs/adr/0005). */
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

	/** Whether a JSON object is to be stored sealed. */
	mustSeal(json: string): boolean {
		return containsSecret(json);
	}

	/** A JSON object as it is stored. */
	toStored(json: string, place: DocumentPlace): string {
		return this.mustSeal(json) ? this.seal(json, { ...place, part: 'document' }) : json;
	}

	/** @throws `error.crypto.sealing.cannotOpen` for an object that was moved or altered */
	fromStored(stored: string, place: DocumentPlace): string {
		return isSealed(stored) ? this.open(stored, { ...place, part: 'document' }) : stored;
	}

	/** A text of a column, with keyed hashes in the place of what opens something. */
	hideSecrets(text: string, place: ColumnPlace): string {
		if (!containsSecret(text)) return text;
		return replaceSecrets(text, (secret) => hashMark + hashText(this.key, secret, place));
	}
}

/** base64url has no brace. */
export function isSealed(stored: string): boolean {
	return !stored.startsWith('{');
}
