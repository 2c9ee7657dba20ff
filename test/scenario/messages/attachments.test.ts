import type { FileDto, Gateway } from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

/* Files that go with messages (docs/protocol/transport.md 7.1, 7.4, 8.5). */
let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let addressA: string;
let addressB: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await network.gateway();
	b = await network.gateway();
	({ addressA, addressB } = await relate(a, b));
});

afterAll(() => network.close());

const upload = (text: string): Promise<FileDto> =>
	a.files.upload(
		{ filename: `${text}.txt`, mimetype: 'text/plain' },
		new TextEncoder().encode(text),
	);

const send = async (...files: FileDto[]) => {
	const attachments = files.map(({ id }) => id);
	return await a.messages.send({ ...mailTo(addressB), attachments });
};

const textOf = async (message: string, file: string): Promise<string> =>
	Buffer.from((await b.messages.downloadAttachment(message, file)).content).toString();

const refuse = (path: RegExp): unknown =>
	network.backbone.faults.add({ path, times: 1_000, action: { kind: 'status', status: 503 } });

const rowOf = <Row>(rows: Map<string, Row>, id: string): Row => {
	const row = rows.get(id);
	if (row === undefined) throw new Error(`The sandbox does not have ${id}`);
	return row;
};

describe('the attachments of a message', () => {
	afterEach(() => network.backbone.faults.clear());

	it('arrive with it as files of the peer', async () => {
		const files = [await upload('one'), await upload('two')];
		const sent = await send(...files);
		const ids = files.map(({ id }) => id);
		expect(sent.attachments).toEqual(ids);
		const { messages } = await arrivals(b);
		expect(messages).toMatchObject([{ id: sent.id, attachments: ids }]);
		const received = await b.files.list({ where: [{ field: 'isOwn', op: 'eq', value: false }] });
		expect(received).toMatchObject([
			{ id: ids[0], filename: 'one.txt', reference: files[0]?.reference },
			{ id: ids[1], filename: 'two.txt' },
		]);
		expect(await b.messages.listAttachments(sent.id)).toEqual(received);
		expect(await b.messages.getAttachment(sent.id, ids[1] ?? '')).toEqual(received[1]);
		expect(await textOf(sent.id, ids[1] ?? '')).toBe('two');
		expect(await a.messages.listAttachments(sent.id)).toEqual(files);
		const found = await b.messages.list({
			where: [{ field: 'attachment', op: 'eq', value: ids[0] ?? '' }],
		});
		expect(found).toEqual(messages);
	});

	it('may be files of a peer as well, and stay one file', async () => {
		const file = await upload('handed on');
		const first = await send(file);
		await settle(b);
		const back = await b.messages.send({ ...mailTo(addressA), attachments: [file.id] });
		await settle(a);
		expect(await a.messages.listAttachments(back.id)).toEqual([file]);
		expect(await a.files.get(file.id)).toEqual(file);
		const again = await send(file);
		await settle(b);
		expect(await b.messages.listAttachments(again.id)).toEqual(
			await b.messages.listAttachments(first.id),
		);
	});

	it('are those that the message names, and no others', async () => {
		const [inside, outside] = [await upload('inside'), await upload('outside')];
		const sent = await send(inside);
		await settle(b);
		await b.files.getOrLoad({ reference: outside.truncatedReference });
		for (const call of [
			b.messages.getAttachment(sent.id, outside.id),
			b.messages.downloadAttachment(sent.id, outside.id),
		]) {
			expect((await failureOf(call)).code).toBe('error.runtime.messages.fileNotFoundInMessage');
		}
		const unknown = b.messages.listAttachments('MSGaaaaaaaaaaaaaaaaa');
		expect((await failureOf(unknown)).code).toBe('error.runtime.recordNotFound');
	});

	it('hold up no message when they are deleted before it arrives', async () => {
		const [gone, there] = [await upload('gone'), await upload('there')];
		const sent = await send(gone, there);
		await a.files.delete(gone.id);
		const { messages, pendingFailures } = await arrivals(b);
		expect(pendingFailures).toEqual([]);
		expect(messages).toMatchObject([{ id: sent.id, attachments: [gone.id, there.id] }]);
		expect(await textOf(sent.id, there.id)).toBe('there');
		const missing = await failureOf(b.messages.downloadAttachment(sent.id, gone.id));
		expect(missing.code).toBe('error.runtime.recordNotFound');
	});

	it('hold up no message when they cannot be read, and are read once they can', async () => {
		const file = await upload('readable later');
		const sent = await send(file);
		const row = rowOf(network.backbone.state.files, file.id);
		const original = row.encryptedProperties;
		const other = rowOf(network.backbone.state.files, (await upload('other')).id);
		row.encryptedProperties = other.encryptedProperties;
		const { messages, pendingFailures } = await arrivals(b);
		expect([messages.length, pendingFailures]).toEqual([1, []]);
		const unreadable = await failureOf(b.messages.getAttachment(sent.id, file.id));
		expect(unreadable.code).toBe('error.crypto.encryption.decrypt');
		row.encryptedProperties = original;
		expect(await textOf(sent.id, file.id)).toBe('readable later');
	});

	it('that the Backbone does not list are loaded on request', async () => {
		const file = await upload('not listed');
		const sent = await send(file);
		rowOf(network.backbone.state.messages, sent.id).attachments = [];
		network.backbone.calls.clear();
		await settle(b);
		expect(network.backbone.calls.count('GET', /Files/)).toBe(0);
		expect(await textOf(sent.id, file.id)).toBe('not listed');
	});

	it('are waited for while the Backbone is away: nothing is lost', async () => {
		const file = await upload('late');
		const sent = await send(file);
		refuse(/./);
		expect((await failureOf(arrivals(b))).kind).toBe('unavailable');
		network.backbone.faults.clear();
		const { messages } = await arrivals(b);
		expect(messages).toMatchObject([{ id: sent.id }]);
		expect(await textOf(sent.id, file.id)).toBe('late');
	});

	it('are waited for while the Backbone answers all but them: only their message waits', async () => {
		const file = await upload('later than others');
		const sent = await send(file);
		const other = await send();
		refuse(/Files/);
		const { messages, pendingFailures } = await arrivals(b);
		expect(messages).toMatchObject([{ id: other.id }]);
		expect(pendingFailures).toMatchObject([{ code: 'error.platform.unexpected' }]);
		expect((await b.account.getSyncStatus()).parkedEvents).toEqual([]);
		network.backbone.faults.clear();
		await network.arrives(b, () =>
			b.messages.list().then((all) => all.some(({ id }) => id === sent.id)),
		);
		expect(await textOf(sent.id, file.id)).toBe('later than others');
	});

	it('go with a message whose answer was lost, once', async () => {
		const file = await upload('once');
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutAfter' },
		});
		expect((await failureOf(send(file))).code).toBe('error.gateway.messages.outcomeUnknown');
		await settle(a);
		const found = await a.messages.list({
			where: [{ field: 'attachment', op: 'eq', value: file.id }],
		});
		expect(found).toHaveLength(1);
		await settle(b);
		expect(await textOf(found[0]?.id ?? '', file.id)).toBe('once');
	});
});
