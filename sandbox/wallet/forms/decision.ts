import type { DecideRequestInput, ItemDecisionInput } from '../../../core';
import type { FormValues } from '../shown/inputs';
import type { ItemAnswer, ItemAnswers } from '../shown/request';
import { formFieldResponse } from './form-field-input';
import { valueOf, type Json, type StoreFile } from './form-values';
import { isGroup, objectOf, textOf, type Entry, type JsonObject } from './request-entries';

export interface DecisionDependencies {
	readonly ownAddress: string;
	readonly storeFile: StoreFile;
}

type Decisions = DecideRequestInput['items'];
type Members = Record<string, Json | object>;

/** Answers of the person as the parameters of a decision (docs/protocol/consumption.md 5.4). */
export async function decisionItems(
	entries: readonly Entry[],
	answers: ItemAnswers,
	deps: DecisionDependencies,
): Promise<Decisions> {
	const decide = (item: Entry, path: string) => decisionItem(item, answers[path], deps);
	const decisions: Array<Decisions[number]> = [];
	for (const [index, entry] of entries.entries()) {
		if (!isGroup(entry)) {
			decisions.push(await decide(entry, String(index)));
			continue;
		}
		const items: ItemDecisionInput[] = [];
		for (const [inner, item] of (entry.items ?? []).entries()) {
			items.push(await decide(item, `${index}.${inner}`));
		}
		decisions.push({ items });
	}
	return decisions;
}

/** Declines all items. */
export function rejectedItems(entries: readonly Entry[]): Decisions {
	const rejected = { accept: false } as const;
	return entries.map((entry) =>
		isGroup(entry) ? { items: (entry.items ?? []).map(() => rejected) } : rejected,
	);
}

async function decisionItem(
	item: Entry,
	answer: ItemAnswer | undefined,
	deps: DecisionDependencies,
): Promise<ItemDecisionInput> {
	if (answer?.accept !== true) return { accept: false };
	return { ...(await parametersOf(item, answer, deps)), accept: true };
}

async function parametersOf(
	item: Entry,
	{ response = '', attributeId, form }: ItemAnswer,
	deps: DecisionDependencies,
): Promise<Members> {
	const isProposal = item['@type'] === 'ProposeAttributeRequestItem';
	switch (item['@type']) {
		case 'FreeTextRequestItem':
			return { freeText: String(response) };
		case 'FormFieldRequestItem':
			return { response: formFieldResponse(objectOf(item['settings']), response) };
		case 'DeleteAttributeRequestItem':
			// The end of the day, because the date must not have passed.
			return { deletionDate: `${String(response)}T23:59:59.999Z` };
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem': {
			const [existing, fresh] = isProposal
				? ['attributeId', 'attribute']
				: ['existingAttributeId', 'newAttribute'];
			if (attributeId !== undefined) return { [existing]: attributeId };
			if (form === undefined) return {};
			return { [fresh]: await newAttribute(item, form, deps) };
		}
		default:
			return {};
	}
}

async function newAttribute(
	item: Entry,
	{ type, values }: { readonly type: string; readonly values: FormValues },
	{ ownAddress, storeFile }: DecisionDependencies,
): Promise<Members> {
	const query = objectOf(item['query']);
	const value = await valueOf(type, values, storeFile);
	if (query['@type'] === 'RelationshipAttributeQuery') {
		return relationshipAttribute(query, value, ownAddress);
	}
	const tags = (query['tags'] ?? objectOf(query['attributeCreationHints'])['tags']) as
		Json | undefined;
	return {
		...{ '@type': 'IdentityAttribute', owner: ownAddress, value },
		...(tags === undefined ? {} : { tags }),
	};
}

/** Takes over from the query what has to be equal (docs/protocol/content.md 8.6). */
function relationshipAttribute(
	query: JsonObject,
	value: Record<string, Json>,
	ownAddress: string,
): Members {
	const { title, description, confidentiality } = objectOf(query['attributeCreationHints']);
	const isConsent = value['@type'] === 'Consent';
	const described = {
		...value,
		title: String(title),
		...(description === undefined ? {} : { description: description as Json }),
	};
	return {
		'@type': 'RelationshipAttribute',
		owner: textOf(query['owner']) ?? ownAddress,
		key: String(query['key']),
		confidentiality: String(confidentiality),
		isTechnical: false,
		value: isConsent ? value : described,
	};
}
