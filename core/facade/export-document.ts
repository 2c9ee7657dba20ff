import { Readable } from 'node:stream';
import type { Cancellable } from '../base/abort';
import { membersOf, ownText, type JsonObject } from '../model/json';
import type { ContactExportPageDto, ExportedRecordDto } from '../model/record/contact-data';
import type { ContactUseCases } from './contacts';

/** File that an export names, as far as its owner has described it. */
export interface ExportedFile {
	/** `FIL` id, for `files.download` */
	readonly id: string;
	/** bytes, as stated by its owner; absent without a number */
	readonly filesize?: number;
	/** name for downloads; absent without one */
	readonly filename?: string;
	/** title of the file; absent without one */
	readonly title?: string;
	/** media type; absent without one */
	readonly mimetype?: string;
}

/** Export of a contact as one JSON document. */
export interface ExportDocument {
	/** ISO time of the beginning */
	readonly exportedAt: string;
	/** the text of the document, which is read from the account while the stream is read */
	readonly content: Readable;
	/** number of records in each section; complete once the stream has ended */
	readonly counts: Readonly<Record<string, number>>;
	/** files of the section `files`; complete once the stream has ended */
	readonly files: readonly ExportedFile[];
}

/**
 * Writes the export of a contact as one JSON document with a list for each section, without having
 * all of it in memory.
 *
 * @throws `error.gateway.contacts.notFound` if nothing is known of the person
 */
export async function openExportDocument(
	contacts: Pick<ContactUseCases, 'export'>,
	address: string,
	options: Cancellable = {},
): Promise<ExportDocument> {
	// Read here and not by the stream, so that an unknown person is an error of this call.
	const first = await contacts.export(address, {}, options);
	const exportedAt = new Date().toISOString();
	const counts: Record<string, number> = {};
	const files: ExportedFile[] = [];
	const note = ({ section, data }: ExportedRecordDto): void => {
		counts[section] = (counts[section] ?? 0) + 1;
		if (section === 'files') files.push(fileIn(data));
	};
	const next = (position: string): Promise<ContactExportPageDto> =>
		contacts.export(address, { position }, options);
	const head = `{"peer":${JSON.stringify(address)},"exportedAt":${JSON.stringify(exportedAt)}`;
	const content = Readable.from(textOf(head, first, next, note), { encoding: 'utf8' });
	return { exportedAt, content, counts, files };
}

async function* textOf(
	head: string,
	first: ContactExportPageDto,
	next: (position: string) => Promise<ContactExportPageDto>,
	note: (record: ExportedRecordDto) => void,
): AsyncGenerator<string> {
	let section: string | undefined;
	let page: ContactExportPageDto | undefined = first;
	yield head;
	while (page !== undefined) {
		for (const record of page.records) {
			const text = JSON.stringify(record.data);
			yield record.section === section
				? `,\n${text}`
				: `${section === undefined ? '' : ']'},\n"${record.section}":[${text}`;
			({ section } = record);
			note(record);
		}
		page = page.position === undefined ? undefined : await next(page.position);
	}
	yield section === undefined ? '}' : ']}';
}

function fileIn(data: JsonObject): ExportedFile {
	const { filesize } = data;
	return membersOf<ExportedFile>({
		id: ownText(data, 'id') ?? '',
		filesize: typeof filesize === 'number' ? filesize : undefined,
		filename: ownText(data, 'filename'),
		title: ownText(data, 'title'),
		mimetype: ownText(data, 'mimetype'),
	});
}
