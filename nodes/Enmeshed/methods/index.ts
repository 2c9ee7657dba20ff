import type { INodeType } from 'n8n-workflow';
import { enmeshedBackboneApiTest } from './credential-test';
import {
	searchActivePeers,
	searchAttributes,
	searchFiles,
	searchMessages,
	searchPeers,
	searchPeerTemplates,
	searchRelationships,
	searchTemplates,
	searchTokens,
} from './list-search';

/** Of both nodes: n8n looks a credential test up in the first node that uses the credential. */
export const methods: NonNullable<INodeType['methods']> = {
	credentialTest: { enmeshedBackboneApiTest },
	listSearch: {
		searchActivePeers,
		searchAttributes,
		searchFiles,
		searchMessages,
		searchPeers,
		searchPeerTemplates,
		searchRelationships,
		searchTemplates,
		searchTokens,
	},
};
