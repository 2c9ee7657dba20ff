import type { Random } from '../base/random';
import { hashText, openText, sealText, type SealedPlace, type StoreKey } from '../crypto/sealing';
import { containsSecret, replaceSecrets } from './secret-texts';
import { corruptRow } from './stored-json';
import { comparedText } from './stored-text';

/** A column of a table, side tables included. */
interface ColumnPlace {
	readonly table: string;
	readonly column: string;
}

type DocumentPlace = Omit<SealedPlace, 'part'>;

/** Before a keyed hash inside a text. */
const hashMark = '\uFDD3';

const keptDocuments = 1_000;
const longestDocument = 4_096;
const keptHashes = 1_000;
const longestKept = 100;

/** Seals and opens what one account keeps (docs/adr/0005). */
export class Sealer {
	/** What was sealed or opened last: another sealed text has another content. */
	private readonly documents = new Map<
		string,
		{ readonly stored: string; readonly json: string }
	>();

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
		if (!this.mustSeal(json)) return json;
		const stored = this.seal(json, { ...place, part: 'document' });
		this.keep(stored, json, place);
		return stored;
	}

	/** @throws `error.gateway.store.corruptRow` for an object that was moved or altered: the key is proven */
	fromStored(stored: string, place: DocumentPlace): string {
		if (!this.sealsContents && !isSealed(stored)) return stored;
		const known = this.documents.get(nameOf(place));
		if (known?.stored === stored) return known.json;
		try {
			const json = this.open(stored, { ...place, part: 'document' });
			this.keep(stored, json, place);
			return json;
		} catch (cause) {
			throw corruptRow(place, cause);
		}
	}

	/** What is removed is not kept in memory either. */
	forget(place: DocumentPlace): void {
		this.documents.delete(nameOf(place));
	}

	/** The oldest one makes room. */
	private keep(stored: string, json: string, place: DocumentPlace): void {
		if (json.length > longestDocument) return;
		const name = nameOf(place);
		this.documents.delete(name);
		this.documents.set(name, { stored, json });
		if (this.documents.size <= keptDocuments) return;
		for (const [oldest] of this.documents) return void this.documents.delete(oldest);
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

const nameOf = ({ table, id }: DocumentPlace): string => `${table} ${id}`;

/** base64url has no brace. */
export function isSealed(stored: string): boolean {
	return !stored.startsWith('{');
}
