import type { Gateway, HistoryEntryDto } from '../../../core';
import { mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { ask, meetPeople, sendFile, type People } from './people';

jest.setTimeout(120_000);

const stranger = `did:e:localhost:dids:${'0'.repeat(22)}`;

let network: SandboxNetwork;
let gateway: Gateway;
let people: People;
let certificate: { messageId: string; fileId: string };

beforeAll(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
	people = await meetPeople(gateway, await network.gateway(), await network.gateway());
	const { lin, otherLin, addressOfLin, addressOfOther, own } = people;
	await gateway.messages.send(mailTo(addressOfLin, 'Welcome', 'word '.repeat(100)));
	certificate = await sendFile(gateway, addressOfLin, 'certificate');
	await settle(lin);
	await lin.messages.send(mailTo(own, 'Thanks'));
	await lin.messages.send({
		recipients: [own],
		content: { '@type': 'ArbitraryMessageContent', value: { any: 'thing' } },
	});
	const attribute = {
		'@type': 'RelationshipAttribute',
		owner: own,
		key: 'customerNumber',
		confidentiality: 'public',
		isTechnical: false,
		value: { '@type': 'ProprietaryString', title: 'Number', value: 'A-1042' },
	};
	const create = { '@type': 'CreateAttributeRequestItem', mustBeAccepted: true, attribute };
	await ask(gateway, lin, addressOfLin, create, { accept: true });
	const [number] = await gateway.attributes.list({
		where: [{ field: 'key', op: 'eq', value: 'customerNumber' }],
	});
	await gateway.attributes.succeed(number?.id ?? '', {
		successorContent: { value: { '@type': 'ProprietaryString', title: 'Number', value: 'A-1043' } },
	});
	await settle(lin);
	const [name] = await lin.attributes.listOwnShared({ peer: own });
	await lin.attributes.deleteOwnShared(name?.id ?? '');
	await otherLin.messages.send(mailTo(own, 'From the other one'));
	await gateway.messages.send(mailTo(addressOfOther, 'To the other one'));
	await settle(gateway);
	await gateway.relationships.terminate(people.relationshipOfLin);
});

afterAll(() => network.close());

const history = (input = {}): Promise<HistoryEntryDto[]> =>
	gateway.contacts.getHistory(people.addressOfLin, input);

const lineOf = ({ what, direction, summary }: HistoryEntryDto): string =>
	`${what} (${direction}): ${summary}`;

describe('the history of a person', () => {
	it('tells what happened between both, newest first, and nothing of another of the same name', async () => {
		const entries = await history();
		const times = entries.map(({ at }) => at);
		expect(times).toEqual([...times].sort().reverse());
		expect(entries.map(lineOf)).toEqual(
			expect.arrayContaining([
				'Connection ended (sent): Terminated',
				'Attribute deleted (received): DisplayName: Lin Chen',
				'Attribute changed (sent): customerNumber: A-1043',
				'Attribute created (sent): customerNumber: A-1042',
				'Request answered (received): Accepted: A question',
				'Request sent (sent): A question',
				'Message received (received): ArbitraryMessageContent',
				'Mail received (received): Thanks',
				'Mail sent (sent): With certificate',
				'File sent (sent): certificate',
				'Mail sent (sent): Welcome',
				'Attribute shared (received): DisplayName: Lin Chen',
				'Connection accepted (sent): Active',
				'Connection requested (received): Pending',
			]),
		);
		expect(entries).toHaveLength(16);
		expect(JSON.stringify(entries)).not.toContain(people.addressOfOther);
		expect(entries[0]?.kind).toBe('relationship');
		const [file] = entries.filter(({ kind }) => kind === 'file');
		expect(file).toMatchObject({ id: certificate.fileId, record: { title: 'certificate' } });
	});

	it('comes in pages of any size with the same entries in the same order', async () => {
		const all = await history();
		for (const limit of [1, 3, 100]) {
			const read: HistoryEntryDto[] = [];
			for (let page = await history({ limit }); page.length > 0;) {
				expect(page.length).toBeLessThanOrEqual(limit);
				read.push(...page);
				page = await history({ limit, position: page.at(-1)?.position });
			}
			expect(read).toEqual(all);
		}
	});

	it('has the kinds and the time that are asked for', async () => {
		const all = await history();
		const messages = await history({ kinds: ['message', 'file'] });
		expect(messages).toEqual(all.filter(({ kind }) => kind === 'message' || kind === 'file'));
		const [third, seventh] = [all[2]?.at ?? '', all[6]?.at ?? ''];
		expect(await history({ after: seventh, before: third })).toEqual(
			all.filter(({ at }) => at >= seventh && at < third),
		);
	});

	it('continues where a page ended, although its last record is gone and others came', async () => {
		const { otherLin, addressOfOther, own } = people;
		const read = (input = {}) => gateway.contacts.getHistory(addressOfOther, input);
		const all = await read();
		const place = all.findIndex(({ kind }) => kind === 'attribute');
		await otherLin.messages.send(mailTo(own, 'one more'));
		await settle(gateway);
		await gateway.attributes.deletePeerShared(all[place]?.id ?? '');
		expect((await read())[0]?.summary).toBe('one more');
		expect(await read({ position: all[place]?.position ?? '' })).toEqual(all.slice(place + 1));
	});

	it.each([
		['a kind', { kinds: ['mail'] }, 'kinds.0'],
		['a time', { after: 'yesterday' }, 'after'],
		['a number', { limit: 0 }, 'limit'],
		['a position', { position: 'x' }, 'position'],
	])('refuses %s that it does not know', async (_what, input, field) => {
		await expect(history(input)).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			facts: { field },
		});
	});

	it('is not there for a person who is not known', async () => {
		await expect(gateway.contacts.getHistory(stranger)).rejects.toMatchObject({
			code: 'error.gateway.contacts.notFound',
		});
		await expect(gateway.contacts.getHistory('Lin Chen')).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
		});
	});
});
