import type { INodeProperties } from 'n8n-workflow';
import type { GatewayFacade } from '../../../../core';
import { attributeTypes } from '../../descriptions/attribute-types';
import { attributeLocator } from '../../descriptions/locators';

const mustBeAccepted: INodeProperties = {
	displayName: 'Must Be Accepted',
	name: 'mustBeAccepted',
	type: 'boolean',
	default: true,
	description: 'Whether the peer can only connect if it agrees to this entry',
};

const group: INodeProperties = {
	displayName: 'Group Title',
	name: 'group',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contact details',
	description: 'Entries with the same group title are shown together',
};

/* Titles of the entries in the editor: names as the lists show them, not their values. */
const typeName =
	'={{ $collection.item.properties.find(p => p.name === "valueType").options.find(o => o.value === $collection.item.value.valueType).name }}';
const pickedName = '={{ $collection.item.value.attribute?.cachedResultName ?? "Attribute" }}';

/** What the peer is asked for. */
export const askFor: INodeProperties = {
	displayName: 'Ask For',
	name: 'askFor',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		multipleValueButtonText: 'Ask for Attribute',
		fixedCollection: { itemTitle: typeName },
	},
	default: {},
	placeholder: 'Ask for Attribute',
	description: 'What the peer should share when it connects',
	options: [
		{
			displayName: 'Attribute',
			name: 'items',
			values: [
				{
					displayName: 'Type',
					name: 'valueType',
					type: 'options',
					options: attributeTypes,
					default: 'GivenName',
				},
				mustBeAccepted,
				group,
			],
		},
	],
};

/** What we offer about ourselves. */
export const share: INodeProperties = {
	displayName: 'Share',
	name: 'share',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		multipleValueButtonText: 'Share Attribute',
		fixedCollection: { itemTitle: pickedName },
	},
	default: {},
	placeholder: 'Share Attribute',
	description: 'What you tell the peer about yourself when it connects',
	options: [
		{
			displayName: 'Attribute',
			name: 'items',
			values: [
				{ ...attributeLocator(), description: 'One of your own attributes' },
				mustBeAccepted,
				group,
			],
		},
	],
};

export interface AskForEntry {
	readonly valueType: string;
	readonly mustBeAccepted: boolean;
	readonly group?: string | undefined;
}

export interface ShareEntry {
	readonly attribute: string;
	readonly mustBeAccepted: boolean;
	readonly group?: string | undefined;
}

interface GroupedItem {
	readonly group: string | undefined;
	readonly item: object;
}

/**
 * The items of a request as the form describes them: first what we share, so that the peer reads who
 * is asking, then what we ask for. Groups stand where their first entry stands.
 */
export async function buildRequestItems(
	form: { readonly askFor: readonly AskForEntry[]; readonly share: readonly ShareEntry[] },
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal | undefined },
): Promise<object[]> {
	const items: GroupedItem[] = [];
	for (const entry of form.share) {
		const { content } = await gateway.attributes.get(entry.attribute, options);
		items.push({
			group: entry.group,
			item: {
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: entry.mustBeAccepted,
				attribute: content,
				sourceAttributeId: entry.attribute,
			},
		});
	}
	for (const entry of form.askFor) {
		items.push({
			group: entry.group,
			item: {
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: entry.mustBeAccepted,
				query: { '@type': 'IdentityAttributeQuery', valueType: entry.valueType },
			},
		});
	}
	return gather(items);
}

function gather(items: readonly GroupedItem[]): object[] {
	const gathered: object[] = [];
	const groups = new Map<string, object[]>();
	for (const { group: title, item } of items) {
		if (title === undefined) {
			gathered.push(item);
			continue;
		}
		const members = groups.get(title);
		if (members !== undefined) {
			members.push(item);
			continue;
		}
		const first = [item];
		groups.set(title, first);
		gathered.push({ '@type': 'RequestItemGroup', title, items: first });
	}
	return gathered;
}
