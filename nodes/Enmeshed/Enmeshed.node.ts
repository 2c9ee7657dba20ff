import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { accountDescription } from './actions/account/Account.resource';
import { attributeDescription } from './actions/attribute/Attribute.resource';
import { fileDescription } from './actions/file/File.resource';
import { incomingRequestDescription } from './actions/incomingRequest/IncomingRequest.resource';
import { messageDescription } from './actions/message/Message.resource';
import { outgoingRequestDescription } from './actions/outgoingRequest/OutgoingRequest.resource';
import { relationshipDescription } from './actions/relationship/Relationship.resource';
import { relationshipTemplateDescription } from './actions/relationshipTemplate/RelationshipTemplate.resource';
import { tokenDescription } from './actions/token/Token.resource';
import { router } from './actions/router';
import { methods } from './methods';

/** The actions: one step of a workflow that uses the gateway. */
export class Enmeshed implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Enmeshed',
		name: 'enmeshed',
		icon: { light: 'file:../../icons/enmeshed.svg', dark: 'file:../../icons/enmeshed.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ($parameter["operation"].replace("getAll", "getMany") + ": " + $parameter["resource"]).replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: "Connect with people's enmeshed wallets and exchange attributes and messages",
		defaults: { name: 'Enmeshed' },
		// Names of attributes and templates are long, and so are the forms.
		parameterPane: 'wide',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'Attribute', value: 'attribute' },
					{ name: 'File', value: 'file' },
					{ name: 'Message', value: 'message' },
					{ name: 'Relationship', value: 'relationship' },
					{ name: 'Relationship Template', value: 'relationshipTemplate' },
					{ name: 'Request (Incoming)', value: 'incomingRequest' },
					{ name: 'Request (Outgoing)', value: 'outgoingRequest' },
					{ name: 'Token', value: 'token' },
				],
				default: 'relationshipTemplate',
			},
			...accountDescription,
			...attributeDescription,
			...fileDescription,
			...incomingRequestDescription,
			...messageDescription,
			...outgoingRequestDescription,
			...relationshipDescription,
			...relationshipTemplateDescription,
			...tokenDescription,
		],
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await router.call(this);
	}
}
