import { withComposedTexts } from '../../../core/model/content/attribute-texts';
import type { JsonObject } from '../../../core/model/json';
import type { Dice } from '../../scenario/convergence/dice';

/** Item that our gateway might send to a wallet of version 7, and how the wallet would accept it. */
export interface GeneratedItem {
	readonly kind: ItemKind;
	readonly item: JsonObject;
	readonly acceptance: JsonObject;
}

export interface Parties {
	readonly sender: string;
	readonly recipient: string;
	/** Creates an own attribute of the sender. */
	createAttribute(
		content: JsonObject,
	): Promise<{ readonly id: string; readonly content: JsonObject }>;
	uploadFile(): Promise<{ readonly reference: string; readonly ownershipToken: string }>;
}

/* Words of several alphabets; the counter beside them makes texts differ. */
const words = [
	...[
		'Anna',
		'Zoë',
		'Łukasz',
		'Straße',
		"O'Neill",
		'O\u2019Neill',
		'5 €',
		'a\nb',
		'Müller',
		'Ngọc',
	],
	...['Cafe\u0301', 'Mu\u0308ller', 'C\u0328\u0306', 'x\u0303', 'K\u035Fh', 'L\u0325\u0304a'],
	...[
		'K–4711',
		'„Anna“',
		'‚x‘',
		'a…',
		'•',
		'™',
		'a\u00ADb',
		'a\u200Bb',
		'😀',
		'Иван',
		'Ελένη',
		'سارة',
		'東京',
	],
];

const tagPools: ReadonlyArray<readonly string[]> = [
	...[
		['x:a'],
		['X:b', 'urn:c'],
		['urn:d'],
		['language:de'],
		['mimetype:text/plain'],
		['mimetype:*/*'],
	],
	...[
		['plain'],
		['URN:e'],
		['LANGUAGE:de'],
		['language:xx'],
		['mimetype:image/svg+xml'],
		['x:f', 'g'],
		[''],
	],
];

const simple = [
	...['GivenName', 'Surname', 'DisplayName', 'JobTitle', 'BirthName', 'Pseudonym', 'MiddleName'],
	...['City', 'Street', 'ZipCode', 'HouseNumber', 'State', 'AffiliationRole', 'BirthCity'],
];

const fixed: ReadonlyArray<readonly [string, JsonObject]> = [
	['BirthDate', { day: 1, month: 2, year: 1990 }],
	['Nationality', { value: 'DE' }],
	['EMailAddress', { value: 'anna@example.com' }],
	['PhoneNumber', { value: '+49 30 1234' }],
	['Website', { value: 'https://example.com' }],
	['BirthDay', { value: 3 }],
	['Country', { value: 'FR' }],
];

const proprietary = ['ProprietaryString', 'ProprietaryJSON', 'ProprietaryLanguage', 'Consent'];

const makers = {
	Authentication: ({ text }) => ({
		item: text.chance(0.7) ? { title: text.next() } : {},
	}),
	Consent: ({ text }) => ({ item: { consent: text.next(), ...maybe(text, 'description') } }),
	CreateAttribute: ({ text }) => ({ item: { attribute: text.identityAttribute('') } }),
	CreateRelationshipAttribute: ({ text, parties }) => ({
		item: { attribute: text.relationshipAttribute(text.chance(0.5) ? '' : parties.sender) },
	}),
	DirectFormField: ({ text }) => ({
		item: { title: text.next(), settings: { '@type': 'StringFormFieldSettings' } },
		acceptance: { response: 'text' },
	}),
	FreeText: ({ text }) => ({ item: { freeText: text.next() }, acceptance: { freeText: 'text' } }),
	ProposeAttribute: ({ text, parties }) => {
		const attribute = text.identityAttribute('');
		const { '@type': valueType = '' } = attribute['value'] as JsonObject;
		const query = { '@type': 'IdentityAttributeQuery', valueType };
		return {
			item: { attribute, query },
			// As the wallet has received it.
			acceptance: {
				attribute: { ...withComposedTexts(attribute), owner: parties.recipient },
			},
		};
	},
	ReadAttribute: ({ text, parties }) => {
		const attribute = text.plainIdentityAttribute(parties.recipient);
		const { '@type': valueType = '' } = attribute['value'] as JsonObject;
		const tags = text.tags();
		const fitting = tags.filter((tag) =>
			/^(x:|X:|urn:|language:de|mimetype:[a-z*]+\/[a-z*]+$)/.test(tag),
		);
		return {
			item: {
				query: {
					'@type': 'IdentityAttributeQuery',
					valueType,
					...(tags.length === 0 ? {} : { tags }),
				},
			},
			acceptance: {
				newAttribute: {
					...attribute,
					...(tags.length === 0 ? {} : { tags: fitting.length === 0 ? tags : fitting }),
				},
			},
		};
	},
	RegisterAttributeListener: ({ text }) => ({
		item: { query: { '@type': 'IdentityAttributeQuery', valueType: text.pick(simple) } },
	}),
	ShareAttribute: async ({ text, parties }) => {
		const { owner: _owner, '@type': _type, ...given } = text.textAttribute('');
		const { id, content } = await parties.createAttribute(given);
		return { item: { attribute: content, sourceAttributeId: id } };
	},
	TransferFileOwnership: async ({ text, parties }) => {
		const { reference, ownershipToken } = await parties.uploadFile();
		const withToken = text.chance(0.5);
		return { item: { fileReference: reference, ...(withToken ? { ownershipToken } : {}) } };
	},
} as const satisfies Record<string, (given: Given) => Made | Promise<Made>>;

export type ItemKind = keyof typeof makers;

interface Given {
	readonly text: Texts;
	readonly parties: Parties;
}

interface Made {
	readonly item: JsonObject;
	readonly acceptance?: JsonObject;
}

export const itemKinds = Object.keys(makers) as ItemKind[];

export async function generatedItem(
	kind: ItemKind,
	dice: Dice,
	parties: Parties,
): Promise<GeneratedItem> {
	const { item, acceptance = {} }: Made = await makers[kind]({ text: new Texts(dice), parties });
	const type = { CreateRelationshipAttribute: 'CreateAttribute', DirectFormField: 'FormField' };
	const name = (type as Partial<Record<ItemKind, string>>)[kind] ?? kind;
	return {
		kind,
		item: { '@type': `${name}RequestItem`, mustBeAccepted: true, ...item },
		acceptance,
	};
}

let counter = 0;

function maybe(text: Texts, name: string): JsonObject {
	return text.chance(0.5) ? { [name]: text.next() } : {};
}

/** Draws what items hold. */
class Texts {
	constructor(private readonly dice: Dice) {}

	chance(probability: number): boolean {
		return this.dice.next() < probability;
	}

	pick<One>(choices: readonly One[]): One {
		return this.dice.pick(choices);
	}

	next(): string {
		return `${this.pick(words)} ${++counter}`;
	}

	tags(): string[] {
		return this.chance(0.7) ? [] : [...this.pick(tagPools)];
	}

	identityAttribute(owner: string): JsonObject {
		if (this.chance(0.6)) return this.textAttribute(owner);
		const attribute = this.plainIdentityAttribute(owner);
		const value = attribute['value'] as JsonObject;
		const isAddress = value['@type'] === 'StreetAddress';
		return { ...attribute, value: isAddress ? { ...value, recipient: this.next() } : value };
	}

	textAttribute(owner: string): JsonObject {
		const tags = this.tags();
		return {
			'@type': 'IdentityAttribute',
			owner,
			value: { '@type': this.pick(simple), value: this.next() },
			...(tags.length === 0 ? {} : { tags }),
		};
	}

	/** One with a text that every wallet takes. */
	plainIdentityAttribute(owner: string): JsonObject {
		const street = {
			...{ recipient: `text ${++counter}`, street: 'Weg', houseNo: '1', zipCode: '1' },
			...{ city: 'Ort', country: 'DE' },
		};
		const choice = this.dice.next();
		const [type, members] =
			choice < 0.6
				? [this.pick(simple), { value: `text ${++counter}` }]
				: choice < 0.9
					? this.pick(fixed)
					: ['StreetAddress', street];
		return { '@type': 'IdentityAttribute', owner, value: { '@type': type, ...members } };
	}

	relationshipAttribute(owner: string): JsonObject {
		const type = this.pick(proprietary);
		const value =
			type === 'Consent'
				? { consent: this.next() }
				: type === 'ProprietaryLanguage'
					? { title: this.next(), value: 'de' }
					: type === 'ProprietaryJSON'
						? { title: 'T', value: this.chance(0.5) ? this.next() : { nested: this.next() } }
						: { title: this.next(), description: this.next(), value: this.next() };
		return {
			'@type': 'RelationshipAttribute',
			owner,
			key: `key ${++counter} ${this.pick(words)}`,
			confidentiality: 'public',
			isTechnical: false,
			value: { '@type': type, ...value },
		};
	}
}
