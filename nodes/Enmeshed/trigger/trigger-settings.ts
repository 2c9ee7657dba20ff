import type { ITriggerFunctions } from 'n8n-workflow';
import type { EventFilter, EventName, RelationshipDto } from '../../../core';
import { relationshipStatuses } from '../descriptions/relationship-statuses';
import { loadCore } from '../gateway/core';
import { defined } from '../helpers/members';
import { parameterError } from '../errors/parameter-error';
import { checkParameters, parameterSchema, plain } from '../fields/parse-parameters';
import {
	anyEvent,
	eventChoices,
	eventNamesOf,
	messageReceived,
	relationshipChanged,
} from './trigger-events';
import { triggerFields } from './trigger-fields';

/** Parameters of the trigger, read once when it starts. */
export interface TriggerSettings {
	readonly filter: EventFilter;
	readonly acceptPendingRelationships: boolean;
	readonly acknowledge: 'starts' | 'succeeds';
	/** size of the attachments that one execution gets; undefined: it gets none */
	readonly attachmentMegabytes: number | undefined;
	readonly batchSize: number;
	readonly maxAttempts: number;
	readonly parallel: number;
	readonly simplify: boolean;
	readonly push: boolean;
	readonly startFrom: 'now' | 'oldest';
	readonly syncIntervalMs: number;
}

type Status = RelationshipDto['status'];

interface NamedFilters {
	readonly requestStatuses: readonly string[];
	readonly statuses: readonly string[];
}

const inputSchema = parameterSchema((z, { limit, optionalText }) =>
	z.object({
		events: z.array(z.string()),
		simplify: z.boolean().default(true),
		filters: z.object({
			messageTypes: z.array(z.string()).default([]),
			peer: optionalText,
			purpose: optionalText,
			requestStatuses: z.array(z.string()).default([]),
			statuses: z.array(z.custom<Status>((value) => typeof value === 'string')).default([]),
			template: optionalText,
		}),
		options: z.object({
			acceptPendingRelationships: z.boolean().default(false),
			acknowledge: z.enum(['starts', 'succeeds']).default('succeeds'),
			batchSize: limit.default(1),
			downloadAttachments: z.boolean('Expected true or false').default(false),
			includeProtocolMessages: z.boolean().optional(),
			maxAttachmentMegabytes: limit.pipe(z.number().max(1_000, 'At most 1000')).default(50),
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
		throw parameterError(functions.getNode(), 'No event is selected', {
			description: "Choose at least one entry in the field 'Events'",
		});
	}
	const names = await requireKnown(functions, parameters);
	const { syncIntervalSeconds, includeProtocolMessages, ...others } = options;
	const { downloadAttachments, maxAttachmentMegabytes, ...rest } = others;
	const isFormer = functions.getNode().typeVersion < 1.1;
	const isProtocolWanted = includeProtocolMessages ?? (isFormer || filters.messageTypes.length > 0);
	return {
		...rest,
		simplify,
		attachmentMegabytes: downloadAttachments ? maxAttachmentMegabytes : undefined,
		syncIntervalMs: syncIntervalSeconds * 1_000,
		filter: {
			...(events.includes(anyEvent) ? {} : chosen({ events, names }, isProtocolWanted)),
			...defined({
				messageTypes: unlessEmpty(filters.messageTypes),
				relationshipStatuses: unlessEmpty(filters.statuses),
				requestStatuses: unlessEmpty(filters.requestStatuses),
				peers: filters.peer === undefined ? undefined : [filters.peer],
				purposes: filters.purpose === undefined ? undefined : [filters.purpose],
				templateIds: filters.template === undefined ? undefined : [filters.template],
			}),
		},
	};
}

/**
 * Refuses values that no event has, which expressions and imported workflows can contain: the
 * trigger would never start a workflow. Returns the names of the events.
 */
async function requireKnown(
	functions: ITriggerFunctions,
	{ events, filters }: { readonly events: readonly string[]; readonly filters: NamedFilters },
): Promise<EventName[]> {
	const { isEventName, requestDtoSchema } = await loadCore();
	const isEvent = (choice: string): boolean =>
		choice === anyEvent || eventNamesOf(choice).every(isEventName);
	const isRelationshipStatus = (status: string): boolean =>
		(relationshipStatuses.options ?? []).some(
			(choice) => 'value' in choice && choice.value === status,
		);
	const isRequestStatus = (status: string): boolean =>
		requestDtoSchema.shape.status.options.some((known) => known === status);
	const checks = [
		['Events', events, isEvent],
		['Relationship Status', filters.statuses, isRelationshipStatus],
		['Request Status', filters.requestStatuses, isRequestStatus],
	] as const;
	for (const [field, values, isKnown] of checks) {
		const unknown = values.find((value) => !isKnown(value));
		if (unknown === undefined) continue;
		throw parameterError(functions.getNode(), `The field '${field}' is not valid`, {
			description: `There is no '${unknown}': choose an entry of the list`,
		});
	}
	return events.flatMap(eventNamesOf).filter(isEventName);
}

/**
 * Names that the choices select, and restrictions of choices that select only some events of a
 * name.
 */
function chosen(
	{ events, names }: { readonly events: readonly string[]; readonly names: readonly EventName[] },
	isProtocolWanted: boolean,
): Pick<EventFilter, 'names' | 'only' | 'relationshipChanges'> {
	const choices = events.flatMap((event) => eventChoices[event] ?? []);
	// The choice of all messages includes the mails.
	const hasMessages = events.includes(messageReceived);
	const only = [
		...choices
			.flatMap((choice) => choice.only ?? [])
			.filter((one) => !hasMessages || one !== 'mails'),
		...(hasMessages && !isProtocolWanted ? (['contents'] as const) : []),
	];
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
