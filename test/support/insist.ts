import { isGatewayError, type GatewayError } from '../../core';
import { sleep } from '../../core/base/abort';

const pauseMs = 100;

/**
 * Repeats what an absent Backbone or store refuses, as n8n repeats a job and starts a trigger again.
 *
 * @param onRefused called before each repetition
 */
export async function insist<Result>(
	work: () => Promise<Result>,
	onRefused: (error: GatewayError) => void = () => undefined,
): Promise<Result> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isGatewayError(error) || error.kind !== 'unavailable') throw error;
			onRefused(error);
			await sleep(pauseMs);
		}
	}
}
