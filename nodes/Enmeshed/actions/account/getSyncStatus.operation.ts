import type { Operation } from '../../operation/operation';
import { simplifySyncStatus } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

export const getSyncStatus: Operation = {
	properties: [],
	output: 'syncStatus',

	async execute({ gateway, signal }) {
		return [toRecord(simplifySyncStatus(await gateway.account.getSyncStatus({ signal })))];
	},
};
