import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import { PeerProfiles } from '../../gateway/peers';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall, OutputRecord } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const handling: INodeProperties = {
	displayName: 'What to Do',
	name: 'handling',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Create',
			value: 'create',
			description: 'Sign a text by which a peer can check, for ten minutes, who you are',
		},
		{
			name: 'Validate',
			value: 'validate',
			description: 'Check the challenge of a peer, and find out who has signed it',
		},
	],
	default: 'create',
};

const typeField: INodeProperties = {
	displayName: 'Type',
	name: 'challengeType',
	type: 'options',
	displayOptions: { show: { handling: ['create'] } },
	options: [
		{
			name: 'Device',
			value: 'Device',
			description: 'Signed by this device; peers cannot check it',
		},
		{ name: 'Identity', value: 'Identity', description: 'Every connected peer can check it' },
		{
			name: 'Relationship',
			value: 'Relationship',
			description: 'Only the peer of one relationship can check it',
		},
	],
	default: 'Identity',
};

const relationshipField: INodeProperties = {
	...relationshipLocator(),
	displayOptions: { show: { handling: ['create'], challengeType: ['Relationship'] } },
};

const signedFields: INodeProperties[] = [
	{
		displayName: 'Challenge',
		name: 'challengeString',
		type: 'string',
		displayOptions: { show: { handling: ['validate'] } },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.challengeString }}',
		description: 'The text that the peer has signed, without any change',
	},
	{
		displayName: 'Signature',
		name: 'signature',
		type: 'string',
		displayOptions: { show: { handling: ['validate'] } },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.signature }}',
	},
];

const handlingSchema = parameterSchema((z) =>
	z.object({ handling: z.enum(['create', 'validate']) }),
);

const typeSchema = parameterSchema((z) =>
	z.object({ challengeType: z.enum(['Device', 'Identity', 'Relationship']) }),
);

const relationshipSchema = parameterSchema((z, { locator }) => z.object({ relationship: locator }));

const signedSchema = parameterSchema((z, { exactText, text }) =>
	z.object({ challengeString: exactText, signature: text }),
);

export const challenge: Operation = {
	properties: forOperation('account', 'challenge', [
		handling,
		typeField,
		relationshipField,
		...signedFields,
	]),
	output: 'challenge',

	async execute(call) {
		const chosen = await parseParameters(call, [handling], handlingSchema);
		return [await handle[chosen.handling](call)];
	},
};

type Handle = (call: OperationCall) => Promise<OutputRecord>;

const handle: Readonly<Record<'create' | 'validate', Handle>> = {
	async create(call) {
		const { gateway, signal } = call;
		const { challengeType } = await parseParameters(call, [typeField], typeSchema);
		if (challengeType !== 'Relationship') {
			return toRecord(await gateway.challenges.create({ challengeType }, { signal }));
		}
		const { relationship } = await parseParameters(call, [relationshipField], relationshipSchema);
		const input = { challengeType, relationship };
		return toRecord(await gateway.challenges.create(input, { signal }));
	},
	async validate(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, signedFields, signedSchema);
		const verdict = await gateway.challenges.validate(entered, { signal });
		const { isValid, correspondingRelationship: relationship } = verdict;
		if (relationship === undefined) return toRecord({ isValid });
		const { id, peer } = relationship;
		const { name } = await new PeerProfiles(gateway, { signal }).ofRelationship(id);
		return toRecord({ isValid, peer, ...defined({ peerName: name }), relationshipId: id });
	},
};
