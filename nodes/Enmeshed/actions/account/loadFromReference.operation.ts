import type { INodeProperties } from 'n8n-workflow';
import type { CreationContentInput, LoadedItemDto, TemplateDto } from '../../../../core';
import { forOperation, referenceField, simplify } from '../../descriptions/common';
import { openingPassword } from '../../descriptions/protection';
import { loadCore } from '../../gateway/core';
import { PeerProfiles } from '../../gateway/peers';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import {
	describeTemplate,
	simplifyFile,
	simplifyRelationship,
	simplifyTemplate,
	simplifyToken,
} from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	referenceField,
	openingPassword,
	{
		displayName: 'Connect',
		name: 'connect',
		type: 'boolean',
		default: false,
		description:
			'Whether to ask the peer to connect if this is a relationship template without a request. A request in a template arrives as an incoming request, and accepting it asks to connect.',
	},
	{
		displayName: 'Creation Content',
		name: 'creationContent',
		type: 'json',
		displayOptions: { show: { connect: [true] } },
		default: '{\n  "@type": "ArbitraryRelationshipCreationContent",\n  "value": {}\n}',
		required: true,
		description: 'Content that the peer receives with the new relationship',
	},
	simplify,
];

const inputSchema = parameterSchema((z, { text, optionalText, jsonObject }) =>
	z.object({
		reference: text,
		password: optionalText,
		connect: z.boolean(),
		creationContent: jsonObject,
		simplify: z.boolean(),
	}),
);

export const loadFromReference: Operation = {
	properties: forOperation('account', 'loadFromReference', fields),
	output: 'loaded',

	async execute(call) {
		const { gateway, signal } = call;
		const { connect, creationContent, ...entered } = await parseParameters(
			call,
			fields,
			inputSchema,
		);
		const { reference, password } = entered;
		const input = { reference, ...defined({ password }) };
		const loaded = await gateway.account.loadItemFromReference(input, { signal });
		const described = describeLoaded(loaded, entered.simplify);
		if (!connect || loaded.type !== 'RelationshipTemplate') return [toRecord(described)];
		const { judged } = await loadCore();
		const content = judged<CreationContentInput>(creationContent);
		const relationship = await connectWith(call, loaded.value, content);
		return [toRecord({ ...described, relationship })];
	},
};

/** Without the keys of a new device, with which every reader of the execution could act. */
function describeLoaded({ type, value }: LoadedItemDto, isSimple: boolean): object {
	const named = { type, id: value.id };
	switch (type) {
		case 'RelationshipTemplate':
			return { ...named, template: isSimple ? simplifyTemplate(value) : describeTemplate(value) };
		case 'File':
			return { ...named, file: isSimple ? simplifyFile(value) : value };
		case 'Token':
			return { ...named, token: isSimple ? simplifyToken(value) : value };
		case 'DeviceOnboardingInfo':
			return named;
	}
}

async function connectWith(
	{ gateway, signal }: OperationCall,
	{ id: templateId }: TemplateDto,
	creationContent: CreationContentInput,
): Promise<object> {
	const input = { templateId, creationContent };
	const relationship = await gateway.relationships.create(input, { signal });
	return await simplifyRelationship(relationship, new PeerProfiles(gateway, { signal }));
}
