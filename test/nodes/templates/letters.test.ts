import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { cutOff, overwritten, slab } from '../../support/paper/fonts';
import { readPaper, type PaperPage } from '../../support/paper/read-paper';
import { NodeBench } from '../support/node-bench';

/** Drawing a page as a picture is slow. */
jest.setTimeout(120_000);

let bench: NodeBench;
beforeAll(async () => {
	bench = await NodeBench.open();
});
afterAll(async () => {
	await bench.close();
});

const create = (rows: IDataObject[], options: Parameters<NodeBench['run']>[3] = {}) =>
	bench.run('relationshipTemplate', 'createLetters', rows, options);

async function pagesOf(item: INodeExecutionData | undefined): Promise<PaperPage[]> {
	const file = item?.binary?.['data'];
	expect(file).toMatchObject({ mimeType: 'application/pdf', fileName: 'letters.pdf' });
	return await readPaper(Buffer.from(file?.data ?? '', 'base64'));
}

const row = (name: string): IDataObject => ({
	link: `https://backbone.example.com/r/${name}`,
	recipient: `${name}\nMarket Square 1`,
	subject: 'Your access',
	pin: 1234,
});

describe('Create Letters', () => {
	it('draws the codes of templates that the node has made, one letter each', async () => {
		const template = await bench.one('relationshipTemplate', 'create', {
			contentMode: 'json',
			content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": "Come in" }',
		});
		const [item] = await create([{ link: template['link'], recipient: 'Ada Lovelace' }]);
		const [page] = await pagesOf(item);
		expect(page?.codes).toEqual([template['link']]);
		expect(page?.lines[0]).toBe('Ada Lovelace');
	});

	it('makes one PDF of all items, which belongs to all of them', async () => {
		const items = await create([row('Ada'), row('Grace'), row('Edsger')]);
		expect(items).toHaveLength(1);
		expect(items[0]?.json).toEqual({ letters: 3, pages: 6 });
		expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const pages = await pagesOf(items[0]);
		expect(pages.map(({ lines }) => lines[0])).toEqual([
			...['Ada', 'Your access', 'Grace', 'Your access', 'Edsger', 'Your access'],
		]);
		expect(pages.map(({ lines }) => lines.includes('PIN: 1234'))).toEqual([
			...[false, true, false, true, false, true],
		]);
	});

	it('makes a PDF of each item if it is told to', async () => {
		const each = (name: string) => ({ ...row(name), documents: 'each', pinPlace: 'none' });
		const items = await create([each('Ada'), each('Grace')]);
		expect(items.map(({ json }) => json)).toEqual([
			{ letters: 1, pages: 1 },
			{ letters: 1, pages: 1 },
		]);
		const [page] = await pagesOf(items[1]);
		expect(page?.codes).toEqual(['https://backbone.example.com/r/Grace']);
	});

	it('leaves out the row that cannot be printed, and says why, where the workflow continues', async () => {
		const rows = [row('Ada'), { ...row('Grace'), recipient: '' }, row('王'), row('Edsger')];
		const items = await create(rows, { continueOnFail: true });
		expect(items.map(({ json }) => json['code'] ?? json['letters'])).toEqual([
			'error.runtime.validation.invalidPropertyValue',
			'error.gateway.letters.characterNotInFont',
			2,
		]);
		const pages = await pagesOf(items[2]);
		expect(pages.filter(({ codes }) => codes[0] !== null)).toHaveLength(2);
	});

	it('names item and field of the first row that cannot be printed', async () => {
		const rows = [row('Ada'), { ...row('Grace'), recipient: '' }];
		await expect(create(rows)).rejects.toMatchObject({
			message: "The field 'Recipient' is not valid",
			context: { itemIndex: 1 },
		});
		await expect(create([row('王')])).rejects.toMatchObject({
			context: { itemIndex: 0, code: 'error.gateway.letters.characterNotInFont' },
		});
	});

	it('refuses a logo that is none', async () => {
		const binary = {
			logo: { data: Buffer.from('text').toString('base64'), mimeType: 'image/png' },
		};
		const rows = [{ ...row('Ada'), options: { logo: 'logo' } }];
		await expect(create(rows, { items: [{ json: {}, binary }] })).rejects.toMatchObject({
			context: { code: 'error.gateway.letters.invalidPicture' },
		});
	});

	it.each([
		['is none', Buffer.from('text')],
		['is cut off', cutOff(slab('woff'), 30)],
		['is damaged inside', overwritten(slab('ttf'), 'glyf')],
	])('names the field and the remedy for a font that %s', async (_name, file) => {
		const binary = { mine: { data: file.toString('base64'), mimeType: 'font/ttf' } };
		const rows = [{ ...row('Ada'), options: { font: 'mine' } }];
		await expect(create(rows, { items: [{ json: {}, binary }] })).rejects.toMatchObject({
			message: "The field 'Font Field Name' is not valid",
			description: expect.stringMatching(
				/^The font file cannot be read\. Give a font as /,
			) as string,
			context: { itemIndex: 0, code: 'error.gateway.letters.invalidFont' },
		});
	});

	it('prints 500 rows into one PDF of some megabytes', async () => {
		const rows = Array.from({ length: 500 }, (_, index) => ({
			...row(`Person ${index}`),
			link: `https://backbone.example.com/r/${index}`,
			layout: 'labels',
		}));
		const [item] = await create(rows);
		expect(item?.json).toEqual({ letters: 500, pages: Math.ceil(500 / 24) });
		const bytes = Buffer.from(item?.binary?.['data']?.data ?? '', 'base64').length;
		expect(bytes).toBeLessThan(5_000_000);
	});
});
