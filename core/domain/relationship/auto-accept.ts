import { createHash } from 'node:crypto';
import { sleep } from '../../base/abort';
import { codeOf, isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { ConsumeOptions, Delivery, DeliveryVerdict } from '../../events/event-types';
import type { RelationshipActions } from './relationship-actions';
import type { RelationshipService } from './relationship-service';

interface Services {
	readonly relationships: RelationshipService;
	readonly relationshipActions: RelationshipActions;
}

const retryMs = 30_000;
const reopenAfterMs = 5_000;

export interface AutoAcceptOptions {
	/** only relationships made from these templates; absent means all */
	readonly templateIds?: readonly string[];
	/** only relationships made from templates with these purposes; absent means all */
	readonly purposes?: readonly string[];
	readonly onProblem: (problem: {
		code: string;
		message: string;
		remedy?: string | undefined;
	}) => void;
}

/**
 * Returns the consumer that accepts pending relationships of peers. Its cursor is stored, so
 * relationships that arrive while no gateway runs are accepted later.
 */
export function autoAcceptConsumer(
	services: Services,
	options: AutoAcceptOptions,
): Omit<ConsumeOptions, 'signal'> {
	return {
		consumer: consumerName(options),
		filter: {
			names: ['transport.relationshipChanged'],
			relationshipStatuses: ['Pending'],
			...(options.templateIds === undefined ? {} : { templateIds: options.templateIds }),
			...(options.purposes === undefined ? {} : { purposes: options.purposes }),
		},
		startFrom: 'oldest',
		batchSize: 1,
		deliver: (delivery, { signal }) => acceptOne(services, delivery, options, signal),
	};
}

/**
 * Accepts relationships until the signal aborts; a temporary failure of the store does not end it.
 */
export async function acceptAutomatically(
	consume: (options: ConsumeOptions) => Promise<void>,
	options: ConsumeOptions & { readonly signal: AbortSignal },
	logger: Logger,
): Promise<void> {
	const { signal } = options;
	while (!signal.aborted) {
		try {
			return await consume(options);
		} catch (error) {
			if (signal.aborted) return;
			const facts = { code: codeOf(error), reason: String(error) };
			logger.error('accepting relationships automatically goes on soon', facts);
			await sleep(reopenAfterMs, { signal, background: true }).catch(() => undefined);
		}
	}
}

/**
 * Derives the name of the consumer from its templates and purposes. Each set of them has its own
 * cursor, so that no cursor moves past events that another set waits for.
 */
function consumerName({
	templateIds,
	purposes,
}: Pick<AutoAcceptOptions, 'templateIds' | 'purposes'>): string {
	const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
	const name = ['auto-accept', ...sorted(templateIds ?? [])].join(':');
	if (purposes === undefined) return name;
	// Names of consumers are stored in clear text, also in accounts that seal purposes.
	const hash = createHash('sha256').update(JSON.stringify(sorted(purposes)));
	return `${name}:${hash.digest('base64url')}`;
}

async function acceptOne(
	{ relationships, relationshipActions }: Services,
	delivery: Delivery,
	options: AutoAcceptOptions,
	signal: AbortSignal,
): Promise<DeliveryVerdict> {
	const id = delivery.events[0]?.data['id'];
	if (typeof id !== 'string') return { kind: 'accepted' };
	try {
		const stored = await relationships.find(id, { signal });
		const isOurs = stored.record.createdByUs || stored.record.status !== 'Pending';
		if (!isOurs) await relationshipActions.take('accept', id, { signal });
		return { kind: 'accepted' };
	} catch (error) {
		signal.throwIfAborted();
		if (!isGatewayError(error)) throw error;
		if (error.kind === 'unavailable') {
			return { kind: 'repeat', afterMs: retryMs, reason: error.message };
		}
		// Relationships that are gone or decided in the meantime need no report.
		if (error.kind !== 'notFound' && error.kind !== 'conflict') {
			options.onProblem({ code: error.code, message: error.message, remedy: error.remedy });
		}
		return { kind: 'parked', reason: error.message };
	}
}
