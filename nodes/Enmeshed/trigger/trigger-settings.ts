import { NodeOperationError, type ITriggerFunctions } from 'n8n-workflow';
import type { EventFilter, RelationshipDto } from '../../../core';
import { checkParameters, parameterSchema, plain } from '../helpers/parse-parameters';
import { optional } from '../helpers/simplify';
import { anyEvent, eventNames, triggerFields } from './trigger-fields';

/** The parameters of the trigger, read once when it starts. */
export interface TriggerSettings {
	readonly filter: EventFilter;
	readonly acceptPendingRelationships: boolean;
	readonly acknowledge: 'starts' | 'succeeds';
	readonly batchSize: number;
	readonly maxAttempts: number;
	readonly push: boolean;
	readonly startFrom: 'now' | 'oldest';
	readonly syncIntervalMs: number;
}

type Status = RelationshipDto['status'];

const inputSchema = parameterSchema((z, { limit, optionalText }) =>
	z.object({
		events: z.array(z.string()),
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
			push: z.boolean().default(true),
			startFrom: z.enum(['now', 'oldest']).default('now'),
			syncIntervalSeconds: limit.default(60),
		}),
	}),
);

/** @throws NodeOperationError for what a person has to correct */
export async function readTriggerSettings(functions: ITriggerFunctions): Promise<TriggerSettings> {
	const raw = Object.fromEntries(
		triggerFields.map(({ name, default: fallback }) => [
			name,
			plain(functions.getNodeParameter(name, fallback)),
		]),
	);
	const parameters = await checkParameters(functions, raw, triggerFields, inputSchema);
	const { events, filters, options } = parameters;
	if (events.length === 0) {
		throw new NodeOperationError(functions.getNode(), 'No event is selected', {
			description: "Choose at least one entry in the field 'Events'",
		});
	}
	const { syncIntervalSeconds, ...rest } = options;
	return {
		...rest,
		syncIntervalMs: syncIntervalSeconds * 1_000,
		filter: {
			...(events.includes(anyEvent) ? {} : chosen(events)),
			...unlessEmpty('messageTypes', filters.messageTypes),
			...unlessEmpty('relationshipStatuses', filters.statuses),
			...unlessEmpty('requestStatuses', filters.requestStatuses),
			...optional('peers', filters.peer === undefined ? undefined : [filters.peer]),
			...optional('templateIds', filters.template === undefined ? undefined : [filters.template]),
		},
	};
}

/** The names behind the choices; where one stands for some events of a name only, which. */
function chosen(events: readonly string[]): Pick<EventFilter, 'names' | 'only'> {
	const only = [
		...(events.includes('peer.outgoingRequestAnswered') ? (['answers'] as const) : []),
		...(events.includes('peer.attributeShared') ? (['sharedByPeers'] as const) : []),
	];
	return {
		names: events.flatMap((event) => eventNames[event] ?? [event]),
		...unlessEmpty('only', only),
	};
}

function unlessEmpty<Name extends string, Value>(
	name: Name,
	values: readonly Value[],
): { [Key in Name]?: readonly Value[] } {
	return optional(name, values.length === 0 ? undefined : values);
}
