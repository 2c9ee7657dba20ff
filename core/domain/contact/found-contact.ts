import { objectMember } from '../../model/content/members';
import { ownMember, ownText, type JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { ContactDto, FoundContactDto } from '../../model/record/relationship';
import type { ReadTransaction } from '../../store/store';

type FoundValue = FoundContactDto['found'][number];

/** What a search has found, beside the contacts. */
interface Finding {
	readonly peopleFound: number;
	/** attributes that fit, by their peers */
	readonly attributes: ReadonlyMap<string, readonly AttributeRecord[]>;
	readonly ownAddress: string;
}

/** Adds to the contacts which of their values fit, who gave these, and when. */
export async function toFoundContacts(
	tx: ReadTransaction,
	contacts: readonly ContactDto[],
	{ peopleFound, attributes, ownAddress }: Finding,
): Promise<FoundContactDto[]> {
	const fitting = ({ address }: ContactDto) => attributes.get(address) ?? [];
	const origins = await originsOf(tx, contacts.flatMap(fitting));
	return contacts.map((contact) => ({
		...contact,
		peopleFound,
		found: fitting(contact).map((attribute) => toFoundValue(attribute, origins, ownAddress)),
	}));
}

function toFoundValue(
	{ content, createdAt, shareInfo }: AttributeRecord,
	origins: ReadonlyMap<string, Origin>,
	ownAddress: string,
): FoundValue {
	const { '@type': type, ...parts } = objectMember(content, 'value');
	return {
		name: ownText(content, 'key') ?? String(type),
		value: plainValue(parts),
		owner: content.owner === ownAddress ? 'own' : 'peer',
		since: createdAt,
		...origins.get(shareInfo?.requestReference ?? ''),
	};
}

/** The value itself where there is one, otherwise its parts. */
function plainValue(parts: JsonObject): FoundValue['value'] {
	return ownMember(parts, 'value') ?? parts;
}

type Origin = Pick<FoundValue, 'templateId' | 'templateTitle'>;

/** Own templates whose requests shared or set the values, by the ids of the requests. */
async function originsOf(
	tx: ReadTransaction,
	attributes: readonly AttributeRecord[],
): Promise<Map<string, Origin>> {
	const ids = attributes.flatMap(({ shareInfo }) => shareInfo?.requestReference ?? []);
	const requests = await tx.requests.getMany([...new Set(ids)]);
	const sources = requests.flatMap(({ record: { id, isOwn, source } }) =>
		isOwn && source?.type === 'RelationshipTemplate' ? [{ id, templateId: source.reference }] : [],
	);
	const templateIds = [...new Set(sources.map(({ templateId }) => templateId))];
	const templates = await tx.templates.getMany(templateIds);
	const titles = new Map(
		templates.map(({ record: { id, content } }) => [id, ownText(content, 'title')]),
	);
	return new Map(
		sources.map(({ id, templateId }) => {
			const templateTitle = titles.get(templateId);
			return [id, { templateId, ...(templateTitle === undefined ? {} : { templateTitle }) }];
		}),
	);
}
