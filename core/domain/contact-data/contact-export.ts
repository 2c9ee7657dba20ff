import { setImmediate } from 'node:timers/promises';
import type { Cancellable } from '../../base/abort';
import { contactExportInputSchema } from '../../model/input/contact-data';
import { ownJson, type JsonObject } from '../../model/json';
import {
	exportSections,
	type ContactExportPageDto,
	type ExportedRecordDto,
	type ExportSection,
} from '../../model/record/contact-data';
import type { ContactDto } from '../../model/record/relationship';
import type { ProblemDto } from '../../model/record/problem';
import { withoutSecrets } from '../../model/secret-texts';
import type { ReadTransaction, Store } from '../../store/store';
import { requireAddress } from '../contact/contact-input';
import { currentRelationship } from '../current-relationship';
import type { Account } from '../identity/account';
import { leftPeerAt } from '../left-peer';
import { unknownContact } from './contact-history';
import { storedSections, type SectionPage } from './export-sections';
import { invalidInput } from '../input-errors';
import { parseInput } from '../validation';

export interface ContactExportDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'backboneBaseUrl'>;
	/** the person with the newest values of each side */
	readonly contact: (address: string, options: Cancellable) => Promise<ContactDto>;
	readonly problems: (options: Cancellable) => Promise<readonly ProblemDto[]>;
}

interface Place {
	readonly section: ExportSection;
	readonly after?: string | undefined;
}

/** events that are looked at in one transaction */
const eventsAtOnce = 500;

/** Reads everything that this account has about a person, in pages. */
export class ContactExport {
	constructor(private readonly dependencies: ContactExportDependencies) {}

	/**
	 * Reads a page, in the order of the sections. A person whose relationship was decomposed is known
	 * as long as something is left.
	 *
	 * @param input `limit`, `position`
	 * @throws `error.gateway.contacts.notFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async page(
		address: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<ContactExportPageDto> {
		requireAddress(address);
		const { limit, position } = parseInput(contactExportInputSchema, input);
		if (position === undefined) await this.requireKnown(address, options);
		let place: Place | undefined = position === undefined ? first : readPlace(position);
		const records: ExportedRecordDto[] = [];
		while (place !== undefined && records.length < limit) {
			if (options.signal?.aborted === true) options.signal.throwIfAborted();
			const { section }: Place = place;
			const read = await this.read(address, place, limit - records.length, options);
			for (const data of read.data) records.push({ section, data: withoutSecrets(data) });
			place = read.after === undefined ? sectionAfter(section) : { section, after: read.after };
			// A store in this process answers without letting timers and other connections run.
			await setImmediate();
		}
		return { records, ...(place === undefined ? {} : { position: writePlace(place) }) };
	}

	private async read(
		address: string,
		{ section, after }: Place,
		limit: number,
		options: Cancellable,
	): Promise<SectionPage> {
		const { store, account } = this.dependencies;
		if (section === 'contact') return await this.contact(address, options);
		if (section === 'problems') return await this.problems(address, options);
		if (section === 'events') {
			return await store.read((tx) => eventsAbout(tx, address, Number(after ?? '0')), options);
		}
		const sections = storedSections(address, account.backboneBaseUrl);
		return await store.read((tx) => sections[section](tx, { after, limit }), options);
	}

	private async contact(address: string, options: Cancellable): Promise<SectionPage> {
		const { store } = this.dependencies;
		const relationship = await store.read((tx) => currentRelationship(tx, address), options);
		if (relationship === undefined) return { data: [] };
		return { data: [ownJson(await this.dependencies.contact(address, options))] };
	}

	/** Problems that name the person, or a relationship or a request with the person. */
	private async problems(address: string, options: Cancellable): Promise<SectionPage> {
		const { store, problems } = this.dependencies;
		const listed = await problems(options);
		const data: JsonObject[] = [];
		for (const problem of listed) {
			const isNamed = JSON.stringify(problem).includes(address);
			if (isNamed || (await store.read((tx) => isAbout(tx, problem.id, address), options))) {
				data.push(ownJson(problem));
			}
		}
		return { data };
	}

	/** @throws `error.gateway.contacts.notFound` */
	private async requireKnown(address: string, options: Cancellable): Promise<void> {
		const isKnown = await this.dependencies.store.read(async (tx) => {
			if ((await currentRelationship(tx, address)) !== undefined) return true;
			if ((await leftPeerAt(tx, address)) !== undefined) return true;
			const made = { field: 'createdBy', op: 'eq', value: address } as const;
			const forwarded = { field: 'thirdPartyAddress', op: 'eq', value: address } as const;
			return (
				(await tx.files.first({ where: [made] })) !== undefined ||
				(await tx.templates.first({ where: [made] })) !== undefined ||
				(await tx.attributes.first({ where: [forwarded] })) !== undefined
			);
		}, options);
		if (!isKnown) throw unknownContact(address);
	}
}

async function isAbout(tx: ReadTransaction, id: string, address: string): Promise<boolean> {
	const found =
		(await tx.relationships.get(id))?.record.peer ?? (await tx.requests.get(id))?.record.peer;
	return found === address;
}

/** Events that are kept and name the person; a page without any may have others after it. */
async function eventsAbout(
	tx: ReadTransaction,
	address: string,
	position: number,
): Promise<SectionPage> {
	const events = await tx.outbox.readAfter(position, eventsAtOnce);
	const data = events
		.filter((event) => JSON.stringify(event).includes(address))
		.map(({ correlationId: _correlationId, ...event }) => ownJson(event));
	const last = events.at(-1)?.sequence;
	return { data, after: events.length < eventsAtOnce ? undefined : String(last) };
}

const first: Place = { section: exportSections[0] };

function sectionAfter(section: ExportSection): Place | undefined {
	const next = exportSections[exportSections.indexOf(section) + 1];
	return next === undefined ? undefined : { section: next };
}

function writePlace({ section, after }: Place): string {
	return after === undefined ? section : `${section} ${after}`;
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
function readPlace(position: string): Place {
	const [name, ...rest] = position.split(' ');
	const section = exportSections.find((known) => known === name);
	if (section === undefined) {
		throw invalidInput(
			"'position' is not valid: expected the position of a page of the export.",
			'position',
		);
	}
	return rest.length === 0 ? { section } : { section, after: rest.join(' ') };
}
