import type { INodeProperties } from 'n8n-workflow';
import type { IdentityMetadataPlaceInput, UpsertIdentityMetadataInput } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseJson, parseParameters } from '../../fields/parse-parameters';
import { loadCore } from '../../gateway/core';
import { toRecord } from '../../output/to-items';

const handling: INodeProperties = {
	displayName: 'What to Do',
	name: 'handling',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Delete', value: 'delete', description: 'Forget the stored value' },
		{ name: 'Get', value: 'get', description: 'Read the stored value' },
		{ name: 'Set', value: 'set', description: 'Store a value, or replace the stored one' },
	],
	default: 'get',
};

const placeFields: INodeProperties[] = [
	{
		...peerLocator('searchContacts'),
		displayName: 'Person',
		// As the gateway calls it, so that its errors name this field.
		name: 'reference',
		description:
			'The person whom the value is about. Empty for a value about this account. The person does not see it.',
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. customerState',
		description: 'Name of the value, if you store several. Without it there is one value.',
	},
];

const valueField: INodeProperties = {
	displayName: 'Value',
	name: 'storedValue',
	type: 'json',
	displayOptions: { show: { handling: ['set'] } },
	default: '{}',
	required: true,
	description: 'Any JSON value except null, or a plain text',
};

const placeSchema = parameterSchema((z, { optionalText }) =>
	z.object({
		handling: z.enum(['delete', 'get', 'set']),
		reference: optionalText,
		key: optionalText,
	}),
);

const valueSchema = parameterSchema((z, { json }) =>
	z.object({
		storedValue: z
			.unknown()
			.refine((value) => value !== undefined && value !== null && value !== '', 'It is empty')
			.refine(
				(value) => parseJson(value) !== null,
				'Null cannot be stored; delete the value instead',
			)
			.refine((value) => !isBrokenJson(value), 'Expected JSON, for example { "a": 1 }')
			.pipe(json),
	}),
);

/** True for text that begins as JSON does and is not JSON, most likely for a typing error. */
function isBrokenJson(value: unknown): boolean {
	return typeof value === 'string' && /^\s*[[{"]/.test(value) && parseJson(value) === value;
}

export const identityMetadata: Operation = {
	properties: forOperation('account', 'identityMetadata', [handling, ...placeFields, valueField]),
	output: 'identityMetadata',

	async execute(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, [handling, ...placeFields], placeSchema);
		const { address } = await gateway.account.getIdentity({ signal });
		const reference = entered.reference ?? address;
		const place = { reference, ...defined({ key: entered.key }) };
		const found = await handle[entered.handling](call, place);
		const about = reference === address ? {} : { peer: reference };
		return [toRecord({ ...about, ...defined({ key: entered.key }), ...found })];
	},
};

type Handle = (
	call: OperationCall,
	place: IdentityMetadataPlaceInput,
) => Promise<{ readonly value: unknown } | { readonly deleted: true }>;

const handle: Readonly<Record<'delete' | 'get' | 'set', Handle>> = {
	async delete({ gateway, signal }, place) {
		await gateway.identityMetadata.delete(place, { signal });
		return { deleted: true };
	},
	async get({ gateway, signal }, place) {
		const { value } = await gateway.identityMetadata.get(place, { signal });
		return { value };
	},
	async set(call, place) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, [valueField], valueSchema);
		const { judged } = await loadCore();
		const input = judged<UpsertIdentityMetadataInput>({ ...place, value: entered.storedValue });
		const { value } = await gateway.identityMetadata.upsert(input, { signal });
		return { value };
	},
};
