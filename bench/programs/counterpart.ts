import type { Gateway } from '../../core';
import { inLanes } from '../support/timing';
import { arbitraryTemplate, inOneHour, mail } from './contender';
import { loadLibrary } from './library';
import { serve } from './serve';

let gateway: Gateway | undefined;

function opened(): Gateway {
	if (gateway === undefined) throw new Error('the counterpart is not open');
	return gateway;
}

/** Peer of both sides, with a relationship and mails in both directions; never measured. */
serve({
	async open({ baseUrl, folder }: { baseUrl: string; folder: string }) {
		gateway = await loadLibrary().Gateway.open({
			backbone: { baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder },
		});
		const { address } = await gateway.account.getIdentity();
		const input = { content: arbitraryTemplate, expiresAt: inOneHour() };
		const template = await gateway.templates.create(input);
		return { address, reference: template.truncatedReference };
	},
	async acceptAll() {
		const { account, relationships } = opened();
		await account.sync();
		const pending = await relationships.list({
			where: [{ field: 'status', op: 'eq', value: 'Pending' }],
		});
		for (const { id } of pending) await relationships.accept(id);
	},
	async send({ to, count }: { to: string; count: number }) {
		const { messages } = opened();
		await inLanes(count, 8, (number) =>
			messages.send({ recipients: [to], content: mail(to, number) }),
		);
	},
});
