import type { LookupFunction } from 'node:net';
import type { Logger } from '../../../../../core/base/logger';
import type { EventUseCases } from '../../../../../core/facade/gateway-facade';
import type { JsonObject } from '../../../../../core/model/json';
import { modulesSchema } from '../../../../../core/server/config/modules-config';
import { openWebhooks } from '../../../../../core/publish/webhooks';
import { openLog } from '../../../../support/log-lines';
import { ConsumerBench } from '../../../events/consumer-bench';

export const identity = 'did:e:backbone.example:dids:0123456789abcdef012345';

/** without waiting between tries */
export const atOnce = { firstDelay: 0, longestDelay: 0 };

interface OpenOptions {
	readonly lookup?: LookupFunction;
	readonly logger?: Logger;
}

/** Webhooks over a real store whose events a test appends. */
export class WebhookBench {
	readonly log = openLog();

	private readonly opened: Array<{ close(): Promise<void> }> = [];

	private constructor(readonly events: ConsumerBench) {}

	static async open(): Promise<WebhookBench> {
		return new WebhookBench(await ConsumerBench.open());
	}

	/** As a process of its own that shares only the store. */
	async start(settings: object, options: OpenOptions = {}): Promise<{ close(): Promise<void> }> {
		const { webhooks: config } = modulesSchema.parse({ webhooks: { enabled: true, ...settings } });
		const consumers = this.events.newProcess();
		const events = {
			consume: (wanted) => consumers.consume(wanted),
		} satisfies Pick<EventUseCases, 'consume'> as unknown as EventUseCases;
		const account = { getIdentity: () => Promise.resolve({ address: identity }) };
		const webhooks = await openWebhooks(
			{
				facade: { events, account: account as never },
				logger: options.logger ?? this.log.logger,
				clock: this.events.clock,
				...(options.lookup === undefined ? {} : { lookup: options.lookup }),
			},
			config,
		);
		this.opened.push(webhooks);
		return webhooks;
	}

	async append(...datas: JsonObject[]): Promise<void> {
		await this.events.append(...datas);
	}

	async close(): Promise<void> {
		await this.events.close();
		for (const webhooks of this.opened) await webhooks.close();
	}
}
