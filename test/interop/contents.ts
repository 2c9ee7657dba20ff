import type { IdentityAttributeQueryInput, Json, RequestItemInput } from '../../core';

/** A request item that asks for an attribute of the own identity. */
export const ask = (
	valueType: IdentityAttributeQueryInput['valueType'],
	mustBeAccepted = true,
) => ({
	'@type': 'ReadAttributeRequestItem' as const,
	mustBeAccepted,
	query: { '@type': 'IdentityAttributeQuery' as const, valueType },
});

export const identityAttribute = (owner: string, type: string, value: string) => ({
	'@type': 'IdentityAttribute',
	owner,
	value: { '@type': type, value },
});

/** Accepts an item that asks, with an attribute made for it. */
export const give = (owner: string, type: string, value: string) => ({
	accept: true,
	newAttribute: identityAttribute(owner, type, value),
});

export const onboarding = (...items: readonly RequestItemInput[]) => ({
	'@type': 'RelationshipTemplateContent' as const,
	title: 'Onboarding',
	onNewRelationship: { items },
});

export const arbitraryTemplate = (value: Json) => ({
	'@type': 'ArbitraryRelationshipTemplateContent' as const,
	value,
});

export const arbitraryCreation = (value: Json) => ({
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value,
});

/** The text form of a reference, as templates of the official runtime carry it. */
export const referenceOf = (template: Record<string, unknown>) =>
	template['reference'] as { readonly truncated: string; readonly url: string };
