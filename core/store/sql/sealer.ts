import type { Random } from '../../base/random';
import {
	hashText,
	openText,
	sealText,
	type SealedPlace,
	type StoreKey,
} from '../../crypto/sealing';
import { containsSecret, replaceSecrets } from '../../model/secret-texts';
import { corruptRow } from '../collections/stored-json';
import { comparedText } from '../collections/stored-text';

/** Column of a table or side table. */
export interface ColumnPlace {
	readonly table: string;
	readonly column: string;
}

type DocumentPlace = Omit<SealedPlace, 'part'>;

/** Mark in front of a keyed hash inside a text. */
const hashMark = '\uFDD3';

const keptDocuments = 1_000;
const longestDocument = 4_096;
const keptHashes = 1_000;
const longestKept = 100;

/** Seals and unseals the stored data of one account (docs/adr/0005). */
export class Sealer {
	/**
	 * Cache of recently sealed or unsealed documents; an entry is valid only for the same sealed
	 * text.
	 */
	private readonly documents = new Map<
		string,
		{ readonly stored: string; readonly json: string }
	>();

	/** cache of hashes of short texts, because the same addresses occur again and again */
	private readonly hashes = new Map<string, string>();

	constructor(
		private readonly key: StoreKey,
		private readonly random: Random,
		/** true if all data about persons is sealed; false if only texts that grant access are */
		readonly sealsContents: boolean,
	) {}

	seal(text: string, place: SealedPlace): string {
		return sealText(this.key, text, place, this.random);
	}

	/** @throws `error.crypto.sealing.cannotOpen` */
	open(sealed: string, place: SealedPlace): string {
		return openText(this.key, sealed, place);
	}

	/** Returns true if a JSON object must be stored sealed. */
	mustSeal(json: string): boolean {
		return this.sealsContents || containsSecret(json);
	}

	/** Converts a JSON object to its stored form. */
	toStored(json: string, place: DocumentPlace): string {
		if (!this.mustSeal(json)) return json;
		const stored = this.seal(json, { ...place, part: 'document' });
		this.keep(stored, json, place);
		return stored;
	}

	/**
	 * Converts a stored JSON object back.
	 *
	 * @throws `error.gateway.store.corruptRow` for an object that was moved or altered: the key
	 * itself has been proven
	 */
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

	/** Removes the content of a deleted record from memory. */
	forget(place: DocumentPlace): void {
		this.documents.delete(nameOf(place));
	}

	/** Adds a document to the cache; the oldest entry is removed when the cache is full. */
	private keep(stored: string, json: string, place: DocumentPlace): void {
		if (json.length > longestDocument) return;
		const name = nameOf(place);
		this.documents.delete(name);
		this.documents.set(name, { stored, json });
		if (this.documents.size <= keptDocuments) return;
		for (const [oldest] of this.documents) return void this.documents.delete(oldest);
	}

	/**
	 * Returns the keyed hash of a text about persons if contents are sealed; else the text, in which
	 * hashes replace the parts that grant access.
	 */
	toColumn(text: string, place: ColumnPlace): string {
		if (this.sealsContents) return this.hash(comparedText(text), place);
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

/** Detects sealed text, which is base64url and so never starts with a brace. */
export function isSealed(stored: string): boolean {
	return !stored.startsWith('{');
}
