import { canonicalJson } from '../../../core/base/canonical-json';
import { ownerOf, type HeldAttribute, type Holder } from './holder';

/* What two identities must agree on, once everything that they told each other has arrived. */

type Held = HeldAttribute | undefined;
type Shown = Pick<Holder, 'address' | 'attributes'>;

/** What the status of the copy at the one side says of the copy at the other. */
const fittingStatuses: ReadonlyArray<readonly [atOwner: string, atPeer: string]> = [
	['none', 'none'],
	['DeletionRequestSent', 'none'],
	['DeletionRequestRejected', 'none'],
	['ToBeDeletedByPeer', 'ToBeDeleted'],
	['DeletedByPeer', 'absent'],
	['absent', 'DeletedByOwner'],
	// It was about to be deleted before its owner deleted it.
	['absent', 'ToBeDeleted'],
	// Both have deleted a version, and one of them a newer one with it.
	['absent', 'absent'],
];

/** Sentences about every difference; none when both see the same. */
export async function differences(a: Shown, b: Shown): Promise<string[]> {
	const [ofA, ofB] = [await sharedBy(a), await sharedBy(b)];
	const ids = [...new Set([...ofA.keys(), ...ofB.keys()])];
	return ids.flatMap((id) => {
		const [atA, atB] = [ofA.get(id), ofB.get(id)];
		const some = atA ?? atB;
		if (some === undefined) return [];
		const isOfA = ownerOf(some) === a.address;
		return differencesOf(id, isOfA ? [atA, atB] : [atB, atA]);
	});
}

async function sharedBy(holder: Shown): Promise<Map<string, HeldAttribute>> {
	const attributes = await holder.attributes();
	const shared = attributes.filter(({ shareInfo }) => shareInfo !== undefined);
	return new Map(shared.map((attribute) => [attribute.id, attribute]));
}

function differencesOf(id: string, [atOwner, atPeer]: readonly [Held, Held]): string[] {
	const found: string[] = [];
	const statuses = [statusOf(atOwner), statusOf(atPeer)] as const;
	const fits = fittingStatuses.some(([o, p]) => o === statuses[0] && p === statuses[1]);
	if (!fits) found.push(`${id}: '${statuses[0]}' at its owner, '${statuses[1]}' at the peer`);
	if (atOwner === undefined || atPeer === undefined) return found;
	if (canonicalJson(atOwner.content) !== canonicalJson(atPeer.content)) {
		found.push(`${id}: its contents differ`);
	}
	if (atOwner.succeededBy !== atPeer.succeededBy) {
		found.push(`${id}: its successor is ${atOwner.succeededBy} here, ${atPeer.succeededBy} there`);
	}
	return found;
}

function statusOf(attribute: Held): string {
	return attribute === undefined ? 'absent' : (attribute.deletionInfo?.deletionStatus ?? 'none');
}
