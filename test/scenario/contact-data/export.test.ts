import type { ExportedRecordDto, Gateway } from '../../../core';
import { arrivals, inOneHour, mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { ask, makeForPerson, meetPeople, sendFile, type People } from './people';

jest.setTimeout(120_000);

const stranger = `did:e:localhost:dids:${'0'.repeat(22)}`;

let network: SandboxNetwork;
let gateway: Gateway;
let people: People;

beforeEach(async () => {
	network = await SandboxNetwork.open({ maxMessageRecipients: 2 });
	gateway = await network.gateway();
	people = await meetPeople(gateway, await network.gateway(), await network.gateway());
});

afterEach(() => network.close());

async function exported(limit?: number): Promise<ExportedRecordDto[]> {
	const records: ExportedRecordDto[] = [];
	let position: string | undefined;
	do {
		const page = await gateway.contacts.export(people.addressOfLin, {
			...(limit === undefined ? {} : { limit }),
			...(position === undefined ? {} : { position }),
		});
		if (limit !== undefined && page.position === undefined) {
			expect(page.records.length).toBeLessThanOrEqual(500);
		}
		records.push(...page.records);
		({ position } = page);
	} while (position !== undefined);
	return records;
}

const of = (records: readonly ExportedRecordDto[], section: string) =>
	records.filter((record) => record.section === section).map(({ data }) => data);

/** Something for each section, and something that opens something. */
async function fill(): Promise<string[]> {
	const { lin, addressOfLin, addressOfOther, own } = people;
	const sent = await sendFile(gateway, addressOfLin, 'certificate');
	await sendFile(lin, own, 'photo');
	await settle(gateway);
	const consent = { '@type': 'ConsentRequestItem', mustBeAccepted: true, consent: 'newsletter' };
	await ask(gateway, lin, addressOfLin, consent, { accept: true });
	const template = await lin.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 'by Lin' },
		passwordProtection: { password: 'password of a template' },
	});
	await gateway.templates.loadPeer({
		reference: template.truncatedReference,
		password: 'password of a template',
	});
	await makeForPerson(gateway, addressOfLin);
	await gateway.identityMetadata.upsert({ reference: addressOfLin, key: 'note', value: 'kind' });
	await gateway.settings.create({
		key: 'language',
		scope: 'Relationship',
		reference: people.relationshipOfLin,
		value: { language: 'de', password: 'password in a setting' },
	});
	await sendFile(gateway, addressOfOther, 'for the other one');
	const file = await gateway.files.get(sent.fileId);
	await gateway.messages.send(mailTo(addressOfLin, 'A link', `See ${file.reference.url}`));
	await arrivals(gateway);
	return [
		file.truncatedReference,
		file.reference.url.slice(file.reference.url.indexOf('#') + 1),
		file.ownershipToken ?? '',
		template.truncatedReference,
		'password of a template',
		'password in a setting',
	];
}

describe('the export of a person', () => {
	it('has everything about the person, nothing of another, and nothing that opens something', async () => {
		const secrets = await fill();
		const records = await exported();
		const { addressOfLin, addressOfOther } = people;
		expect(of(records, 'contact')).toMatchObject([{ address: addressOfLin, name: 'Lin Chen' }]);
		expect(of(records, 'relationships')).toMatchObject([
			{ id: people.relationshipOfLin, template: { content: { value: { hello: 'wallet' } } } },
		]);
		expect(of(records, 'templates')).toMatchObject([
			{ isOwn: false, content: { value: 'by Lin' } },
			{ isOwn: true, content: { value: 'only for one person' } },
		]);
		expect(of(records, 'requests')).toMatchObject([
			{ isOwn: true, response: { content: { result: 'Accepted' } } },
			{ response: { content: { result: 'Accepted' } } },
		]);
		expect(of(records, 'consents')).toMatchObject([
			{ askedBy: 'own', consent: 'newsletter', result: 'Accepted' },
		]);
		const mails = of(records, 'messages').map(({ content }) => content);
		expect(mails).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ subject: 'With photo', body: 'Here is photo' }),
				expect.objectContaining({
					subject: 'A link',
					body: expect.stringContaining('[removed]') as string,
				}),
			]),
		);
		expect(of(records, 'attributes')).toMatchObject([
			{ content: { value: { value: 'Lin Chen' } } },
		]);
		expect(
			of(records, 'files')
				.map(({ title }) => title)
				.sort(),
		).toEqual(['certificate', 'photo']);
		expect(of(records, 'tokens')).toMatchObject([{ content: { any: 'for one' } }]);
		expect(of(records, 'metadata')).toEqual([
			{ reference: addressOfLin, key: 'note', value: 'kind' },
		]);
		expect(of(records, 'settings')).toMatchObject([{ value: { language: 'de' } }]);
		expect(of(records, 'events').length).toBeGreaterThan(5);
		const text = JSON.stringify(records);
		expect(text).not.toContain(addressOfOther);
		expect(secrets.filter((secret) => secret === '' || text.includes(secret))).toEqual([]);
	});

	it('has the same records in pages of any size', async () => {
		await fill();
		const all = await exported();
		expect(await exported(1)).toEqual(all);
		expect(await exported(7)).toEqual(all);
	});

	it('lists problems and unsent messages that are about the person', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutBefore' },
			times: Number.POSITIVE_INFINITY,
		});
		await expect(gateway.messages.send(mailTo(people.addressOfLin, 'lost'))).rejects.toThrow();
		await expect(
			gateway.messages.send(mailTo(people.addressOfOther, 'lost too')),
		).rejects.toThrow();
		const records = await exported();
		expect(of(records, 'unsentMessages')).toMatchObject([{ content: { subject: 'lost' } }]);
		expect(of(records, 'problems')).toMatchObject([
			{ kind: 'sending', recipients: [people.addressOfLin] },
		]);
	});

	it('has what a decomposition has left, until that is erased', async () => {
		await sendFile(people.lin, people.own, 'photo');
		await settle(gateway);
		await gateway.relationships.terminate(people.relationshipOfLin);
		await gateway.relationships.decompose(people.relationshipOfLin);
		const records = await exported();
		expect(records.map(({ section }) => section)).toEqual(['files', 'decomposition']);
		expect(of(records, 'files')).toMatchObject([{ title: 'photo' }]);
		await gateway.contacts.erase(people.addressOfLin);
		expect((await exported()).map(({ section }) => section)).toEqual(['decomposition']);
	});

	it('is refused for an address that is unknown, and for a position that is none', async () => {
		await expect(gateway.contacts.export(stranger)).rejects.toMatchObject({
			code: 'error.gateway.contacts.notFound',
		});
		await expect(
			gateway.contacts.export(people.addressOfLin, { position: 'keys' }),
		).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			facts: { field: 'position' },
		});
	});
});
