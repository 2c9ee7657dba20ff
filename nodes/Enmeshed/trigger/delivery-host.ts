import { NodeOperationError, type ITriggerFunctions } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import { AttachmentDownload, type FileHost } from './attachment-download';
import type { DeliveryHost } from './deliver-events';
import { toEventItems } from './event-items';
import { ProblemReporter } from './problem-reporter';
import type { TriggerSettings } from './trigger-settings';

const defaultDeadlineMs = 3_600_000;

type ItemSettings = Pick<TriggerSettings, 'attachmentMegabytes' | 'simplify'>;

/** How the items of one execution are made. */
export function itemOptions(
	functions: FileHost,
	gateway: GatewayFacade,
	{ attachmentMegabytes: maxMegabytes, simplify }: ItemSettings,
	signal: AbortSignal,
): Parameters<typeof toEventItems>[2] {
	if (maxMegabytes === undefined) return { signal, simplify };
	const download = new AttachmentDownload(functions, gateway, { signal, maxMegabytes });
	return { signal, simplify, download };
}

/** Connects event delivery with n8n. */
export function deliveryHost(
	functions: ITriggerFunctions,
	gateway: GatewayFacade,
	settings: ItemSettings,
	closed: AbortSignal,
): DeliveryHost {
	const timeoutSeconds = functions.getWorkflowSettings()?.executionTimeout ?? 0;
	const problems = new ProblemReporter(functions);
	return {
		emit: (data, promises, key) => functions.emit(data, promises?.response, promises?.done, key),
		createDeferredPromise: () => functions.helpers.createDeferredPromise(),
		toItems: (events) =>
			toEventItems(events, gateway, itemOptions(functions, gateway, settings, closed)),
		warn: (message) => functions.logger.warn(`[${functions.getNode().name}] ${message}`),
		onParked: ({ events, attempt }, reason) => {
			const ids = events.map(({ id }) => id).join(', ');
			const message = `Gave up on ${ids} after ${attempt} attempts`;
			const description = `The last attempt failed: ${reason}. Later events are delivered.`;
			problems.save(new NodeOperationError(functions.getNode(), message, { description }));
		},
		closed,
		deadlineMs: timeoutSeconds > 0 ? timeoutSeconds * 1_000 : defaultDeadlineMs,
	};
}
