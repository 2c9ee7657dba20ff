import { z } from '../../../core';

/** Bodies of calls with files: eight megabytes as base64, and the rest. */
export const largeBodyBytes = 12_000_000;

const id = z.string().max(200);
const shortText = z.string().max(300);
const file = z.object({
	name: z.string().min(1).max(255),
	type: z.string().max(100),
	content: z.string().max(largeBodyBytes),
});

const formValues = z.record(z.string().max(100), z.custom<FormValue>(isFormValue));

type FormValue = string | number | boolean | string[] | File;
type File = ReturnType<typeof file.parse>;

function isFormValue(value: unknown): boolean {
	if (['string', 'number', 'boolean'].includes(typeof value)) return true;
	if (Array.isArray(value)) return value.every((entry) => typeof entry === 'string');
	return file.safeParse(value).success;
}

const form = z.object({ type: z.string().max(100), values: formValues });

export const personSchema = z.object({
	name: z.preprocess(
		(value) => (typeof value === 'string' ? value.trim() : value),
		z.string().min(1).max(100),
	),
});
export const codeSchema = z.object({
	reference: z.preprocess(
		(value) => (typeof value === 'string' ? value.trim() : value),
		z.string().min(1).max(2_000),
	),
	password: z.string().max(500).optional(),
});
export const acceptSchema = z.object({
	answers: z.record(
		z.string().max(20),
		z.object({
			accept: z.boolean(),
			response: z.custom<FormValue>(isFormValue).optional(),
			attributeId: id.optional(),
			form: form.optional(),
		}),
	),
});
export const mailSchema = z.object({
	to: z.array(id).min(1).max(50),
	subject: shortText.min(1),
	body: z.string().max(50_000),
	attachments: z.array(file).max(10),
});
export const dataSchema = form.extend({ replaces: id.optional() });
export const contactSchema = z.object({
	action: z.enum(['leave', 'remove', 'withdraw', 'reactivate', 'acceptReactivation']),
});
export const noBody = z.object({});
