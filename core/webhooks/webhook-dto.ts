import type { DeliveryProgress } from '../events/delivery/delivery-progress';
import { patternWarnings, selectEventNames } from '../events/event-pattern';
import type { EventFilter } from '../events/event-types';
import { membersOf } from '../model/json';
import type { WebhookDto, WebhookRecord, WebhookSecrets } from '../model/record/http/webhook';
import type { Entry } from '../store/store';

const namePrefix = 'registered-webhook:';

/** Name of the stored position of a webhook. */
export const consumerOf = (id: string): string => namePrefix + id;

/** Id of the webhook to which a stored position belongs; undefined for other positions. */
export function webhookOf(consumer: string): string | undefined {
	return consumer.startsWith(namePrefix) ? consumer.slice(namePrefix.length) : undefined;
}

/** Filter of the events that a webhook receives. */
export function filterOf({ events, filter = {}, version }: WebhookRecord): EventFilter {
	return membersOf<EventFilter>({
		names: selectEventNames(events, version).names,
		version,
		peers: filter.peers,
		purposes: filter.purposes,
		templateIds: filter.templateIds,
		relationshipStatuses: filter.relationshipStatuses,
		relationshipChanges: filter.relationshipChanges,
		messageTypes: filter.messageTypes,
		requestStatuses: filter.requestStatuses,
		only: filter.only,
	});
}

export function toWebhookDto(
	{ record, secrets }: Entry<WebhookRecord, WebhookSecrets>,
	progress: DeliveryProgress | undefined,
): WebhookDto {
	const { id, url, events, filter, version, headerNames, createdAt, changedAt } = record;
	const warnings = patternWarnings(events, version);
	const consumer = progress?.record;
	return membersOf<WebhookDto>({
		...{ id, url, events, filter, version },
		headers: headerNames,
		authentication: shownAuthentication(secrets),
		...{ createdAt, changedAt },
		delivery: membersOf({
			waiting: progress?.waiting ?? 0,
			hasOlder: progress?.hasOlder ?? false,
			parked: consumer?.parked.length ?? 0,
			lastSuccessAt: consumer?.acceptedAt,
			lastFailure: consumer?.failure,
		}),
		warnings: warnings.length === 0 ? undefined : warnings,
	});
}

function shownAuthentication({ authentication }: WebhookSecrets): WebhookDto['authentication'] {
	if (authentication === undefined) return undefined;
	if (authentication.type === 'ApiKey') {
		const { type, headerName } = authentication;
		return { type, headerName };
	}
	const { type, accessTokenUrl, clientId, scope } = authentication;
	return membersOf({ type, accessTokenUrl, clientId, scope });
}
