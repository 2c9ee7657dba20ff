import { NodeOperationError, type ITriggerFunctions } from 'n8n-workflow';
import type { EventFilter, RelationshipDto } from '../../../core';
import { defined } from '../helpers/members';
import { checkParameters, parameterSchema, plain } from '../helpers/parse-parameters';
import { anyEvent, eventChoices, eventNamesOf, relationshipChanged } from './trigger-events';
import { triggerFields } from './trigger-fields';

/** Parameters of the trigger, read once when it starts. */
export interface TriggerSettings {
	readonly filter: EventFilter;
	readonly acceptPendingRelationships: boolean;
	readonly acknowledge: 'starts' | 'succeeds';
	readonly batchSize: number;
	readonly maxAttempts: number;
	readonly parallel: number;
	readonly simplify: boolean;
	readonly push: boolean;
	readonly startFrom: 'now' | 'oldest';
	readonly syncIntervalMs: number;
}

type Status = RelationshipDto['status'];

const inputSchema = parameterSchema((z, { limit, optionalText }) =>
	z.object({
		events: z.array(z.string()),
		simplify: z.boolean().default(true),
		filters: z.object({
			messageTypes: z.array(z.string()).default([]),
			peer: optionalText,
			requestStatuses: z.array(z.string()).default([]),
			statuses: z.array(z.custom<Status>((value) => typeof value === 'string')).default([]),
			template: optionalText,
		}),
		options: z.object({
			acceptPendingRelationships: z.boolean().default(false),
			acknowledge: z.enum(['starts', 'succeeds']).default('succeeds'),
			batchSize: limit.default(1),
			maxAttempts: limit.default(3),
			parallel: limit.pipe(z.number().max(100, 'At most 100')).default(10),
			push: z.boolean().default(true),
			startFrom: z.enum(['now', 'oldest']).default('now'),
			syncIntervalSeconds: limit.default(60),
		}),
	}),
);

/** @throws NodeOperationError for mistakes that a person has to correct */
export async function readTriggerSettings(functions: ITriggerFunctions): Promise<TriggerSettings> {
	const raw = Object.fromEntries(
		triggerFields.map(({ name, default: fallback }) => [
			name,
			plain(functions.getNodeParameter(name, fallback)),
		]),
	);
	const parameters = await checkParameters(functions, raw, triggerFields, inputSchema);
	const { events, simplify, filters, options } = parameters;
	if (events.length === 0) {
		throw new NodeOperationError(functions.getNode(), 'No event is selected', {
			description: "Choose at least one entry in the field 'Events'",
		});
	}
	const { syncIntervalSeconds, ...rest } = options;
	return {
		...rest,
		simplify,
		syncIntervalMs: syncIntervalSeconds * 1_000,
		filter: {
			...(events.includes(anyEvent) ? {} : chosen(events)),
			...defined({
				messageTypes: unlessEmpty(filters.messageTypes),
				relationshipStatuses: unlessEmpty(filters.statuses),
				requestStatuses: unlessEmpty(filters.requestStatuses),
				peers: filters.peer === undefined ? undefined : [filters.peer],
				templateIds: filters.template === undefined ? undefined : [filters.template],
			}),
		},
	};
}

/**
 * Names that the choices select, and restrictions of choices that select only some events of a name.
 */
function chosen(
	events: readonly string[],
): Pick<EventFilter, 'names' | 'only' | 'relationshipChanges'> {
	const names = events.flatMap(eventNamesOf);
	const choices = events.flatMap((event) => eventChoices[event] ?? []);
	const only = choices.flatMap((choice) => choice.only ?? []);
	const changes = choices.flatMap(({ relationshipChange }) => relationshipChange ?? []);
	// The choice of all changes includes each kind of them.
	const isNarrowed = !events.includes(relationshipChanged);
	return {
		names: [...new Set(names)],
		...defined({
			only: unlessEmpty(only),
			relationshipChanges: isNarrowed ? unlessEmpty(changes) : undefined,
		}),
	};
}

function unlessEmpty<Value>(values: readonly Value[]): readonly Value[] | undefined {
	return values.length === 0 ? undefined : values;
}
