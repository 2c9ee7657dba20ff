import { sleep } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { DeliveryLine, retrySchema, type TargetAnswer } from '../../events/delivery-line';
import type { Module, ModuleContext } from './module';

const proposed = 'DeletionProposed';
/** Others who follow events learn of the proposal first: decomposing erases what they would be told. */
const delayMs = 500;
const sweepAgainAfterMs = 30_000;

/**
 * `modules.autoDecomposeDeletionProposedRelationships` (docs/protocol/http-api.md 13): relationships that
 * their peers have left are left here as well, those of before the start included.
 */
export const decomposeRelationships: Module<unknown> = async (context) => {
	const line = await DeliveryLine.open(
		{ events: context.facade.events, logger: context.logger },
		{
			consumer: 'auto-decompose',
			filter: { names: ['transport.relationshipChanged'], relationshipStatuses: [proposed] },
			retry: retrySchema.parse({}),
			send: async ({ data }, { signal }) => {
				await sleep(delayMs, { signal });
				return await decompose(context, String(data['id']), signal);
			},
		},
	);
	const swept = sweep(context);
	return {
		close: async () => {
			await Promise.all([line.close(), swept]);
		},
	};
};

/** What was proposed before, until each is decomposed or cannot be. */
async function sweep(context: ModuleContext): Promise<void> {
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
	{ facade, logger }: ModuleContext,
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
		// Somebody else has done it meanwhile.
		if (error.kind === 'notFound') return { kind: 'taken' };
		const kind = error.kind === 'unavailable' ? 'away' : 'refused';
		logger.warn('a relationship could not be decomposed', { relationshipId: id, code: error.code });
		return { kind, reason: error.code };
	}
}
