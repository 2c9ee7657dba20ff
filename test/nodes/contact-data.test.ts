import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { mailTo, settle } from '../support/gateways';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let lin: string;
let own: string;
let relationshipId: string;
const stranger = `did:e:localhost:dids:${'0'.repeat(22)}`;

const id = (value: unknown) => ({ __rl: true, mode: 'id', value });
const contact = (value = lin) => ({ contact: { __rl: true, mode: 'address', value } });

const jsonOf = (items: readonly INodeExecutionData[]): IDataObject[] =>
	items.map(({ json }) => json);

function contentOf(item: INodeExecutionData | undefined, field = 'data'): string {
	return Buffer.from(item?.binary?.[field]?.data ?? '', 'base64').toString();
}

beforeAll(async () => {
	bench = await NodeBench.open();
	({ relationshipId, address: lin } = await bench.connect());
	({ address: own } = (await bench.one('account', 'getIdentity')) as { address: string });
	await bench.run('relationship', 'accept', { relationship: id(relationshipId) });
	await settle(bench.wallet);
	await bench.wallet.messages.send(mailTo(own, 'Long', 'word '.repeat(100)));
	for (const title of ['photo', 'plan']) {
		const file = await bench.wallet.files.upload(
			{ title, filename: `${title}.txt`, mimetype: 'text/plain' },
			Buffer.from(`bytes of ${title}`),
		);
		await bench.wallet.messages.send({ ...mailTo(own, `With ${title}`), attachments: [file.id] });
	}
	await bench.settle();
});

afterAll(async () => {
	await bench?.close();
});

describe('the history of a contact', () => {
	const history = async (parameters: IDataObject = {}) =>
		jsonOf(await bench.run('contact', 'getHistory', { ...contact(), ...parameters }));

	it('is one item for each entry, newest first, with the record in its simple form', async () => {
		const entries = await history();
		expect(entries.map(({ what, summary }) => `${String(what)}: ${String(summary)}`)).toEqual([
			'File received: plan',
			'Mail received: With plan',
			'File received: photo',
			'Mail received: With photo',
			'Mail received: Long',
			'Connection accepted: Active',
			'Connection requested: Pending',
		]);
		const mail = entries[4]?.['record'] as IDataObject;
		expect(mail).toMatchObject({ subject: 'Long', direction: 'received', sender: lin });
		expect(mail['body']).toHaveLength(200);
		expect(entries[0]?.['record']).toMatchObject({ filename: 'plan.txt', isOwn: false });
	});

	it('has whole records without the simplification', async () => {
		const [entry] = await history({ simplify: false, filters: { kinds: ['message'] }, limit: 1 });
		expect(entry).toMatchObject({
			kind: 'message',
			record: { createdBy: lin, content: { '@type': 'Mail', subject: 'With plan' } },
		});
	});

	it('has the kinds and the time that are asked for, up to the limit or all', async () => {
		const filters = { kinds: ['file', 'relationship'] };
		expect(await history({ filters })).toHaveLength(4);
		expect(await history({ filters, limit: 1 })).toMatchObject([{ summary: 'plan' }]);
		const [, , third] = await history({ returnAll: true });
		const at = third?.['at'];
		expect(await history({ filters: { after: at }, returnAll: true })).toHaveLength(4);
		expect(await history({ filters: { before: at }, returnAll: true })).toHaveLength(3);
	});

	it('names the field of a time that is none', async () => {
		await expect(history({ filters: { before: 'tomorrow' } })).rejects.toMatchObject({
			message: expect.stringContaining("'Before'") as string,
		});
	});

	it('is refused for a person who is not known', async () => {
		await expect(history(contact(stranger))).rejects.toMatchObject({
			context: { code: 'error.gateway.contacts.notFound' },
		});
	});
});

describe('the export of a contact', () => {
	const exported = (parameters: IDataObject = {}) =>
		bench.run('contact', 'export', { ...contact(), ...parameters });

	it('is one JSON document with everything, and an item for each file', async () => {
		const [data, ...files] = await exported();
		expect(data?.json).toMatchObject({
			...{ peer: lin, type: 'data', filesLeftOut: 0 },
			records: { contact: 1, relationships: 1, messages: 3, files: 2 },
		});
		const document = JSON.parse(contentOf(data)) as Record<string, IDataObject[]>;
		expect(document).toMatchObject({ peer: lin, relationships: [{ id: relationshipId }] });
		expect(document['messages']).toHaveLength(3);
		expect(document['files']?.map(({ title }) => title)).toEqual(['photo', 'plan']);
		expect(data?.binary?.['data']).toMatchObject({ mimeType: 'application/json' });
		expect(files.map((file) => [file.json['filename'], contentOf(file)])).toEqual([
			['photo.txt', 'bytes of photo'],
			['plan.txt', 'bytes of plan'],
		]);
	});

	it('has no more files than wanted, and says how many it left out', async () => {
		const some = await exported({ options: { maxFiles: 1 }, binaryPropertyName: 'file' });
		expect(some.map(({ json }) => json['type'])).toEqual(['data', 'file']);
		expect(some[0]?.json).toMatchObject({ filesLeftOut: 1 });
		expect(contentOf(some[1], 'file')).toBe('bytes of photo');
		const none = await exported({ options: { includeFiles: false } });
		expect(none.map(({ json }) => json['filesLeftOut'])).toEqual([2]);
	});

	it('fails when the Backbone cannot be reached, instead of leaving files out', async () => {
		const heal = bench.network.backbone.faults.add({
			path: /Files/,
			action: { kind: 'cutBefore' },
			times: Number.POSITIVE_INFINITY,
		});
		await expect(exported()).rejects.toThrow(/could not be called/);
		heal();
	});

	it('says which file cannot be had any more', async () => {
		const [file] = await bench.wallet.files.list();
		await bench.wallet.files.delete(file?.id ?? '');
		const items = await exported();
		expect(jsonOf(items).filter(({ missing }) => missing !== undefined)).toMatchObject([
			{ type: 'file', missing: 'error.runtime.recordNotFound' },
		]);
	});

	it('is refused for a person who is not known', async () => {
		await expect(exported(contact(stranger))).rejects.toMatchObject({
			context: { code: 'error.gateway.contacts.notFound' },
		});
	});
});

describe('the erasure of a contact', () => {
	const erase = (parameters: IDataObject = {}) =>
		bench.one('contact', 'erase', { ...contact(), ...parameters });

	it('says what has to be done before, then gives a receipt', async () => {
		await expect(erase({ decomposeIfEnded: true })).rejects.toMatchObject({
			description: expect.stringContaining('End the relationship first') as string,
			context: { code: 'error.gateway.contacts.notEnded' },
		});
		await bench.run('relationship', 'end', { relationship: id(relationshipId) });
		await expect(erase()).rejects.toMatchObject({
			description: expect.stringContaining("'Decompose If Ended'") as string,
			context: { code: 'error.gateway.contacts.notDecomposed' },
		});
		const receipt = await erase({ decomposeIfEnded: true });
		expect(receipt).toMatchObject({
			peer: lin,
			erased: [
				{ kind: 'messages', count: 3 },
				{ kind: 'relationships', count: 1 },
				{ kind: 'files', count: 2 },
			],
		});
		expect(receipt['remains']).toContainEqual(expect.objectContaining({ kind: 'decomposition' }));
		await expect(bench.run('contact', 'get', contact())).rejects.toMatchObject({
			context: { code: 'error.gateway.contacts.notFound' },
		});
	});
});
