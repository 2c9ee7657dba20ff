import { judged, type Gateway } from '../../../core';
import type { ShownForm } from '../shown/inputs';
import type { ShownAnswer } from '../shown/request';
import { objectOf, textOf, type Entry, type JsonObject } from './request-entries';
import { valueForm } from './value-inputs';
import { attributeText } from './value-texts';

/** Bounds the list of stored values that the page offers. */
const mostStored = 20;
const mostForms = 5;

type AttributeAnswer = Extract<ShownAnswer, { kind: 'attribute' }>;

/** Ways to answer an item with a query: values that the person has, and forms for a new one. */
export async function attributeAnswer(gateway: Gateway, item: Entry): Promise<AttributeAnswer> {
	const query = objectOf(item['query']);
	const proposed = objectOf(objectOf(item['attribute'])['value']);
	const stored = await storedFor(gateway, query);
	const choices = stored.map(({ id, content }) => ({ id, text: attributeText(content).text }));
	return {
		kind: 'attribute',
		stored: choices.slice(-mostStored).reverse(),
		forms: formsFor(query, proposed),
		isProposed: proposed['@type'] !== undefined,
	};
}

async function storedFor(
	{ attributes }: Gateway,
	query: JsonObject,
): ReturnType<Gateway['attributes']['list']> {
	const found = await (() => {
		switch (query['@type']) {
			case 'IdentityAttributeQuery':
				return attributes.executeIdentityAttributeQuery(judged({ query }));
			case 'IQLQuery':
				return attributes.executeIqlQuery(judged({ query }));
			case 'ThirdPartyRelationshipAttributeQuery':
				return attributes.executeThirdPartyRelationshipAttributeQuery(judged({ query }));
			default:
				return Promise.resolve([]);
		}
	})();
	return found.filter(({ succeededBy }) => succeededBy === undefined);
}

function formsFor(query: JsonObject, proposed: JsonObject): ShownForm[] {
	const hints = objectOf(query['attributeCreationHints']);
	const valueHints = objectOf(hints['valueHints']);
	const label = textOf(hints['title']);
	const forms = typesFor(query).map((type) =>
		valueForm(type, {
			hints: valueHints,
			...(label === undefined ? {} : { label }),
			...(proposed['@type'] === type ? { value: proposed } : {}),
		}),
	);
	return forms.filter((form) => form !== undefined);
}

/** Types of a new value that can answer the query. */
export function typesFor(query: JsonObject): string[] {
	const hinted = textOf(objectOf(query['attributeCreationHints'])['valueType']);
	switch (query['@type']) {
		case 'IdentityAttributeQuery':
			return [String(query['valueType'])];
		case 'RelationshipAttributeQuery':
			return hinted === undefined ? [] : [hinted];
		case 'IQLQuery':
			return hinted === undefined ? typesIn(String(query['queryString'])) : [hinted];
		default:
			return [];
	}
}

/** Types that an expression names; texts in it are left out. */
function typesIn(expression: string): string[] {
	const names = expression.replaceAll(/'(?:\\.|[^'\\])*'/g, '').match(/\b[A-Z][A-Za-z0-9]*\b/g);
	const types = [...new Set(names ?? [])].filter((name) => valueForm(name) !== undefined);
	return types.slice(0, mostForms);
}
