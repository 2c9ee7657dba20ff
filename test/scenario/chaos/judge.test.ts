import { partsOf } from '../../../core/gateway/gateway-parts';
import type { Account } from '../../../scripts/chaos/account';
import { collectEvidence } from '../../../scripts/chaos/evidence';
import { judge, type Rule, type Violation } from '../../../scripts/chaos/judge';
import { Lives } from '../../../scripts/chaos/lives';
import { GeneratedWorkflow } from '../../../scripts/chaos/workflow';
import type { World } from '../../../scripts/chaos/world';
import type { Store, WriteTransaction } from '../../../core/store/store';
import { Dice } from '../../../scripts/harness/dice';
import { mailTo, settle } from '../../support/gateways';
import type { StubOptions } from '../../support/n8n/n8n-functions';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { consumer, openJudgedScene, sendByWorkflow, sendMail } from './judged-scene';

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

const newWorkflow = (): GeneratedWorkflow =>
	new GeneratedWorkflow(new Dice(newSeed()), { events: ['EVT1'], subWorkflows: 1 });

/** Repeats a list that has shifted, with executions that differ from what n8n shows. */
const repeatedWorkflow =
	(differing: (execution: StubOptions, place: number) => StubOptions): Sabotage =>
	async ({ world, account }) => {
		const workflow = newWorkflow();
		for (const subjects of [
			['first', 'second'],
			['second', 'first'],
		]) {
			for (const [place, subject] of subjects.entries()) {
				const execution = differing(workflow.execution(), place);
				await sendByWorkflow(world, account, execution, [subject]);
			}
		}
		await settle(await world.observer(world.peerOf(account)));
	};

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
		'a message that the Backbone shows again is taken for a new one',
		'views agree',
		async ({ world, account, store }) => {
			const known = await store.transact(async (tx) => {
				const { record } = found(await tx.messages.first(isOwn(false)));
				const { identity: _forgotten, ...rest } = record;
				await tx.messages.update(rest);
				return record.id;
			});
			world.backbone.events.showAgain(known);
			await settle(await world.observer(account));
		},
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
		({ account }) => {
			const mail = mailTo(account.address, 'mail 3 of a');
			account.ledger.addSend('mail 3 of a', mail, 'mail 3 of a');
		},
	],
	[
		'a repeated send was answered with another message',
		'sent once',
		({ account }) => void account.ledger.sends.get('mail 1 of a')?.ids.push('MSGother'),
	],
	[
		'a list that has shifted was sent again, because items had keys by their place',
		'sent once',
		repeatedWorkflow((execution, place) => ({ ...execution, node: { id: `place ${place}` } })),
	],
	[
		'a sub-workflow was sent again, because nothing told what had begun it',
		'sent once',
		repeatedWorkflow((execution) => ({ ...execution, stored: {} })),
	],
	[
		'one of two equal mails of a workflow was never sent',
		'sent once',
		async ({ world, account }) => {
			const execution = newWorkflow().execution();
			for (const _mail of [1, 2]) await sendByWorkflow(world, account, execution, ['equal']);
			const mail = mailTo(world.peerOf(account).address, 'equal');
			account.ledger.addSend('equal, number 2', mail, 'never used');
		},
	],
	[
		'a key was forgotten when a clock had jumped',
		'sent once',
		async ({ world, account, store }) => {
			await store.transact(async (tx) => {
				const where = [{ field: 'idempotencyKey', op: 'eq', value: 'mail 1 of a' } as const];
				const { record } = found(await tx.sendIntents.first({ where }));
				await tx.sendIntents.delete(record.id);
			});
			await sendMail(world, account, 'mail 1 of a');
			await settle(await world.observer(world.peerOf(account)));
		},
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

interface SabotagedLives {
	/** before the copies send */
	readonly before?: (account: Account) => void;
	readonly after?: Sabotage;
	readonly isUnreported?: true;
}

const sabotagedLives: ReadonlyArray<readonly [what: string, rule: Rule, sabotage: SabotagedLives]> =
	[
		[
			'a restored account has sent a mail again',
			'sent once',
			{
				before: ({ ledger }) => {
					const sent = found(ledger.sends.get('since then'));
					ledger.sends.set('since then', { ...sent, idempotencyKey: 'another key' });
				},
			},
		],
		[
			'two copies have used a counter',
			'counters are used once',
			{
				after: ({ world, account }) => {
					const [one, other] = ['turn 1 of the snapshot', 'turn 2 of the original'].map((name) => {
						const { ids } = found(account.ledger.sends.get(`mail 1 of ${name}`));
						return found(world.backbone.state.messages.get(ids[0] ?? '')?.recipients[0]);
					});
					found(one).encryptedKey = found(other).encryptedKey;
				},
			},
		],
		['a copy has not listed the other', 'copies are reported', { isUnreported: true }],
		[
			'a message that was sent since the backup is missing after the restore',
			'views agree',
			{
				after: inStore(async (tx) => {
					const { record } = found(await tx.messages.first(isOwn(true)));
					await tx.messages.delete(record.id);
				}),
			},
		],
	];

/** A quick run plays every third one; where it begins follows from the seed of the run. */
const stride = size({ quick: 3, full: 1 });
const first = newSeed() % stride;
const played = <One>(all: readonly One[]): One[] =>
	all.filter((_, index) => index % stride === first);

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

	it.each(played(sabotages))('finds that %s', async (_what, rule, sabotage) => {
		const [account] = world.accounts;
		const { store } = partsOf(await world.observer(account));
		await sabotage({ world, account, store });
		expect((await verdict()).map((violation) => violation.rule)).toContain(rule);
	});

	describe('after a snapshot that was taken back, and a restore', () => {
		async function verdictOn({
			before,
			after,
			isUnreported,
		}: SabotagedLives): Promise<Violation[]> {
			const [account] = world.accounts;
			await world.closeObservers();
			const lives = await Lives.take(world, account);
			await sendMail(world, account, 'since then');
			await world.closeObservers();
			before?.(account);
			await lives.play();
			const [restored] = world.accounts;
			const { store } = partsOf(await world.observer(restored));
			await after?.({ world, account: restored, store });
			const evidence = await lives.evidence();
			const copies = evidence.copies?.map(({ name }) => ({ name, problems: [] }));
			return judge(isUnreported && copies !== undefined ? { ...evidence, copies } : evidence);
		}

		it('finds nothing where all is well', async () => {
			expect(await verdictOn({})).toEqual([]);
		});

		it.each(played(sabotagedLives))('finds that %s', async (_what, rule, sabotage) => {
			const violations = await verdictOn(sabotage);
			expect(violations.map((violation) => violation.rule)).toContain(rule);
		});
	});
});
