import type { Operation } from '../../helpers/operation';
import { simplifySyncStatus } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

export const getSyncStatus: Operation = {
	properties: [],

	async execute({ gateway, signal }) {
		return [toRecord(simplifySyncStatus(await gateway.account.getSyncStatus({ signal })))];
	},
};
