import type { AttributeDto, GatewayFacade } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { attributeLocator } from '../../descriptions/locators';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields = [attributeLocator('searchAllAttributes')];

const inputSchema = parameterSchema((z, { locator }) => z.object({ attribute: locator }));

export const deleteAttribute: Operation = {
	properties: forOperation('attribute', 'delete', fields),
	output: 'deletedAttribute',

	async execute(call) {
		const { gateway, signal } = call;
		const { attribute: id } = await parseParameters(call, fields, inputSchema);
		const attribute = await gateway.attributes.get(id, { signal });
		const told = await deleteByKind(attribute, gateway, call);
		return [toRecord({ deleted: true, ...told })];
	},
};

/**
 * Notifies the peer that also has the attribute; an attribute that was never shared has no such
 * peer.
 */
async function deleteByKind(
	{ id, owner, shareInfo }: AttributeDto,
	{ account, attributes }: GatewayFacade,
	{ signal }: Pick<OperationCall, 'signal'>,
): Promise<object> {
	if (shareInfo === undefined) {
		await attributes.delete(id, { signal });
		return {};
	}
	const { address } = await account.getIdentity({ signal });
	if (owner === address) return await attributes.deleteOwnShared(id, { signal });
	if (owner === shareInfo.peer) return await attributes.deletePeerShared(id, { signal });
	return await attributes.deleteThirdParty(id, { signal });
}
