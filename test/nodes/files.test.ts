import { arrivals } from '../support/gateways';
import jsQR from 'jsqr';
import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { PNG } from 'pngjs';
import { safeName } from '../../nodes/Enmeshed/operation/binary';
import { searchFiles } from '../../nodes/Enmeshed/methods/list-search';
import { loadOptionsFunctions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

let bench: NodeBench;

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterAll(async () => {
	await bench.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

const binaryItem = (text: string, more: Partial<IBinaryData> = {}): INodeExecutionData => ({
	json: {},
	binary: {
		data: {
			data: Buffer.from(text).toString('base64'),
			fileName: 'letter.txt',
			mimeType: 'text/plain',
			...more,
		},
	},
});

async function upload(text: string, options: IDataObject = {}): Promise<IDataObject> {
	const [item] = await bench.run('file', 'upload', { options }, { items: [binaryItem(text)] });
	if (item === undefined) throw new Error('The upload gave no item');
	return item.json;
}

const textOf = (file: IBinaryData | undefined): string =>
	Buffer.from(file?.data ?? '', 'base64').toString();

function scan(file: IBinaryData | undefined): string | undefined {
	const image = PNG.sync.read(Buffer.from(file?.data ?? '', 'base64'));
	return jsQR(new Uint8ClampedArray(image.data), image.width, image.height)?.data;
}

describe('files', () => {
	it('go from the input to a peer that has their link', async () => {
		const uploaded = await upload('Dear Ada');
		expect(uploaded).toEqual({
			id: expect.stringMatching(/^FIL/),
			filename: 'letter.txt',
			mimetype: 'text/plain',
			filesize: 8,
			isOwn: true,
			owner: expect.stringMatching(/^did:e:/),
			createdAt: expect.any(String),
			expiresAt: '9999-12-31T00:00:00.000Z',
			link: expect.stringMatching(/^http:\/\/localhost:\d+\/r\/FIL/),
			truncatedReference: expect.stringMatching(/^RklM/),
		});
		const { files } = bench.wallet;
		const { id } = await files.getOrLoad({ reference: String(uploaded['link']) });
		expect(Buffer.from((await files.download(id)).content).toString()).toBe('Dear Ada');
	});

	it('are described as the options say', async () => {
		const [item] = await bench.run(
			'file',
			'upload',
			{
				options: {
					title: 'T',
					description: 'D',
					filename: 'other.md',
					mimetype: 'text/markdown',
					tags: 'one, two',
					expiresAt: '2099-06-01T12:00:00',
				},
			},
			{ items: [binaryItem('x')], timezone: 'Europe/Berlin' },
		);
		expect(item?.json).toMatchObject({
			title: 'T',
			description: 'D',
			filename: 'other.md',
			mimetype: 'text/markdown',
			tags: ['one', 'two'],
			expiresAt: '2099-06-01T10:00:00.000Z',
		});
	});

	it('can be made from a text', async () => {
		const uploaded = await bench.one('file', 'upload', { source: 'text', text: ' Grüße ' });
		expect(uploaded).toMatchObject({ filename: 'text.txt', mimetype: 'text/plain' });
		const [item] = await bench.run('file', 'download', { file: locator(uploaded['id']) });
		expect(textOf(item?.binary?.['data'])).toBe(' Grüße ');
	});

	it.each([
		[{ options: { expiresAt: 'soon' } }, "The field 'Expires At' is not valid"],
		[{ binaryPropertyName: 'photo' }, /binary file 'photo'/],
		[{ binaryPropertyName: '' }, "The field 'Input Data Field Name' is not valid"],
		[{ source: 'text', text: '' }, "The field 'Text' is not valid"],
	])('are not uploaded with %j', async (parameters, message) => {
		const items = [binaryItem('x')];
		await expect(bench.run('file', 'upload', parameters, { items })).rejects.toThrow(message);
	});

	it('that are too large are refused with the code and the limit', async () => {
		const items = [binaryItem('x'.repeat(7_864_243))];
		await expect(bench.run('file', 'upload', {}, { items })).rejects.toMatchObject({
			message: expect.stringContaining('at most 7864242 fit'),
			context: { code: 'error.transport.files.maxFileSizeExceeded', itemIndex: 0 },
		});
	});

	it('of a peer are loaded, listed, shown and downloaded', async () => {
		const described = { filename: '../../etc/passwd', mimetype: 'odd\r\ntype', title: 'Photo' };
		const { truncatedReference, id } = await bench.wallet.files.upload(
			described,
			Buffer.from('a photo'),
		);
		const { file: loaded } = await bench.one('account', 'loadFromReference', {
			reference: truncatedReference,
		});
		expect(loaded).toMatchObject({ id, isOwn: false, title: 'Photo' });
		const listed = await bench.run('file', 'getAll', {
			filters: { owner: 'peers', title: 'photo', onlyValid: true },
		});
		expect(listed.map(({ json }) => json)).toEqual([loaded]);
		const raw = await bench.one('file', 'get', { file: locator(id), simplify: false });
		expect(raw).toMatchObject({ id, reference: { truncated: truncatedReference } });
		const [item] = await bench.run('file', 'download', {
			file: locator(id),
			binaryPropertyName: 'photo',
		});
		expect(item?.json).toEqual(loaded);
		const file = item?.binary?.['photo'];
		expect(textOf(file)).toBe('a photo');
		// Neither the name nor the type that a peer chose can do harm in a workflow.
		expect(file).toMatchObject({
			fileName: '__.._etc_passwd',
			mimeType: 'application/octet-stream',
		});
	});

	it.each([
		['a.txt', 'a.txt'],
		['/etc/passwd', '_etc_passwd'],
		['C:\\x', 'C__x'],
		['..', '_'],
		['...hidden', '_hidden'],
		['a\u0000b\n', 'a_b_'],
		['x'.repeat(300), 'x'.repeat(255)],
		['\u202Egpj.exe', 'gpj.exe'],
		['\u2066a\u2069\u200Fb\u061C', 'ab'],
		['\u200E..\u2028', '__'],
	])('named %j are %j for the workflow', (name, safe) => {
		expect(safeName(name)).toBe(safe);
	});

	it('are found by name and tag, and have a QR code', async () => {
		const uploaded = await upload('poster', { filename: 'poster.pdf', tags: 'hall' });
		const filters = { filename: '.PDF', tag: 'hall', owner: 'me' };
		const listed = await bench.run('file', 'getAll', { filters });
		expect(listed.map(({ json }) => json)).toEqual([uploaded]);
		const file = locator(uploaded['id']);
		const [item] = await bench.run('file', 'get', { file, drawQrCode: true });
		expect(scan(item?.binary?.['data'])).toBe(uploaded['link']);
	});

	it('stand in the list of the editor by title or name', async () => {
		await upload('x', { filename: 'listed.pdf', title: 'Listed' });
		const functions = loadOptionsFunctions({ credentials: bench.credential });
		const { results } = await searchFiles.call(functions, 'LISTED (');
		expect(results).toEqual([{ name: 'Listed (listed.pdf)', value: expect.any(String) }]);
	});

	it('behind a protected link need its password', async () => {
		const { id } = await bench.wallet.files.upload(
			{ filename: 'secret.txt', mimetype: 'text/plain' },
			Buffer.from('secret'),
		);
		const token = await bench.wallet.files.createToken(id, {
			passwordProtection: { password: 'pw' },
		});
		const reference = token.reference.url;
		await expect(bench.run('account', 'loadFromReference', { reference })).rejects.toMatchObject({
			context: { code: 'error.transport.noPasswordProvided' },
		});
		const loaded = await bench.one('account', 'loadFromReference', {
			reference,
			password: 'pw',
		});
		expect(loaded).toMatchObject({ type: 'File', id, file: { filename: 'secret.txt' } });
	});
});

describe('a token of a peer', () => {
	it('is opened by its link, with its password, and shows what it carries', async () => {
		const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
		const own = await bench.wallet.tokens.create({
			content: { hello: 'gateway' },
			expiresAt,
			passwordProtection: { password: 'pw' },
		});
		const open = { reference: own.reference.url, password: 'pw' };
		expect(await bench.one('account', 'loadFromReference', open)).toMatchObject({
			type: 'Token',
			id: own.id,
			token: { content: { hello: 'gateway' }, isOwn: false },
		});
		expect(
			await bench.one('account', 'loadFromReference', { ...open, simplify: false }),
		).toMatchObject({ type: 'Token', token: { passwordProtection: { password: 'pw' } } });
	});
});

describe('mail with files', () => {
	it('takes uploaded files and files of the input, and gives them back', async () => {
		const { relationshipId, address } = await bench.connect();
		await bench.run('relationship', 'accept', { relationship: locator(relationshipId) });
		const uploaded = await upload('uploaded');
		const [sent] = await bench.run(
			'message',
			'sendMail',
			{
				to: locator(address),
				subject: 'Files',
				body: 'Two of them',
				additionalFields: {
					attachments: {
						files: [
							{
								fileSource: 'list',
								file: { __rl: true, mode: 'id', value: String(uploaded['id']) },
							},
							{ fileSource: 'input', binaryPropertyName: 'data' },
						],
					},
				},
			},
			{ items: [binaryItem('from the input')] },
		);
		const attachments = sent?.json['attachments'] as string[];
		expect(attachments).toEqual([uploaded['id'], expect.stringMatching(/^FIL/)]);
		const { messages } = await arrivals(bench.wallet);
		const received = messages[0]?.id ?? '';
		const second = await bench.wallet.messages.downloadAttachment(received, attachments[1] ?? '');
		expect(Buffer.from(second.content).toString()).toBe('from the input');

		const ours = String((await bench.one('account', 'getIdentity'))['address']);
		const reply = await bench.wallet.messages.send({
			recipients: [ours],
			content: { '@type': 'Mail', to: [ours], subject: 'Back', body: 'Both' },
			attachments,
		});
		await bench.settle();
		const message = locator(reply.id);
		const all = await bench.run('message', 'downloadAttachment', { message });
		expect(all.map(({ binary }) => textOf(binary?.['data']))).toEqual([
			'uploaded',
			'from the input',
		]);
		expect(all.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
		const one = { message, fileId: attachments[1] ?? '', binaryPropertyName: 'file' };
		const [single, ...others] = await bench.run('message', 'downloadAttachment', one);
		expect(others).toEqual([]);
		expect(textOf(single?.binary?.['file'])).toBe('from the input');
		const foreign = { message, fileId: 'FILaaaaaaaaaaaaaaaaa' };
		await expect(bench.run('message', 'downloadAttachment', foreign)).rejects.toMatchObject({
			context: { code: 'error.runtime.messages.fileNotFoundInMessage' },
		});
	});

	it('is not sent with an unknown file', async () => {
		const [active] = await bench.run('relationship', 'getAll', {
			filters: { statuses: ['Active'] },
		});
		await expect(
			bench.run('message', 'sendMail', {
				to: locator(active?.json['peer']),
				subject: 'x',
				body: 'y',
				additionalFields: {
					attachments: {
						files: [
							{
								fileSource: 'list',
								file: { __rl: true, mode: 'id', value: 'FILaaaaaaaaaaaaaaaaa' },
							},
						],
					},
				},
			}),
		).rejects.toMatchObject({ context: { code: 'error.runtime.recordNotFound' } });
	});
});
