import type { ContactDto, Gateway, RequestDto } from '../../core';
import { textOf } from './forms/request-entries';

/** Names of the other side: what a contact has shared, or the title of its template. */
export class Names {
	private readonly byAddress: ReadonlyMap<string, string>;

	constructor(
		private readonly gateway: Gateway,
		contacts: readonly ContactDto[],
	) {
		this.byAddress = new Map(contacts.map((contact) => [contact.address, nameOfContact(contact)]));
	}

	of(address: string): string {
		return this.byAddress.get(address) ?? 'A former contact';
	}

	/** Name of the sender of a request, with whom there may be no relationship yet. */
	async ofAsker({ peer, source }: RequestDto): Promise<string> {
		const known = this.byAddress.get(peer);
		if (known !== undefined) return known;
		if (source?.type !== 'RelationshipTemplate') return 'A former contact';
		const template = await this.gateway.templates.get(source.reference).catch(() => undefined);
		const content = template?.content;
		const title = content?.['@type'] === 'RelationshipTemplateContent' ? content.title : undefined;
		return textOf(title) ?? 'A new contact';
	}
}

export function nameOfContact({ name, templateTitle }: ContactDto): string {
	return name ?? textOf(templateTitle) ?? 'A contact without a name';
}
