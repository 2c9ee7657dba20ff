import { forOperation } from '../../descriptions/common';
import { incomingStatuses } from '../../descriptions/request-statuses';
import type { Operation, OutputRecord } from '../../operation/operation';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyIncoming } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { listFields, listRequests } from '../../requests/list-requests';

const fields = listFields(incomingStatuses);

export const getAll: Operation = {
	properties: forOperation('incomingRequest', 'getAll', fields),
	output: 'incomingRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { requests, isSimple } = await listRequests(call, fields, 'incomingRequests');
		if (!isSimple) return requests.map((request) => toRecord(request));
		const profiles = new PeerProfiles(gateway, { signal });
		const records: OutputRecord[] = [];
		for (const request of requests) {
			records.push(toRecord(await simplifyIncoming(request, profiles)));
		}
		return records;
	},
};
