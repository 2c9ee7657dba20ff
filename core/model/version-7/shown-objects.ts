import * as z from 'zod';
import { toVersion7Form } from '../content/version-7-form';
import { isJsonObject, type JsonObject } from '../json';
import { openEnumSchema } from '../open-enum';
import { identityDeletionProcessDtoSchema } from '../record/deletion-process';
import { fileDtoSchema } from '../record/file';
import {
	messageDtoSchema,
	messageNotSentSchema,
	messageWithFilesDtoSchema,
} from '../record/message';
import { relationshipDtoSchema } from '../record/relationship';
import { requestDtoSchema } from '../record/request';
import { templateDtoSchema } from '../record/template';
import { tokenDtoSchema } from '../record/token';

/* Objects as version 7 shows them (docs/protocol/connector-7.md 5, 6). */

export const fileOfVersion7Schema = fileDtoSchema.omit({ truncatedReference: true }).extend({
	/** title of the file; absent if there is none */
	title: z.string().optional(),
});

export const tokenOfVersion7Schema = tokenDtoSchema.omit({ truncatedReference: true });

export const templateOfVersion7Schema = templateDtoSchema.omit({ truncatedReference: true });

export const relationshipOfVersion7Schema = relationshipDtoSchema.omit({ template: true }).extend({
	/** id of the template from which it was created */
	templateId: z.string(),
});

export const deletionProcessOfVersion7Schema = identityDeletionProcessDtoSchema
	.omit({ approvedAt: true, approvedByDevice: true })
	.extend({ status: openEnumSchema(['Active', 'Cancelled', 'Deleting', 'Deleted']) });

/** Shape of version 7 that stands for one of version 6. */
export interface ShownShape {
	readonly schema: z.ZodType;
	/** converts a value of version 6 */
	show(value: unknown): unknown;
}

type Change = (value: JsonObject) => object;

const changing = (schema: z.ZodType, change: Change): ShownShape => ({
	schema,
	show: (value) => (isJsonObject(value) ? change(value) : value),
});

const withoutReference = ({ truncatedReference: _former, ...value }: JsonObject): JsonObject =>
	value;

const file: Change = ({ title, ...value }) =>
	withoutReference(title === '' || title === undefined ? value : { ...value, title });

const relationship: Change = ({ template, ...value }) => ({
	...toVersion7Form(value),
	templateId: isJsonObject(template) ? (template['id'] ?? '') : '',
});

const deletionProcess: Change = ({ approvedAt: _at, approvedByDevice: _by, ...value }) => ({
	...value,
	status: value['status'] === 'Approved' ? 'Active' : (value['status'] ?? ''),
});

const template: Change = (value) => toVersion7Form(withoutReference(value));

/** Shapes by the schemas of version 6. */
const shapes: ReadonlyMap<unknown, ShownShape> = new Map<unknown, ShownShape>([
	[fileDtoSchema, changing(fileOfVersion7Schema, file)],
	[tokenDtoSchema, changing(tokenOfVersion7Schema, withoutReference)],
	[templateDtoSchema, changing(templateOfVersion7Schema, template)],
	[relationshipDtoSchema, changing(relationshipOfVersion7Schema, relationship)],
	[identityDeletionProcessDtoSchema, changing(deletionProcessOfVersion7Schema, deletionProcess)],
	[
		messageWithFilesDtoSchema,
		changing(
			messageDtoSchema.extend({ attachments: z.array(fileOfVersion7Schema) }),
			({ attachments = [], ...message }) => ({
				...toVersion7Form(message),
				attachments: Array.isArray(attachments)
					? attachments.map((each) => (isJsonObject(each) ? file(each) : each))
					: attachments,
			}),
		),
	],
	// Their members are the same; only the contents differ.
	...[messageDtoSchema, messageNotSentSchema, requestDtoSchema].map(
		(schema) => [schema, changing(schema, toVersion7Form)] as const,
	),
]);

/**
 * Shape of version 7 for a schema of version 6: of an object that differs, of a list of such
 * objects, or of an object with such members. Undefined if nothing differs.
 */
export function shownInVersion7(schema: unknown): ShownShape | undefined {
	return shapeOf(schema) ?? (schema instanceof z.ZodObject ? objectWith(schema) : undefined);
}

function shapeOf(schema: unknown): ShownShape | undefined {
	if (schema instanceof z.ZodOptional) {
		const inner = shapeOf(schema.unwrap());
		return inner && { ...inner, schema: inner.schema.optional() };
	}
	if (!(schema instanceof z.ZodArray)) return shapes.get(schema);
	const element = shapeOf(schema.element);
	return (
		element && {
			schema: z.array(element.schema),
			show: (value) => (Array.isArray(value) ? value.map((each) => element.show(each)) : value),
		}
	);
}

function objectWith(schema: z.ZodObject): ShownShape | undefined {
	const members = Object.entries(schema.shape).flatMap(([name, member]) => {
		const shape = shapeOf(member);
		return shape === undefined ? [] : [[name, shape] as const];
	});
	if (members.length === 0) return undefined;
	const changed = Object.fromEntries(members.map(([name, shape]) => [name, shape.schema]));
	return changing(schema.extend(changed), (value) => {
		const shown = members.flatMap(([name, { show }]) => {
			const member = value[name];
			return member === undefined ? [] : [[name, show(member)]];
		});
		return { ...value, ...Object.fromEntries(shown) };
	});
}
