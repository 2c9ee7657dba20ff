import { z } from 'zod';
import { resources } from '../actions/resources';
import { pageAnswerOutputSchema } from './awaited-answer';
import { eventOutputSchema } from './event-output';
import { outputSchemas } from './output-schemas';

/** Version of the nodes that the schemas describe. */
const version = 'v1.0.0';

/**
 * Version of the Enmeshed Trigger. n8n finds the schema of a trigger by folder and version alone, so
 * version 1 is the one of the Enmeshed Page Trigger.
 */
const triggerVersion = 'v1.1.0';

/**
 * Output schemas from which the editor draws a preview before the first run. The build writes them
 * beside the node files: keys are paths below `dist/nodes/Enmeshed/__schema__`, values the JSON of
 * the file. Entries without resource and operation belong to the triggers.
 */
export function generateSchemas(): Record<string, object> {
	const files: Record<string, object> = {
		[`${version}.json`]: describe(pageAnswerOutputSchema),
		[`${triggerVersion}.json`]: describe(eventOutputSchema),
	};
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [name, { output }] of Object.entries(operations)) {
			files[`${version}/${resource}/${name}.json`] = describe(outputSchemas[output]);
		}
	}
	return files;
}

/**
 * Reduces a schema to plain types, because the editor shows names and types and does not validate.
 */
function describe(schema: z.ZodType): object {
	const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
		target: 'draft-7',
		io: 'input',
		reused: 'inline',
		unrepresentable: 'any',
	});
	return { ...membersWithoutLimits(described), version: 1 };
}

function withoutLimits(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutLimits);
	return typeof value === 'object' && value !== null ? membersWithoutLimits(value) : value;
}

function membersWithoutLimits(value: object): object {
	const entries = Object.entries(value).filter(([name, inner]) => {
		const isLimit = name === 'minimum' || name === 'maximum' || name === 'additionalProperties';
		return !(isLimit && typeof inner !== 'object') && name !== 'propertyNames';
	});
	return Object.fromEntries(entries.map(([name, inner]) => [name, withoutLimits(inner)]));
}
