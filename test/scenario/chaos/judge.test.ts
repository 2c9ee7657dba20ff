import type { Account } from '../../../scripts/chaos/account';
import { collectEvidence } from '../../../scripts/chaos/evidence';
import { judge, type Rule, type Violation } from '../../../scripts/chaos/judge';
import type { World } from '../../../scripts/chaos/world';
import type { Store, WriteTransaction } from '../../../core/store/store';
import { settle } from '../../support/gateways';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { consumer, openJudgedScene, sendMail } from './judged-scene';

jest.setTimeout(60_000);

interface Sabotaged {
	readonly world: World;
	readonly account: Account;
	readonly store: Store;
}

type Sabotage = (sabotaged: Sabotaged) => Promise<unknown> | void;

/** Changes what is stored of the account, past all rules. */
const inStore =
	(work: (tx: WriteTransaction) => Promise<unknown>): Sabotage =>
	async ({ store }) =>
		await store.transact(async (tx) => void (await work(tx)));

const newestFirst = { field: 'inserted', direction: 'desc' } as const;

const isOwn = (value: boolean) => ({ where: [{ field: 'isOwn', op: 'eq', value } as const] });

function found<Item>(item: Item | undefined): Item {
	if (item === undefined) throw new TypeError('There is nothing to sabotage');
	return item;
}

const sabotages: ReadonlyArray<readonly [what: string, rule: Rule, sabotage: Sabotage]> = [
	[
		'a received message is missing',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.messages.first(isOwn(false)));
			await tx.messages.delete(record.id);
		}),
	],
	[
		'a sent message is missing',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.messages.first(isOwn(true)));
			await tx.messages.delete(record.id);
		}),
	],
	[
		'a received message has another content',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.messages.first(isOwn(false)));
			await tx.messages.update({ ...record, content: { ...record.content, body: 'other' } });
		}),
	],
	[
		'a relationship has another status',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.relationships.first());
			await tx.relationships.update({ ...record, status: 'Terminated' });
		}),
	],
	[
		'the answer to a request is missing',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.requests.first());
			await tx.requests.update({ ...record, status: 'Open' });
		}),
	],
	[
		'an attribute of an accepted request is missing',
		'views agree',
		inStore(async (tx) => {
			const { record } = found(await tx.attributes.first());
			await tx.attributes.delete(record.id);
		}),
	],
	[
		'a mail was sent twice',
		'sent once',
		async ({ world, account }) => {
			await sendMail(world, account, 'mail 1 of a', 'another key');
			await settle(await world.observer(world.peerOf(account)));
		},
	],
	[
		'a mail was never sent',
		'sent once',
		({ account }) => void account.ledger.addSend('mail 3 of a', account.address),
	],
	[
		'a repeated send was answered with another message',
		'sent once',
		({ account }) => void account.ledger.sends.get('mail 1 of a')?.ids.push('MSGother'),
	],
	[
		'an event is missing in the outbox',
		'events are complete',
		({ account }) =>
			account.place.query((table) => `delete from ${table('outbox')} where sequence = 2`),
	],
	[
		'an event is in the outbox twice',
		'events are complete',
		inStore(async (tx) => {
			const events = await tx.outbox.readAfter(0, 100);
			const received = events.find(({ name }) => name === 'transport.messageReceived');
			const { sequence: _sequence, ...again } = found(received);
			await tx.outbox.append(again);
		}),
	],
	[
		'an event was not delivered',
		'events are complete',
		({ account }) => void account.ledger.deliveries.get(consumer)?.delete(2),
	],
	[
		'an event was delivered out of order',
		'events are complete',
		({ account }) => {
			const delivered = found(account.ledger.deliveries.get(consumer));
			delivered.delete(2);
			delivered.add(2);
		},
	],
	[
		'a counter was used twice',
		'counters are used once',
		({ world, account }) => {
			const own = [...world.backbone.state.messages.values()].filter(
				({ createdBy }) => createdBy === account.address,
			);
			const [first, second] = own.map(({ recipients }) => found(recipients[0]));
			found(second).encryptedKey = found(first).encryptedKey;
		},
	],
	[
		'sealed keys belong to another row',
		'stores are sound',
		({ account }) =>
			account.place.query(
				(table) => `update ${table('messages')} set secrets =
					(select secrets from ${table('messages')} order by ordinal desc limit 1)
					where ordinal = (select min(ordinal) from ${table('messages')})`,
			),
	],
	[
		'a send was left open',
		'nothing is stuck',
		inStore(async (tx) => {
			const { record } = found(await tx.sendIntents.first());
			await tx.sendIntents.update({ ...record, state: 'prepared' });
		}),
	],
	[
		'a received event was given up',
		'nothing is stuck',
		inStore(async (tx) => {
			const { record } = found(await tx.inbox.first());
			await tx.inbox.update({ ...record, state: 'parked' });
		}),
	],
	[
		'an event was left at the Backbone',
		'nothing is stuck',
		({ world, account }) => {
			const id = found([...world.backbone.state.messages.keys()][0]);
			world.backbone.events.add(account.address, 'MessageReceived', { id });
			world.backbone.queues.deliverAll();
		},
	],
	[
		'the mark of a read message is missing',
		'what was confirmed stays',
		inStore(async (tx) => {
			const all = await tx.messages.list(isOwn(false));
			const read = found(all.find(({ record }) => record.wasReadAt !== undefined)).record;
			const { wasReadAt: _wasReadAt, ...unread } = read;
			await tx.messages.update(unread);
		}),
	],
	[
		'a template is missing',
		'what was confirmed stays',
		inStore(async (tx) => {
			const { record } = found(await tx.templates.first({ orderBy: newestFirst }));
			await tx.templates.delete(record.id);
		}),
	],
	[
		'a process ended by itself',
		'nothing unexpected happens',
		({ account }) => void account.ledger.complaints.push('a1 ended by itself'),
	],
];

/** A quick run plays every third one; where it begins follows from the seed of the run. */
const stride = size({ quick: 3, full: 1 });
const first = newSeed() % stride;
const playedSabotages = sabotages.filter((_, index) => index % stride === first);

describe('the judge of npm run chaos', () => {
	let world: World;

	beforeEach(async () => {
		world = await openJudgedScene();
	});

	afterEach(() => world.close());

	const verdict = async (): Promise<Violation[]> => judge(await collectEvidence(world));

	it('finds nothing where all is well', async () => {
		expect(await verdict()).toEqual([]);
	});

	it.each(playedSabotages)('finds that %s', async (_what, rule, sabotage) => {
		const [account] = world.accounts;
		const { store } = (await world.observer(account))['parts'];
		await sabotage({ world, account, store });
		expect((await verdict()).map((violation) => violation.rule)).toContain(rule);
	});
});
