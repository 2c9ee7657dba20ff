import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { actionProperties } from './actions/properties';
import { loadImplementation } from './helpers/implementation';
import { methods } from './methods';

/** Action node: one step of a workflow that uses the gateway. */
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
		// Leaves room for long names of attributes and templates and for long forms.
		parameterPane: 'wide',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		],
		properties: actionProperties(),
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { router } = await loadImplementation();
		return await router.call(this);
	}
}
