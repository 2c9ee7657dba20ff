import { getManyCreated } from '../../operation/get-many';
import { simplifyTemplate } from '../../output/simplify';

export const getAll = getManyCreated({
	resource: 'relationshipTemplate',
	output: 'template',
	plural: 'Templates',
	titleFilter: {
		field: 'title',
		property: {
			displayName: 'Title Contains',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. newsletter',
		},
	},
	list: (gateway, query, options) => gateway.templates.list(query, options),
	simplify: simplifyTemplate,
});
