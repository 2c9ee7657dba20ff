import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';

import { openLetters, type LetterInput, type LetterOptionsInput } from '../../../core';
import { isGatewayError } from '../../../core/base/errors';
import { cutOff, overwritten, slab } from '../../support/paper/fonts';
import { readPaper } from '../../support/paper/read-paper';

/** Drawing a page as a picture is slow. */
jest.setTimeout(120_000);

const link = `https://backbone.example.com/r/${'UkxUYTFCMmMzRDRlNUY2RzdIOGl8M3xB'.repeat(3)}`;
const recipient = 'Łukasz Ğülşen-Čapek\nHinter den Höfen 12\n12345 Großstadt';
const pin = '482913';
const point = 72 / 25.4;

async function print(
	letters: readonly Partial<LetterInput>[],
	look: LetterOptionsInput = {},
): Promise<Uint8Array> {
	const document = await openLetters(look);
	for (const letter of letters) await document.add({ link, recipient, ...letter });
	return await document.finish();
}

async function failure(promise: Promise<unknown>): Promise<readonly [string, string]> {
	const error: unknown = await promise.catch((reason: unknown) => reason);
	if (!isGatewayError(error)) throw new Error(`No coded error but ${String(error)}`);
	return [error.code, error.message];
}

const png = (width: number, height: number): Buffer =>
	PNG.sync.write(
		Object.assign(new PNG({ width, height }), { data: Buffer.alloc(width * height * 4, 90) }),
	);

describe('a letter', () => {
	it('is an A4 page with address, date, subject, text, code and link', async () => {
		const pages = await readPaper(
			await print([
				{
					date: '28. November 2026',
					subject: 'Ihr Zugang',
					text: 'Guten Tag,\n\nanbei.',
					caption: 'Scan:',
				},
			]),
		);
		const [page] = pages;
		expect(pages).toHaveLength(1);
		expect(page?.width).toBeCloseTo(210 * point, 0);
		expect(page?.height).toBeCloseTo(297 * point, 0);
		expect(page?.codes).toEqual([link]);
		const drawn = page?.lines ?? [];
		expect(drawn.slice(0, 7)).toEqual([
			...recipient.split('\n'),
			'28. November 2026',
			'Ihr Zugang',
			'Guten Tag,',
			'anbei.',
		]);
		expect(drawn.slice(7).join('')).toBe(`Scan:${link}`);
	});

	it('is read from photographs: turned, upside down in dim light, blurred, from far away', async () => {
		const photos = [
			{ degrees: 7 },
			{ degrees: 90 },
			{ degrees: 183, brightness: 0.45 },
			{ blur: 1.5 },
			{ scale: 1.2, degrees: 3 },
			{ degrees: -12, brightness: 0.6, blur: 1.5 },
		];
		const [page] = await readPaper(await print([{ pin }], { pinPlace: 'letter' }), photos);
		expect(page?.codes).toEqual(photos.map(() => link));
	});

	it.each([
		['letter', [['PIN: 482913']]],
		['secondPage', [[], ['PIN: 482913']]],
		['none', [[]]],
	] as const)('prints its PIN as asked for: %s', async (pinPlace, shown) => {
		const pages = await readPaper(await print([{ pin }], { pinPlace }));
		const found = pages.map(({ lines }) => lines.filter((text) => text.includes(pin)));
		expect(found).toEqual(shown);
	});

	it('can have the PIN alone, without link and code', async () => {
		const look = { layout: 'pinLetter', pinLabel: 'Passwort' } as const;
		const [page] = await readPaper(await print([{ pin, text: 'Zum Zugang gehört:' }], look));
		expect(page?.lines.slice(3)).toEqual(['Zum Zugang gehört:', 'Passwort: 482913']);
		expect(page?.codes).toEqual([null]);
	});

	it('continues over further pages, and keeps its code in one piece', async () => {
		const text = 'Ein Satz, der sich wiederholt. '.repeat(200);
		const pages = await readPaper(await print([{ text }]));
		expect(pages.length).toBeGreaterThan(1);
		expect(pages.at(-1)?.codes).toEqual([link]);
		expect(
			pages
				.flatMap(({ lines }) => lines)
				.join(' ')
				.match(/Ein Satz/g),
		).toHaveLength(200);
	});

	it('gives a name of 200 characters smaller letters', async () => {
		const name = 'Maximiliane '.repeat(17).trim().slice(0, 200);
		const long = `${name}\nHinter den Höfen 12\n12345 Großstadt`;
		const [page] = await readPaper(await print([{ recipient: long, subject: 'Betreff' }]));
		const lines = page?.lines ?? [];
		expect(lines.slice(0, lines.indexOf('Betreff')).join(' ')).toBe(long.replace(/\n/g, ' '));
	});

	it('shows a logo, also a transparent one, as often as needed for the price of one', async () => {
		const logo = png(300, 100);
		const one = await print([{}], { logo });
		const many = await print(
			Array.from({ length: 20 }, () => ({})),
			{ logo },
		);
		const plain = await print(Array.from({ length: 20 }, () => ({})));
		expect(many.length - plain.length).toBeLessThan(one.length);
		expect((await readPaper(one))[0]?.codes).toEqual([link]);
	});
});

describe('a sheet of labels', () => {
	it.each([
		['3x8', 24],
		['3x7', 21],
		['2x7', 14],
		['2x4', 8],
	] as const)('of %s has %i labels on a page, all inside it', async (labelSheet, number) => {
		const labels = Array.from({ length: number + 1 }, (_, index) => ({
			recipient: `Person ${index}\nKlasse 10b`,
			pin: '1234',
		}));
		const pdf = await print(labels, { layout: 'labels', labelSheet, pinPlace: 'letter' });
		const pages = await readPaper(pdf);
		const people = pages.map(({ lines }) => lines.filter((text) => text.startsWith('Person')));
		expect(people.map(({ length }) => length)).toEqual([number, 1]);
		expect(pages.flatMap(({ lines }) => lines.filter((text) => text === 'PIN: 1234'))).toHaveLength(
			number + 1,
		);
		// Several codes stand on a page; the last page has one.
		expect(pages[1]?.codes).toEqual([link]);
	});

	it('begins at the first free label', async () => {
		const look = { layout: 'labels', labelSheet: '2x4', firstLabel: 8 } as const;
		const pages = await readPaper(await print([{}, {}], look));
		expect(pages).toHaveLength(2);
		const wrong = failure(openLetters({ ...look, firstLabel: 9 }));
		expect(await wrong).toEqual([
			'error.runtime.validation.invalidPropertyValue',
			"'firstLabel' is not valid: the sheet has fewer labels.",
		]);
	});
});

describe('what cannot be printed', () => {
	const damaged = Buffer.concat([png(40, 40).subarray(0, 60), Buffer.alloc(40, 7)]);
	const huge = png(1, 1);
	for (const place of [16, 20]) huge.writeUInt32BE(60_000, place);
	huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);

	it.each([
		['text', Buffer.from('no picture')],
		['nothing', Buffer.alloc(0)],
		['a damaged PNG', damaged],
		['a PNG of too many pixels', huge],
		['the beginning of a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
	])('is a logo that is %s', async (_name, logo) => {
		const [code, message] = await failure(openLetters({ logo }));
		expect(code).toBe('error.gateway.letters.invalidPicture');
		expect(message).toMatch(/^The logo cannot be used\. ./);
	});

	it('is a logo whose pixels would fill the memory, before they are read', async () => {
		const [, message] = await failure(openLetters({ logo: huge }));
		expect(message).toContain('more than 25 million');
	});

	it.each<[string, Buffer]>([
		['none', Buffer.from('no font')],
		['empty', Buffer.alloc(0)],
		['cut off after 10 %', cutOff(slab('woff'), 10)],
		['cut off after 30 %', cutOff(slab('woff'), 30)],
		['cut off after 99 %', cutOff(slab('woff'), 99)],
		['cut off as TrueType', cutOff(slab('ttf'), 40)],
		['cut off as WOFF2', cutOff(slab('woff2'), 70)],
		['overwritten in its glyphs', overwritten(slab('ttf'), 'glyf')],
		['overwritten in its compressed glyphs', overwritten(slab('woff'), 'glyf')],
	])('is text in a font that is %s', async (_name, font) => {
		expect(await failure(print([{}], { font }))).toEqual([
			'error.gateway.letters.invalidFont',
			'The font file cannot be read.',
		]);
	});

	it.each([
		['王小明', "'recipient' contains the character '王' (U+738B), which the font does not have."],
		['ألف', "'recipient' contains the character 'أ' (U+0623), which the font does not have."],
	])('is the name %s in the usual font', async (name, message) => {
		expect(await failure(print([{ recipient: name }]))).toEqual([
			'error.gateway.letters.characterNotInFont',
			message,
		]);
	});

	it('is a recipient of many lines', async () => {
		expect(await failure(print([{ recipient: 'Zeile\n'.repeat(14) }]))).toEqual([
			'error.gateway.letters.doesNotFit',
			"The text of 'recipient' does not fit into its place, even in small letters.",
		]);
	});

	it.each([
		[{ link: 'no link' }, "'link' is not valid: expected a link."],
		[{ recipient: ' ' }, "'recipient' is not valid: it is empty."],
	])('is input like %j', async (letter, message) => {
		expect(await failure(print([letter]))).toEqual([
			'error.runtime.validation.invalidPropertyValue',
			message,
		]);
	});

	it('leaves nothing on the paper', async () => {
		const document = await openLetters();
		await document.add({ link, recipient: 'Ada' });
		await failure(document.add({ link, recipient: '王' }));
		await failure(
			document.add({ link: `https://a.example/${'x'.repeat(980)}`, recipient: 'Ada\n'.repeat(20) }),
		);
		const pages = await readPaper(await document.finish());
		expect(pages.map(({ lines }) => lines[0])).toEqual(['Ada']);
	});
});

it.each(['ttf', 'woff'] as const)('is printed in a font of its own: %s', async (format) => {
	const pdf = Buffer.from(await print([{}], { font: slab(format) })).toString('latin1');
	expect(pdf).toContain('RobotoSlab');
	expect(pdf).not.toContain('Roboto-');
});
