import type { IDataObject } from 'n8n-workflow';

import { generateSchemas } from '../../../nodes/Enmeshed/schemas/generate-schemas';
import { pngOf, readDataUrl, readPng, readSvg } from '../../support/qr-codes';
import { NodeBench } from '../support/node-bench';

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

let bench: NodeBench;
/** parameters of every operation that makes a QR code */
let operations: Record<string, IDataObject>;

const names = ['relationshipTemplate.create', 'relationshipTemplate.get', 'file.get'];

beforeAll(async () => {
	bench = await NodeBench.open();
	const template = {
		contentMode: 'json',
		content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": "Come in" }',
	};
	const idOf = async (resource: string, operation: string, parameters: IDataObject) => {
		const { id } = await bench.one(resource, operation, parameters);
		return { __rl: true, mode: 'id', value: id };
	};
	operations = {
		'relationshipTemplate.create': template,
		'relationshipTemplate.get': {
			template: await idOf('relationshipTemplate', 'create', template),
			drawQrCode: true,
		},
		'file.get': {
			file: await idOf('file', 'upload', { source: 'text', text: 'x' }),
			drawQrCode: true,
		},
	};
});

afterAll(async () => {
	await bench.close();
});

async function run(name: string, options: IDataObject | IDataObject[]) {
	const [resource = '', operation = ''] = name.split('.');
	const complete = (given: IDataObject) => ({ ...operations[name], options: given });
	const parameters = Array.isArray(options) ? options.map(complete) : complete(options);
	return await bench.run(resource, operation, parameters);
}

const bytesOf = (data: string | undefined): Buffer => Buffer.from(data ?? '', 'base64');

describe.each(names)('%s', (name) => {
	it('gives the QR code as a file alone', async () => {
		const [item] = await run(name, {});
		expect(item?.json).not.toHaveProperty('qrCodeDataUrl');
		expect(item?.json).not.toHaveProperty('qrCodeSvg');
		expect(readPng(bytesOf(item?.binary?.['data']?.data))).toBe(item?.json['link']);
	});

	it('adds the same QR code to the JSON on request', async () => {
		const [item] = await run(name, { qrCodeInJson: ['dataUrl', 'svg'] });
		const text = item?.json['link'];
		const { qrCodeDataUrl, qrCodeSvg } = item?.json ?? {};
		expect(pngOf(qrCodeDataUrl)).toEqual(bytesOf(item?.binary?.['data']?.data));
		expect(readDataUrl(qrCodeDataUrl)).toBe(text);
		expect(readSvg(qrCodeSvg).text).toBe(text);
		expect(JSON.stringify(item?.json).length).toBeLessThan(30_000);
	});

	it('draws the size and the error correction of its options', async () => {
		const style = { qrCodeErrorCorrection: 'high', qrCodeSize: 600 };
		const [item] = await run(name, { ...style, qrCodeInJson: ['svg'] });
		expect(item?.json).not.toHaveProperty('qrCodeDataUrl');
		const drawn = readSvg(item?.json['qrCodeSvg']);
		expect(drawn).toMatchObject({ width: 600, height: 600 });
		const png = bytesOf(item?.binary?.['data']?.data);
		expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([600, 600]);
		expect(readPng(png)).toBe(drawn.text);
		const [usual] = await run(name, { qrCodeInJson: ['svg'] });
		expect(drawn.modules).toBeGreaterThan(readSvg(usual?.json['qrCodeSvg']).modules);
	});

	it.each([
		[{ qrCodeSize: 199 }, "The field 'QR Code Size' is not valid"],
		[{ qrCodeSize: 2001 }, "The field 'QR Code Size' is not valid"],
		[{ qrCodeSize: 'large' }, "The field 'QR Code Size' is not valid"],
		[{ qrCodeErrorCorrection: 'best' }, "The field 'QR Code Error Correction' is not valid"],
		[{ qrCodeInJson: ['gif'] }, "The field 'QR Code in JSON' is not valid"],
	])('refuses %j', async (options, message) => {
		await expect(run(name, options)).rejects.toThrow(message);
	});

	it('announces the texts in the preview of its output', () => {
		const [resource, operation] = name.split('.');
		expect(generateSchemas()[`v1.0.0/${resource}/${operation}.json`]).toMatchObject({
			properties: { qrCodeDataUrl: { type: 'string' }, qrCodeSvg: { type: 'string' } },
		});
	});
});

describe('many items', () => {
	it('have QR codes of their own', async () => {
		const options = Array.from({ length: 40 }, () => ({ qrCodeInJson: ['dataUrl', 'svg'] }));
		const items = await run('relationshipTemplate.create', options);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(options.map((_, item) => ({ item })));
		const texts = items.map(({ json }) => String(json['link']));
		expect(new Set(texts).size).toBe(40);
		expect(items.map(({ json }) => readSvg(json['qrCodeSvg']).text)).toEqual(texts);
		const [first, last] = [items.at(0), items.at(-1)];
		expect(readDataUrl(first?.json['qrCodeDataUrl'])).toBe(texts.at(0));
		expect(readDataUrl(last?.json['qrCodeDataUrl'])).toBe(texts.at(-1));
	});
});
