import { loosely } from '../../../support/loosely';
import { ContactService } from '../../../../core/domain/contact/contact-service';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import type { RequestRecord } from '../../../../core/model/record/request';
import type { Store } from '../../../../core/store/store';
import { attributeId, now, nowMs, people, relationshipWith } from '../request/consumption-fixtures';

const own = people.A;
const mostIds = 1_000_000;

/** Contacts of a real store, and records to put into it. */
export class ContactBench {
	readonly contacts: ContactService;

	private count = 0;

	constructor(private readonly store: Store) {
		this.contacts = new ContactService({
			store,
			account: { address: own },
			clock: { now: () => nowMs },
		});
	}

	async relate(peer: string, more: Partial<RelationshipRecord> = {}): Promise<RelationshipRecord> {
		const id = this.nextId('REL');
		const record = relationshipWith(peer, more.status ?? 'Active', { id, ...more });
		await this.store.transact((tx) =>
			tx.relationships.insert(record, { template: { secretKey: 'key' } }),
		);
		return record;
	}

	/** The peer has shared a value about itself. */
	async shared(
		peer: string,
		type: string,
		value: string | object,
		more: Partial<AttributeRecord> = {},
	): Promise<AttributeRecord> {
		const parts = typeof value === 'string' ? { value } : value;
		const content = {
			'@type': 'IdentityAttribute',
			owner: peer,
			value: { '@type': type, ...parts },
		};
		return await this.insert(peer, { content: loosely(content), ...more });
	}

	/** The peer has an own value. */
	async given(
		peer: string,
		type: string,
		value: string,
		more: Partial<AttributeRecord> = {},
	): Promise<AttributeRecord> {
		const content = {
			'@type': 'IdentityAttribute',
			owner: own,
			value: { '@type': type, value },
		};
		const sourceAttribute = attributeId('source');
		const shareInfo = { peer, requestReference: 'REQ1', sourceAttribute };
		return await this.insert(peer, { content: loosely(content), shareInfo, ...more });
	}

	async keyed(
		peer: string,
		key: string,
		value: string,
		more: Partial<AttributeRecord> = {},
	): Promise<AttributeRecord> {
		const content = {
			'@type': 'RelationshipAttribute',
			confidentiality: 'public',
			key,
			owner: own,
			value: { '@type': 'ProprietaryString', title: 'Customer Number', value },
		};
		return await this.insert(peer, { content: loosely(content), ...more });
	}

	/** A peer has answered a template of this account. */
	async answeredTemplate(requestId: string, templateId: string, title: string): Promise<void> {
		const { template } = relationshipWith(people.B, 'Active');
		const request: RequestRecord = {
			id: requestId,
			isOwn: true,
			peer: people.B,
			createdAt: now,
			status: 'Completed',
			content: { '@type': 'Request', items: [] },
			source: { type: 'RelationshipTemplate', reference: templateId },
			statusLog: [],
		};
		await this.store.transact(async (tx) => {
			await tx.requests.insert(request, undefined);
			const content = { '@type': 'RelationshipTemplateContent', title };
			await tx.templates.insert({ ...template, id: templateId, content }, { secretKey: 'key' });
		});
	}

	async change(record: AttributeRecord, parts: Partial<AttributeRecord>): Promise<void> {
		await this.store.transact((tx) => tx.attributes.update({ ...record, ...parts }));
	}

	async addressesOf(input: object): Promise<string[]> {
		return (await this.contacts.find(input)).map(({ address }) => address);
	}

	async close(): Promise<void> {
		await this.store.close();
	}

	private async insert(
		peer: string,
		parts: Pick<AttributeRecord, 'content'> & Partial<AttributeRecord>,
	): Promise<AttributeRecord> {
		const shareInfo = { peer, requestReference: 'REQ1' };
		const record = { id: this.nextId('ATT'), createdAt: now, shareInfo, ...parts };
		await this.store.transact((tx) => tx.attributes.insert(record, undefined));
		return record;
	}

	private nextId(prefix: string): string {
		this.count += 1;
		return `${prefix}${String(mostIds + this.count).padStart(17, '0')}`;
	}
}
