import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway, ItemDecisionInput } from '../../core';
import { inLanes } from '../support/timing';
import { loadLibrary } from './library';
import { serve } from './serve';

const lanes = 8;
const betweenLooksMs = 1_000;

interface Crowd {
	readonly baseUrl: string;
	/** folder of all their accounts */
	readonly folder: string;
	readonly count: number;
}

/** When a person has scanned the code, and when the mails to this person were sent; of the Backbone's clock. */
export interface Visit {
	readonly scannedAt: string;
	readonly mails: ReadonlyArray<{ readonly subject: string; readonly sentAt: string }>;
}

interface Item {
	readonly '@type': string;
	readonly items?: readonly Item[];
	readonly query?: { readonly valueType: string };
}

async function asPerson<Result>(
	{ baseUrl, folder }: Crowd,
	number: number,
	work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
	const gateway = await loadLibrary().Gateway.open({
		backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
		store: { kind: 'sqlite', folder: join(folder, `person-${number}`) },
	});
	try {
		return await work(gateway);
	} finally {
		await gateway.close();
	}
}

/** Loads the template of the code, and shares what it asks for. */
async function scan(gateway: Gateway, reference: string, name: string): Promise<void> {
	const { address } = await gateway.account.getIdentity();
	await gateway.templates.loadPeer({ reference });
	const [request] = await gateway.incomingRequests.list();
	if (request === undefined) throw new Error('the code asks for nothing');
	const values: Readonly<Record<string, string>> = {
		GivenName: name,
		EMailAddress: `${name.toLowerCase()}@example.com`,
	};
	const answerTo = ({ query }: Item): ItemDecisionInput => {
		const { valueType = '' } = query ?? {};
		const value = { '@type': valueType, value: values[valueType] };
		return { accept: true, newAttribute: { '@type': 'IdentityAttribute', owner: address, value } };
	};
	const { items } = request.content as unknown as { items: readonly Item[] };
	await gateway.incomingRequests.accept(request.id, {
		items: items.map((item) =>
			item.items === undefined ? answerTo(item) : { items: item.items.map(answerTo) },
		),
	});
}

async function untilWelcome(gateway: Gateway, untilMs: number): Promise<Visit> {
	for (;;) {
		await gateway.account.sync();
		const [relationship] = await gateway.relationships.list();
		const messages = await gateway.messages.list();
		if (messages.length > 0 || Date.now() > untilMs) {
			return {
				scannedAt: relationship?.auditLog[0]?.createdAt ?? '',
				mails: messages.map(({ content, createdAt }) => ({
					subject: String((content as { subject?: unknown }).subject),
					sentAt: createdAt,
				})),
			};
		}
		await delay(betweenLooksMs);
	}
}

/** Many people with a wallet each, of which a few are open at a time. */
serve({
	create: (crowd: Crowd) =>
		inLanes(crowd.count, lanes, (number) => asPerson(crowd, number, async () => undefined)),
	/** Lets all scan the same code, spread over the time. */
	async scan({ reference, overMs, ...crowd }: Crowd & { reference: string; overMs: number }) {
		const began = performance.now();
		await inLanes(crowd.count, lanes, async (number) => {
			await delay(Math.max(0, (overMs * number) / crowd.count + began - performance.now()));
			await asPerson(crowd, number, (gateway) => scan(gateway, reference, `Person${number}`));
		});
	},
	/** Waits for the welcome mail of each. */
	async visits({ withinMs, ...crowd }: Crowd & { withinMs: number }): Promise<Visit[]> {
		const untilMs = Date.now() + withinMs;
		const visits: Visit[] = [];
		await inLanes(crowd.count, lanes, async (number) => {
			visits[number] = await asPerson(crowd, number, (gateway) => untilWelcome(gateway, untilMs));
		});
		return visits;
	},
});
