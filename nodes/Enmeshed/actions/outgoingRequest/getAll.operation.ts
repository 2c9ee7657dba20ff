import { forOperation } from '../../descriptions/common';
import { outgoingStatuses } from '../../descriptions/request-statuses';
import type { Operation } from '../../operation/operation';
import { PeerProfiles } from '../../gateway/peers';
import { describeOutgoing } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { listFields, listRequests } from '../../requests/list-requests';

const fields = listFields(outgoingStatuses);

export const getAll: Operation = {
	properties: forOperation('outgoingRequest', 'getAll', fields),
	output: 'request',

	async execute(call) {
		const { gateway, signal } = call;
		const { requests, isSimple } = await listRequests(call, fields, 'outgoingRequests');
		if (!isSimple) return requests.map((request) => toRecord(request));
		const profiles = new PeerProfiles(gateway, { signal });
		const described = await describeOutgoing(requests, gateway, profiles, { signal });
		return described.map((request) => toRecord(request));
	},
};
