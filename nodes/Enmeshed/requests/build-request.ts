import type { INodeProperties } from 'n8n-workflow';
import type {
	JsonObject,
	RequestContentInput,
	RequestItemGroupInput,
	RequestItemInput,
} from '../../../core';
import { loadCore } from '../gateway/core';
import { attributeTypeLabel } from '../descriptions/attribute-types';
import { readOptionalInstant } from '../fields/expiry';
import { defined } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import {
	checkParameters,
	expectedEntries,
	parameterSchema,
	parseParameters,
	type FormEntry,
	type ParameterSchema,
} from '../fields/parse-parameters';
import { typeOfForm } from './build-query';
import { itemBuilders, type ItemBuilder } from './item-builders';
import { itemFields } from './item-fields';
import { itemKinds } from './item-kinds';
import { attributeTypesOf } from './attribute-type-names';
import { rememberEntries, type RequestEntries } from './request-entries';
import { entryFields, everyType, requestFields, requestOptionsField } from './request-fields';

const kinds = itemKinds.map(({ value }) => value);

const modeSchema = parameterSchema((z) => z.object({ contentMode: z.enum(['fields', 'json']) }));

const jsonSchema = parameterSchema((z, { jsonObject }) => z.object({ content: jsonObject }));

const formSchema = parameterSchema((z, { text, optionalText, jsonObject, textList }) => {
	const described = { description: optionalText, metadata: jsonObject.optional() };
	return z.object({
		askForTypes: textList,
		requiredTypes: textList,
		requestItems: z
			.object(
				{
					items: z
						.array(z.record(z.string(), z.unknown()), expectedEntries('items'))
						.max(1_000, 'At most 1000 entries')
						.default([]),
				},
				expectedEntries('items'),
			)
			.strict(),
		options: z.object({
			...described,
			expiresAt: z.unknown().optional(),
			title: optionalText,
			groups: z
				.object(
					{ groups: z.array(z.object({ title: text, ...described })).default([]) },
					expectedEntries('groups'),
				)
				.strict()
				.default({ groups: [] }),
		}),
	});
});

/** Members that entries of every kind have. */
const entrySchema = parameterSchema((z, { optionalText, jsonObject }) =>
	z.object({
		kind: z.enum(kinds).default('askForConsent'),
		mustBeAccepted: z.boolean().default(true),
		group: optionalText,
		itemOptions: z
			.object({
				description: optionalText,
				metadata: jsonObject.optional(),
				requireManualDecision: z.boolean().optional(),
				title: optionalText,
			})
			.default({ description: undefined, title: undefined }),
	}),
);

interface Group {
	readonly title: string;
	readonly description?: string | undefined;
	readonly metadata?: JsonObject | undefined;
}

interface GroupedItem {
	/** entry of the form, for messages */
	readonly entry: string;
	readonly group: string | undefined;
	readonly item: RequestItemInput;
}

/**
 * Reads a request from an operation with the fields of `requestFields`, from its form or its JSON.
 */
export async function readRequest(call: OperationCall): Promise<RequestContentInput> {
	const only = (name: string) => requestFields.filter((field) => field.name === name);
	const { contentMode } = await parseParameters(call, only('contentMode'), modeSchema);
	if (contentMode === 'fields') return await buildRequest(call);
	const { judged } = await loadCore();
	return judged((await parseParameters(call, only('content'), jsonSchema)).content);
}

/**
 * Builds the request from the form: what is asked for first, then entry by entry in their order. A
 * group has the position of its first entry. The core validates the request.
 *
 * @throws NodeOperationError for missing values
 */
export async function buildRequest(call: OperationCall): Promise<RequestContentInput> {
	const form = await parseParameters(call, [...entryFields, requestOptionsField], formSchema);
	const { groups, expiresAt: entered, ...described } = form.options;
	const items = await buildQueries(call, form.askForTypes, form.requiredTypes);
	for (const [index, entry] of form.requestItems.items.entries()) {
		const where = { label: `entry ${index + 1}`, path: ['requestItems', 'items', index] };
		items.push(...(await buildItems(call, entry, where)));
	}
	if (items.length === 0) {
		throw parameterError(call.functions.getNode(), 'The request is empty', {
			description: "Choose something under 'Ask For', or add an entry under 'Entries'",
			itemIndex: call.itemIndex,
		});
	}
	const expiresAt = await readOptionalInstant(call, entered, 'Request Expires At');
	const gathered = gather(items, groups.groups);
	rememberEntries(call, gathered.entries);
	return {
		'@type': 'Request',
		...defined({ ...described, expiresAt }),
		items: gathered.items,
	};
}

/** Builds an item for each type under 'Ask For'. */
async function buildQueries(
	call: OperationCall,
	askFor: readonly string[],
	required: readonly string[],
): Promise<GroupedItem[]> {
	const asked = await attributeTypesOf(askFor);
	const isEvery = required.includes(everyType);
	const needed = await attributeTypesOf(required.filter((name) => name !== everyType));
	const surplus = needed.find((type) => !asked.includes(type));
	if (surplus !== undefined && asked.length > 0) {
		const description = `'${attributeTypeLabel(surplus)}' is not chosen under 'Ask For'`;
		throw parameterError(call.functions.getNode(), "The field 'Required' is not valid", {
			description,
			itemIndex: call.itemIndex,
		});
	}
	return asked.map((valueType): GroupedItem => ({
		entry: "'Ask For'",
		group: undefined,
		item: {
			'@type': 'ReadAttributeRequestItem',
			query: { '@type': 'IdentityAttributeQuery', valueType: typeOfForm(valueType) },
			mustBeAccepted: isEvery || needed.includes(valueType),
		},
	}));
}

async function buildItems(
	call: OperationCall,
	entered: Record<string, unknown>,
	where: FormEntry,
): Promise<GroupedItem[]> {
	const { functions, itemIndex } = call;
	const shown = fieldsOfKind(entered['kind'] ?? 'askFor');
	const check = <Entry>(expected: ParameterSchema<Entry>): Promise<Entry> =>
		checkParameters(functions, entered, shown, expected, itemIndex, where);
	const { kind, group, mustBeAccepted, itemOptions } = await check(entrySchema);
	const builder: ItemBuilder<unknown> = itemBuilders[kind];
	const readInstant = (date: unknown, field: string) => readOptionalInstant(call, date, field);
	const own = await builder.build(await check(builder.entry), {
		call,
		readInstant,
		where: where.label,
	});
	return [own].flat().map((item) => ({
		entry: where.label,
		group,
		item: { ...defined({ ...itemOptions }), ...item, mustBeAccepted },
	}));
}

/** Fields that the editor shows for a kind, for the label of a field that is not valid. */
function fieldsOfKind(kind: unknown): INodeProperties[] {
	return itemFields.filter(({ displayOptions }) => {
		const kinds: readonly unknown[] = displayOptions?.show?.['kind'] ?? [kind];
		return kinds.includes(kind);
	});
}

type Entry = RequestItemInput | RequestItemGroupInput;

/** Puts the items of a group together, and says which entry each item came from. */
function gather(
	items: readonly GroupedItem[],
	groups: readonly Group[],
): { items: Entry[]; entries: RequestEntries } {
	const gathered: Entry[] = [];
	const entries = new Map<string, string>();
	const membersOf = new Map<string, { path: string; items: RequestItemInput[] }>();
	for (const { entry, group: title, item } of items) {
		const path = `items.${gathered.length}`;
		if (title === undefined) {
			entries.set(path, entry);
			gathered.push(item);
			continue;
		}
		const members = membersOf.get(title) ?? { path, items: [] };
		entries.set(`${members.path}.items.${members.items.length}`, entry);
		members.items.push(item);
		if (membersOf.has(title)) continue;
		membersOf.set(title, members);
		const details = groups.find((group) => group.title === title) ?? {};
		const { items: inner } = members;
		gathered.push({ '@type': 'RequestItemGroup', ...defined({ ...details }), title, items: inner });
	}
	return { items: gathered, entries };
}
