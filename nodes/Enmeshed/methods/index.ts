import type { INodeType } from 'n8n-workflow';
import { enmeshedBackboneApiTest } from './credential-test';
import {
	searchActivePeers,
	searchAllAttributes,
	searchAttributes,
	searchCountries,
	searchDrafts,
	searchFiles,
	searchIncomingRequests,
	searchLanguages,
	searchMessages,
	searchOutgoingRequests,
	searchPeers,
	searchPeerTemplates,
	searchRelationships,
	searchSharedAttributes,
	searchTemplates,
	searchTokens,
} from './list-search';
import { mapAnswers } from './resource-mapping';

/** Of both nodes: n8n looks a credential test up in the first node that uses the credential. */
export const methods: NonNullable<INodeType['methods']> = {
	credentialTest: { enmeshedBackboneApiTest },
	listSearch: {
		searchActivePeers,
		searchAllAttributes,
		searchAttributes,
		searchCountries,
		searchDrafts,
		searchFiles,
		searchIncomingRequests,
		searchLanguages,
		searchMessages,
		searchOutgoingRequests,
		searchPeers,
		searchPeerTemplates,
		searchRelationships,
		searchSharedAttributes,
		searchTemplates,
		searchTokens,
	},
	resourceMapping: { mapAnswers },
};
