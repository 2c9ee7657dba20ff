import type { FileDto, QrCodeUseCases, TemplateDto } from '../../../core';
import { toBinary } from '../operation/binary';
import { defined } from '../helpers/members';
import type { OperationCall, OutputRecord } from '../operation/operation';
import type { FieldSchemas, Zod } from '../fields/parse-parameters';
import { toRecord } from './to-items';

interface Output {
	readonly qrCodeFormat: 'reference' | 'link';
	readonly binaryPropertyName: string;
	readonly options: QrCodeChoices;
}

interface QrCodeChoices {
	readonly qrCodeErrorCorrection: 'low' | 'medium' | 'quartile' | 'high';
	readonly qrCodeInJson: ReadonlyArray<'dataUrl' | 'svg'>;
	readonly qrCodeSize?: number | undefined;
}

/** Schemas of the options that {@link qrCodeOptions} shows. */
export const qrCodeChoices = (zod: Zod, { number }: FieldSchemas) => ({
	qrCodeErrorCorrection: zod.enum(['low', 'medium', 'quartile', 'high']).default('medium'),
	qrCodeInJson: zod.array(zod.enum(['dataUrl', 'svg'])).default([]),
	qrCodeSize: number
		.pipe(
			zod
				.number()
				.int('Expected a whole number')
				.min(200, 'At least 200')
				.max(2_000, 'At most 2000'),
		)
		.optional(),
});

/** Schemas of the fields that an operation adds with {@link qrCodeFields}. */
export const qrCodeShape = (zod: Zod, fields: FieldSchemas) => ({
	drawQrCode: zod.boolean(),
	qrCodeFormat: zod.enum(['reference', 'link']),
	binaryPropertyName: fields.text,
	options: zod.object(qrCodeChoices(zod, fields)),
});

/** Adds the QR code of a file to the JSON that describes the file. */
export async function withFileQrCode(
	call: OperationCall,
	{ id }: Pick<FileDto, 'id'>,
	json: object,
	output: Output,
): Promise<OutputRecord> {
	const shown = { of: call.gateway.files, id, name: `file-${id}` };
	return await withQrCode(call, shown, json, output);
}

/** Adds the QR code of a relationship template. */
export async function withTemplateQrCode(
	call: OperationCall,
	{ id }: Pick<TemplateDto, 'id'>,
	json: object,
	output: Output,
): Promise<OutputRecord> {
	const shown = { of: call.gateway.templates, id, name: `relationship-template-${id}` };
	return await withQrCode(call, shown, json, output);
}

interface Shown {
	readonly of: QrCodeUseCases;
	readonly id: string;
	readonly name: string;
}

/** The PNG is always a file; the JSON repeats it, or contains the SVG, only on request. */
async function withQrCode(
	call: OperationCall,
	{ of, id, name }: Shown,
	json: object,
	{ qrCodeFormat, binaryPropertyName, options }: Output,
): Promise<OutputRecord> {
	const { qrCodeErrorCorrection: errorCorrection, qrCodeInJson, qrCodeSize } = options;
	const style = {
		errorCorrection,
		...defined({ size: qrCodeSize, signal: call.signal }),
	};
	const content = await of.qrCode(id, qrCodeFormat, style);
	const image = { content, filename: `${name}.png`, mimetype: 'image/png' };
	const binary = await toBinary(call, image, binaryPropertyName);
	const texts = defined({
		qrCodeDataUrl: qrCodeInJson.includes('dataUrl') ? toDataUrl(content) : undefined,
		qrCodeSvg: qrCodeInJson.includes('svg')
			? await of.qrCodeSvg(id, qrCodeFormat, style)
			: undefined,
	});
	return toRecord({ ...json, ...texts }, binary);
}

function toDataUrl(png: Uint8Array): string {
	return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}
