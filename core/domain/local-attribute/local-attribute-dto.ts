import { membersOf } from '../../model/json';
import type { Attribute } from '../../model/content/attributes';
import type { AttributeRecord, StoredShareInfo } from '../../model/record/attribute';
import type {
	EmittedDeletionStatus,
	ForwardingDetailsDto,
	LocalAttributeDto,
	LocalSuccessionDto,
	ReceivedDeletionStatus,
} from '../../model/record/local-attribute';
import type { ReadTransaction } from '../../store/store';
import { isIdentityAttribute, isRelationshipAttribute } from '../attribute/attribute-kinds';
import { forwardableTypes, kindOf, shownIdOf } from './local-attribute-kinds';

/* Records in the form of version 7 (docs/protocol/connector-7.md 3). */

/** Deletion statuses of version 7 by those that are stored. */
export const emittedStatuses: Readonly<Record<string, EmittedDeletionStatus>> = {
	DeletionRequestSent: 'DeletionRequestSent',
	DeletionRequestRejected: 'DeletionRequestRejected',
	ToBeDeletedByPeer: 'ToBeDeletedByRecipient',
	DeletedByPeer: 'DeletedByRecipient',
};
const receivedStatuses: Readonly<Record<string, ReceivedDeletionStatus>> = {
	ToBeDeleted: 'ToBeDeleted',
	DeletedByOwner: 'DeletedByEmitter',
	// at a third party
	DeletedByPeer: 'DeletedByEmitter',
};

/** What records besides its own say about an attribute. */
interface AttributeSurroundings {
	readonly ownAddress: string;
	/** number of copies */
	readonly numberOfForwards: number;
	/** id that callers see of another version */
	readonly shownId: (recordId: string) => string;
}

/**
 * Converts records to the form of version 7, in their order; records that it does not show are left
 * out. Takes one query for all copies, and one for the other versions of peers' attributes.
 */
export async function toLocalAttributes(
	tx: ReadTransaction,
	records: readonly AttributeRecord[],
	ownAddress: string,
): Promise<LocalAttributeDto[]> {
	const forwardable = records.filter((record) => {
		const kind = kindOf(record, ownAddress);
		return kind !== undefined && forwardableTypes.includes(kind);
	});
	const copies = await tx.attributes.countBy(
		'sourceAttribute',
		forwardable.map(({ id }) => id),
	);
	const linked = await tx.attributes.getMany(
		records.filter(({ content }) => content.owner !== ownAddress).flatMap(linksOf),
	);
	const shownIds = new Map(linked.map(({ record }) => [record.id, shownIdOf(record, ownAddress)]));
	const shownId = (id: string): string => shownIds.get(id) ?? id;
	return records.flatMap((record) => {
		const numberOfForwards = copies.get(record.id) ?? 0;
		return toLocalAttribute(record, { ownAddress, numberOfForwards, shownId }) ?? [];
	});
}

const linksOf = ({ succeeds, succeededBy }: AttributeRecord): string[] =>
	[succeeds, succeededBy].filter((id) => id !== undefined);

/** Shows both versions of a succession. */
export async function toLocalSuccession(
	tx: ReadTransaction,
	{ predecessor, successor }: { predecessor: AttributeRecord; successor: AttributeRecord },
	ownAddress: string,
): Promise<LocalSuccessionDto> {
	const [before, after] = await toLocalAttributes(tx, [predecessor, successor], ownAddress);
	if (before === undefined || after === undefined) {
		throw new TypeError('Both versions of an own attribute are shown');
	}
	return { predecessor: before, successor: after };
}

/** Converts one record; undefined if version 7 does not show it. */
function toLocalAttribute(
	record: AttributeRecord,
	{ ownAddress, numberOfForwards, shownId }: AttributeSurroundings,
): LocalAttributeDto | undefined {
	const { isDefault, shareInfo, succeeds, succeededBy } = record;
	const kind = kindOf(record, ownAddress);
	const common = {
		id: shownIdOf(record, ownAddress),
		createdAt: record.createdAt,
		succeeds: succeeds === undefined ? undefined : shownId(succeeds),
		succeededBy: succeededBy === undefined ? undefined : shownId(succeededBy),
		wasViewedAt: record.wasViewedAt,
	};
	if (isIdentityAttribute(record)) {
		const content = withoutValidity(record.content);
		if (kind === 'OwnIdentityAttribute') {
			return membersOf({ '@type': kind, ...common, content, isDefault, numberOfForwards });
		}
		if (kind !== 'PeerIdentityAttribute' || shareInfo === undefined) return undefined;
		return membersOf({
			...{ '@type': kind, ...common, content, ...originOf(shareInfo) },
			deletionInfo: received(record),
		});
	}
	if (!isRelationshipAttribute(record) || shareInfo === undefined) return undefined;
	const shared = {
		...common,
		content: withoutValidity(record.content),
		...originOf(shareInfo),
	};
	switch (kind) {
		case 'OwnRelationshipAttribute':
			return membersOf({
				...{ '@type': kind, ...shared, numberOfForwards },
				deletionInfo: emitted(record),
			});
		case 'PeerRelationshipAttribute':
			return membersOf({
				...{ '@type': kind, ...shared, numberOfForwards },
				deletionInfo: received(record),
			});
		case 'ThirdPartyRelationshipAttribute':
			return membersOf({
				...{ '@type': kind, ...shared },
				initialAttributePeer: shareInfo.thirdPartyAddress ?? '',
				deletionInfo: received(record),
			});
		default:
			return undefined;
	}
}

/** Converts a copy to the details of a sharing; undefined for other records. */
export function toForwardingDetails(copy: AttributeRecord): ForwardingDetailsDto | undefined {
	if (copy.shareInfo?.sourceAttribute === undefined) return undefined;
	return membersOf<ForwardingDetailsDto>({
		...originOf(copy.shareInfo),
		sharedAt: copy.createdAt,
		deletionInfo: emitted(copy),
	});
}

function originOf({ peer, requestReference, notificationReference }: StoredShareInfo) {
	return { peer, sourceReference: requestReference ?? notificationReference ?? '' };
}

function emitted({ deletionInfo }: AttributeRecord): ForwardingDetailsDto['deletionInfo'] {
	return marked(emittedStatuses, deletionInfo);
}

function received({ deletionInfo }: AttributeRecord) {
	return marked(receivedStatuses, deletionInfo);
}

function marked<Status extends string>(
	statuses: Readonly<Record<string, Status>>,
	info: AttributeRecord['deletionInfo'],
): { deletionStatus: Status; deletionDate: string } | undefined {
	if (info === undefined) return undefined;
	const deletionStatus = statuses[info.deletionStatus];
	return deletionStatus && { deletionStatus, deletionDate: info.deletionDate };
}

function withoutValidity<Content extends Attribute>(
	content: Content,
): Omit<Content, 'validFrom' | 'validTo'> {
	const { validFrom: _from, validTo: _to, ...rest } = content;
	return rest;
}
