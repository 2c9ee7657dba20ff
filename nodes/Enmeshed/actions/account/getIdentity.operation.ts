import type { Operation } from '../../operation/operation';
import { simplifySyncStatus } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

export const getIdentity: Operation = {
	properties: [],
	output: 'identity',

	async execute({ gateway, signal }) {
		const identity = await gateway.account.getIdentity({ signal });
		const syncStatus = simplifySyncStatus(await gateway.account.getSyncStatus({ signal }));
		return [toRecord({ ...identity, syncStatus })];
	},
};
