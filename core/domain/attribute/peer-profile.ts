import { ownText, type Json, type JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';

/** Data that a peer has shared about itself. */
export interface PeerProfile {
	/** name as people would use it; undefined if none is known */
	readonly name: string | undefined;
	/** newest shared value per attribute type, or per key of a relationship attribute */
	readonly sharedAttributes: Record<string, Json>;
}

type Content = Pick<AttributeRecord, 'content'>;

/** @param attributes newest first */
export function toProfile(attributes: readonly Content[]): PeerProfile {
	const sharedAttributes = valuesByType(attributes);
	const { displayName, fullName } = namesOf(sharedAttributes);
	return { name: displayName ?? fullName, sharedAttributes };
}

/** Returns the names that a person has shared; the first that exists is the name to show. */
export function namesOf(values: Readonly<Record<string, Json>>): {
	readonly displayName: string | undefined;
	readonly fullName: string | undefined;
} {
	const text = (type: string): string | undefined => ownText(values, type)?.trim() || undefined;
	const parts = [text('GivenName'), text('Surname')].filter((part) => part !== undefined);
	return {
		displayName: text('DisplayName'),
		fullName: parts.length === 0 ? undefined : parts.join(' '),
	};
}

/** @param attributes newest first */
export function valuesByType(attributes: readonly Content[]): Record<string, Json> {
	const values = new Map<string, Json>();
	for (const attribute of attributes) {
		const { type, value } = describeAttribute(attribute);
		if (!values.has(type)) values.set(type, value);
	}
	return Object.fromEntries(values);
}

/**
 * Returns type and value of an attribute: the text of a text value, otherwise the object without
 * its type. Relationship attributes are identified by their key, because several may have one type.
 */
export function describeAttribute({ content }: Content): { type: string; value: Json } {
	const { '@type': valueType, ...members }: { '@type': string } & JsonObject = content.value;
	const { value } = members;
	const isSimple = Object.keys(members).length === 1 && value !== undefined;
	const type = content['@type'] === 'RelationshipAttribute' ? content.key : valueType;
	return { type, value: isSimple ? value : members };
}
