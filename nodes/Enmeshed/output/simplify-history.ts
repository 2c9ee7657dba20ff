import type { GatewayFacade, HistoryEntryDto } from '../../../core';
import { PeerProfiles } from '../gateway/peers';
import { defined } from '../helpers/members';
import type { HistoryEntryOutput } from '../schemas/contact-data-schemas';
import { simplifyAttribute, simplifyFile, simplifyMessage, simplifyRelationship } from './simplify';
import { describeOutgoing, simplifyRequest } from './simplify-request';

interface Cancellable {
	readonly signal?: AbortSignal | undefined;
}

/** characters of the text of a mail that a history shows */
const longestText = 200;

/** Entries of a history with the simplified form of their records, with mails shortened. */
export async function simplifyHistory(
	entries: readonly HistoryEntryDto[],
	gateway: GatewayFacade,
	options: Cancellable,
): Promise<HistoryEntryOutput[]> {
	const profiles = new PeerProfiles(gateway, options);
	const outputs: HistoryEntryOutput[] = [];
	for (const entry of entries) {
		const { at, kind, what, direction, summary, id } = entry;
		const record = { ...(await simplified(entry, gateway, profiles, options)) };
		outputs.push({ at, kind, what, direction, summary, id, record });
	}
	return outputs;
}

async function simplified(
	entry: HistoryEntryDto,
	gateway: GatewayFacade,
	profiles: PeerProfiles,
	options: Cancellable,
): Promise<object> {
	switch (entry.kind) {
		case 'relationship':
			return await simplifyRelationship(entry.record, profiles);
		case 'request': {
			if (!entry.record.isOwn) return await simplifyRequest(entry.record, profiles);
			const [request] = await describeOutgoing([entry.record], gateway, profiles, options);
			return request ?? {};
		}
		case 'message': {
			const { body, ...message } = await simplifyMessage(entry.record, profiles);
			return { ...message, ...defined({ body: body && shortened(body) }) };
		}
		case 'file':
			return 'filename' in entry.record ? simplifyFile(entry.record) : entry.record;
		case 'attribute':
			return simplifyAttribute(entry.record);
	}
}

function shortened(text: string): string {
	return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`;
}
