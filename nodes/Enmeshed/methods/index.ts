import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';
import { loadImplementation } from '../gateway/implementation';

const searches = [
	'searchActivePeers',
	'searchAllAttributes',
	'searchAttributes',
	'searchContacts',
	'searchCountries',
	'searchFileReferences',
	'searchFiles',
	'searchIncomingRequests',
	'searchLanguages',
	'searchMessages',
	'searchOutgoingRequests',
	'searchOwnAttributes',
	'searchPeers',
	'searchProblems',
	'searchPurposes',
	'searchRelationships',
	'searchSharedAttributes',
	'searchTemplates',
] as const;

const optionLoaders = ['loadActivePeers', 'loadRequestEntries'] as const;

type Methods = Required<
	Pick<
		NonNullable<INodeType['methods']>,
		'credentialTest' | 'listSearch' | 'loadOptions' | 'resourceMapping'
	>
>;

/**
 * Methods of all nodes, because n8n looks a credential test up in the first node that uses the
 * credential. The first call loads the implementation.
 */
export const methods: Methods = {
	credentialTest: {
		async enmeshedBackboneApiTest(credential) {
			const { enmeshedBackboneApiTest } = await loadImplementation();
			return await enmeshedBackboneApiTest.call(this, credential);
		},
	},
	listSearch: Object.fromEntries(searches.map((name) => [name, search(name)])),
	loadOptions: Object.fromEntries(optionLoaders.map((name) => [name, loader(name)])),
	resourceMapping: {
		async mapAnswers() {
			const { mapAnswers } = await loadImplementation();
			return await mapAnswers.call(this);
		},
	},
};

function search(name: (typeof searches)[number]): Methods['listSearch'][string] {
	return async function (this: ILoadOptionsFunctions, filter, paginationToken) {
		const { lists } = await loadImplementation();
		return await lists[name].call(this, filter, paginationToken);
	};
}

function loader(name: (typeof optionLoaders)[number]): Methods['loadOptions'][string] {
	return async function (this: ILoadOptionsFunctions) {
		const { options } = await loadImplementation();
		return await options[name].call(this);
	};
}
