import { parse } from '../../base/schema-parse';
import { sleep } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import {
	DeliveryQueue,
	retrySchema,
	type TargetAnswer,
} from '../../events/delivery/delivery-queue';
import type { Module, ModuleDependencies } from './module';

const proposed = 'DeletionProposed';
/** Delay that lets other consumers read the event first, because decomposing erases its data. */
const delayMs = 500;
const sweepAgainAfterMs = 30_000;

/**
 * Module `modules.autoDecomposeDeletionProposedRelationships` (docs/protocol/http-api.md 13):
 * decomposes relationships that their peers have decomposed, also before the start.
 */
export const decomposeRelationships: Module<unknown> = async (context) => {
	const queue = await DeliveryQueue.open(
		{ events: context.facade.events, logger: context.logger },
		{
			consumer: 'auto-decompose',
			filter: { names: ['transport.relationshipChanged'], relationshipStatuses: [proposed] },
			retry: parse(retrySchema, {}),
			send: async ({ data }, { signal }) => {
				await sleep(delayMs, { signal });
				return await decompose(context, String(data['id']), signal);
			},
		},
	);
	const swept = sweep(context);
	return {
		close: async () => {
			await Promise.all([queue.close(), swept]);
		},
	};
};

/**
 * Decomposes relationships whose deletion was proposed before the start; repeats until none is left
 * to retry.
 */
async function sweep(context: ModuleDependencies): Promise<void> {
	const { facade, logger, signal } = context;
	while (!signal.aborted) {
		try {
			const answers: TargetAnswer[] = [];
			const where = [{ field: 'status', op: 'eq', value: proposed } as const];
			for (const { id } of await facade.relationships.list({ where }, { signal })) {
				answers.push(await decompose(context, id, signal));
			}
			if (answers.every(({ kind }) => kind !== 'away')) return;
		} catch (error) {
			if (signal.aborted) return;
			logger.error('relationships could not be decomposed', { reason: String(error) });
		}
		await sleep(sweepAgainAfterMs, { signal, background: true }).catch(() => undefined);
	}
}

async function decompose(
	{ facade, logger }: ModuleDependencies,
	id: string,
	signal: AbortSignal,
): Promise<TargetAnswer> {
	try {
		const { status } = await facade.relationships.get(id, { signal });
		if (status !== proposed) return { kind: 'taken' };
		await facade.relationships.decompose(id, { signal });
		logger.info('a relationship was decomposed, as its peer has done', { relationshipId: id });
		return { kind: 'taken' };
	} catch (error) {
		signal.throwIfAborted();
		if (!isGatewayError(error)) throw error;
		// Another process has decomposed the relationship in the meantime.
		if (error.kind === 'notFound') return { kind: 'taken' };
		const kind = error.kind === 'unavailable' ? 'away' : 'refused';
		logger.warn('a relationship could not be decomposed', { relationshipId: id, code: error.code });
		return { kind, reason: error.code };
	}
}
