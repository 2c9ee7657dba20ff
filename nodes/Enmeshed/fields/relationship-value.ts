import type { RelationshipAttributeValueInput } from '../../../core';
import type { z } from 'zod';
import { defined, judgedByCore } from '../helpers/members';
import type { FieldSchemas, Zod } from './parse-parameters';

/** Values that a person entered into the fields of `descriptions/relationship-value`. */
export interface EnteredRelationshipAttribute {
	readonly key: string;
	readonly attributeTitle?: string | undefined;
	readonly attributeDescription?: string | undefined;
	/** absent where the kind of entry decides */
	readonly owner?: 'me' | 'peer' | undefined;
	readonly confidentiality: string;
	readonly relationshipValueType: string;
}

export interface EnteredRelationshipValue extends EnteredRelationshipAttribute {
	readonly isTechnical?: boolean;
	readonly value?: string | undefined;
	readonly numberValue?: unknown;
	readonly booleanValue?: unknown;
	readonly jsonValue?: unknown;
	readonly country?: string | undefined;
	readonly language?: string | undefined;
	readonly fileReference?: string | undefined;
	readonly consent?: string | undefined;
	readonly link?: string | undefined;
	readonly linkDisplayText?: string | undefined;
}

export function relationshipAttributeShape(z: Zod, { text, optionalText }: FieldSchemas) {
	return {
		key: text,
		attributeTitle: optionalText,
		owner: z.enum(['me', 'peer']).optional(),
		confidentiality: text.default('private'),
		relationshipValueType: text.default('ProprietaryString'),
	};
}

export function relationshipValueShape(z: Zod, fields: FieldSchemas) {
	const { optionalText, json, number } = fields;
	return {
		...relationshipAttributeShape(z, fields),
		value: optionalText,
		numberValue: number.optional(),
		booleanValue: z.boolean('Expected true or false').optional(),
		jsonValue: json.optional() as z.ZodType<unknown>,
		country: optionalText,
		language: optionalText,
		fileReference: optionalText,
		consent: optionalText,
		link: optionalText,
		linkDisplayText: optionalText,
	};
}

/** Reports an issue if the field that the type needs is empty. */
export function requireRelationshipValue(
	entered: EnteredRelationshipValue,
	context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
	const needed = neededField(entered.relationshipValueType);
	if (needed === undefined || entered[needed] !== undefined) return;
	context.addIssue({ code: 'custom', path: [needed], message: 'It is empty' });
}

function neededField(
	type: string,
): 'value' | 'country' | 'fileReference' | 'language' | 'consent' | undefined {
	switch (type) {
		case 'Consent':
			return 'consent';
		case 'ProprietaryCountry':
			return 'country';
		case 'ProprietaryFileReference':
			return 'fileReference';
		case 'ProprietaryLanguage':
			return 'language';
		case 'ProprietaryBoolean':
		case 'ProprietaryFloat':
		case 'ProprietaryInteger':
		case 'ProprietaryJSON':
			return undefined;
		default:
			return 'value';
	}
}

/** Builds the content of a relationship attribute; the core validates the value. */
export function relationshipValueOf(
	entered: EnteredRelationshipValue,
): RelationshipAttributeValueInput {
	// The type decides which fields a person saw.
	return judgedByCore(membersOf(entered));
}

function membersOf(entered: EnteredRelationshipValue): object {
	const { relationshipValueType: type, attributeTitle, attributeDescription } = entered;
	if (type === 'Consent') {
		const { consent, link, linkDisplayText } = entered;
		return { '@type': type, ...defined({ consent, link, linkDisplayText }) };
	}
	return {
		'@type': type,
		...defined({ title: attributeTitle, description: attributeDescription }),
		value: valueOf(entered),
	};
}

function valueOf(entered: EnteredRelationshipValue): unknown {
	switch (entered.relationshipValueType) {
		case 'ProprietaryBoolean':
			return entered.booleanValue ?? false;
		case 'ProprietaryFloat':
		case 'ProprietaryInteger':
			return entered.numberValue ?? 0;
		case 'ProprietaryJSON':
			return entered.jsonValue ?? {};
		case 'ProprietaryCountry':
			return entered.country;
		case 'ProprietaryFileReference':
			return entered.fileReference;
		case 'ProprietaryLanguage':
			return entered.language;
		default:
			return entered.value;
	}
}
