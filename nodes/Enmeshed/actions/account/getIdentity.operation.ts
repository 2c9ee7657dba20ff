import type { Operation } from '../../helpers/operation';
import { toRecord } from '../../helpers/to-items';

export const getIdentity: Operation = {
	properties: [],

	async execute({ gateway, signal }) {
		return [toRecord(await gateway.account.getIdentity({ signal }))];
	},
};
