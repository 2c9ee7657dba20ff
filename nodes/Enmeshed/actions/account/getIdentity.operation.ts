import type { Operation } from '../../operation/operation';
import { toRecord } from '../../output/to-items';

export const getIdentity: Operation = {
	properties: [],
	output: 'identity',

	async execute({ gateway, signal }) {
		return [toRecord(await gateway.account.getIdentity({ signal }))];
	},
};
