import type { Random } from '../base/random';
import { hashText, openText, sealText, type SealedPlace, type StoreKey } from '../crypto/sealing';
import { containsSecret, replaceSecrets } from './secret-texts';
import { corruptRow } from './stored-json';
import { comparedText } from './stored-text';

/** A column of a table, side tables included. */
export interface ColumnPlace {
	readonly table: string;
	readonly column: string;
}

type DocumentPlace = Omit<SealedPlace, 'part'>;

/** Before a keyed hash inside a text. */
const hashMark = '\uFDD3';

const keptHashes = 1_000;
const longestKept = 100;

/** Seals and opens what one account keeps (docs/adr/0005). */
export class Sealer {
	/** of short texts: addresses come again and again */
	private readonly hashes = new Map<string, string>();

	constructor(
		private readonly key: StoreKey,
		private readonly random: Random,
		/** whether everything about persons is sealed, or only what opens something */
		readonly sealsContents: boolean,
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
		return this.sealsContents || containsSecret(json);
	}

	/** A JSON object as it is stored. */
	toStored(json: string, place: DocumentPlace): string {
		return this.mustSeal(json) ? this.seal(json, { ...place, part: 'document' }) : json;
	}

	/** @throws `error.gateway.store.corruptRow` for an object that was moved or altered: the key is proven */
	fromStored(stored: string, place: DocumentPlace): string {
		if (!this.sealsContents && !isSealed(stored)) return stored;
		try {
			return this.open(stored, { ...place, part: 'document' });
		} catch (cause) {
			throw corruptRow(place, cause);
		}
	}

	/** The keyed hash of a text about persons; else the text, with hashes in the place of what opens something. */
	toColumn(text: string, place: ColumnPlace): string {
		if (this.sealsContents) return this.hash(comparedText(text), place);
		if (!containsSecret(text)) return text;
		return replaceSecrets(text, (secret) => hashMark + hashText(this.key, secret, place));
	}

	private hash(text: string, place: ColumnPlace): string {
		if (text.length > longestKept) return hashText(this.key, text, place);
		const name = `${place.table} ${place.column} ${text}`;
		const known = this.hashes.get(name);
		if (known !== undefined) return known;
		if (this.hashes.size >= keptHashes) this.hashes.clear();
		const hash = hashText(this.key, text, place);
		this.hashes.set(name, hash);
		return hash;
	}
}

/** base64url has no brace. */
export function isSealed(stored: string): boolean {
	return !stored.startsWith('{');
}
