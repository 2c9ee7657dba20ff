import { isJsonObject } from '../../model/json';
import type { LocalAttributeDto } from '../../model/record/local-attribute';
import type { QueryVersion } from '../attribute/queries/attribute-queries';
import { matching } from '../query/conditions';
import { toLocalAttributes } from './local-attribute-dto';
import { localAttributeErrors } from './local-attribute-errors';
import { kindOf, kindsConditions } from './local-attribute-kinds';

const relationshipTypes = [
	'OwnRelationshipAttribute',
	'PeerRelationshipAttribute',
	'ThirdPartyRelationshipAttribute',
] as const;

/** Queries of version 7 (docs/protocol/connector-7.md 4.2). */
export const queriesOf7: QueryVersion<LocalAttributeDto> = {
	// They have no period of validity; one is ignored.
	read(query) {
		if (!isJsonObject(query)) return query;
		const { validFrom: _from, validTo: _to, ...rest } = query;
		return rest;
	},
	// The key and the owner are compared, the type of value is not.
	async executeRelationshipQuery(tx, { key, owner }, own) {
		const found = await tx.attributes.list({
			where: [
				...matching({ key, owner: owner === '' ? own : owner }),
				{ field: 'confidentiality', op: 'ne', value: 'private' },
				...kindsConditions(relationshipTypes, own),
			],
			limit: 1,
		});
		return found.map(({ record }) => record);
	},
	async show(tx, found, own) {
		const shown = found.filter((record) => kindOf(record, own) !== undefined);
		return await toLocalAttributes(tx, shown, own);
	},
	notFound: (message) =>
		localAttributeErrors.create('notFound', { message, facts: { attributeId: '' } }),
};
