import type { IExecuteFunctions } from 'n8n-workflow';
import type { LetterDocument, LetterInput, LetterOptionsInput } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { loadCore } from '../../gateway/core';
import { defined } from '../../helpers/members';
import { readBinary, toBinary } from '../../operation/binary';
import type { Operation, OperationCall, OutputRecord } from '../../operation/operation';
import { toRecord } from '../../output/to-items';
import { letterFields } from './letter-fields';

const inputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({
		layout: z.enum(['letter', 'pinLetter', 'labels']),
		documents: z.enum(['one', 'each']),
		link: optionalText,
		recipient: text,
		subject: optionalText,
		text: optionalText,
		caption: optionalText,
		pin: z.preprocess(numberAsText, optionalText),
		pinPlace: z.enum(['letter', 'none', 'secondPage']),
		binaryPropertyName: text,
		options: z.object({
			codeSize: z.number('Expected a number').optional(),
			date: optionalText,
			firstLabel: z.number('Expected a number').optional(),
			font: optionalText,
			labelSheet: z.enum(['2x4', '2x7', '3x7', '3x8']).optional(),
			logo: optionalText,
			pinLabel: optionalText,
			sender: optionalText,
			showsLink: z.boolean().optional(),
		}),
	}),
);

/** A sheet may hold a PIN as a number. */
const numberAsText = (value: unknown): unknown =>
	typeof value === 'number' ? String(value) : value;

/** The document of an execution that prints all items together. */
interface Collected {
	readonly document: LetterDocument;
	readonly field: string;
	letters: number;
}
const collected = new WeakMap<IExecuteFunctions, Collected>();

export const createLetters: Operation = {
	properties: forOperation('relationshipTemplate', 'createLetters', letterFields),
	output: 'letters',

	async execute(call) {
		const { letter, look, documents, field } = await readLetter(call);
		if (documents === 'each') {
			const alone = { document: await open(look), field, letters: 1 };
			await alone.document.add(letter);
			return [await finished(call, alone)];
		}
		// The first item that can be printed decides the look.
		const together = collected.get(call.functions) ?? {
			document: await open(look),
			field,
			letters: 0,
		};
		await together.document.add(letter);
		together.letters++;
		collected.set(call.functions, together);
		return [];
	},

	async conclude(call) {
		const together = collected.get(call.functions);
		return together === undefined ? [] : [await finished(call, together)];
	},
};

async function readLetter(call: OperationCall) {
	const { layout, documents, pinPlace, binaryPropertyName, options, ...texts } =
		await parseParameters(call, letterFields, inputSchema);
	const { date, font, logo, ...rest } = options;
	const letter: LetterInput = { ...defined({ ...texts, date }), recipient: texts.recipient };
	const look: LetterOptionsInput = {
		layout,
		pinPlace: layout === 'labels' ? 'letter' : pinPlace,
		...defined({ ...rest, font: await bytesOf(call, font), logo: await bytesOf(call, logo) }),
	};
	return { letter, look, documents, field: binaryPropertyName };
}

async function bytesOf(call: OperationCall, field?: string): Promise<Uint8Array | undefined> {
	return field === undefined ? undefined : (await readBinary(call, field)).content;
}

async function open(look: LetterOptionsInput): Promise<LetterDocument> {
	const { openLetters } = await loadCore();
	return await openLetters(look);
}

async function finished(
	call: OperationCall,
	{ document, field, letters }: Collected,
): Promise<OutputRecord> {
	const content = await document.finish();
	const pages = document.pageCount;
	const pdf = { content, filename: 'letters.pdf', mimetype: 'application/pdf' };
	return toRecord({ letters, pages }, await toBinary(call, pdf, field));
}
