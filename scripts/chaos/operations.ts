import { setTimeout as delay } from 'node:timers/promises';
import type { MessageDto, RequestDto, TemplateDto, FileDto } from '../../core';
import { inOneHour } from '../../test/support/gateways';
import type { Dice } from '../fuzz/dice';
import type { Account, Settled } from './account';
import type { World } from './world';

type Operation = (dice: Dice, account: Account, world: World) => Promise<void>;

const longestPauseMs = 150;

let subjects = 0;

/** Operations with their relative frequency. */
const operations: ReadonlyArray<readonly [share: number, operation: Operation]> = [
	[10, send],
	[2, markAsRead],
	[1, upload],
	[1, createTemplate],
	[2, ask],
	[4, decide],
	[1, sync],
	[0.3, reconcile],
];

/** Concurrent callers of an account, each running one operation after the other. */
export class Operations {
	/** number of completed operations */
	done = 0;

	private isStopped = true;

	private lanes: ReadonlyArray<Promise<void>> = [];

	constructor(
		private readonly world: World,
		private readonly dice: Dice,
		private readonly lanesPerAccount: number,
	) {}

	start(): void {
		this.isStopped = false;
		this.lanes = this.world.accounts.flatMap((account) =>
			Array.from({ length: this.lanesPerAccount }, () => this.play(account)),
		);
	}

	/** Resolves when the operations in progress have completed. */
	async stop(): Promise<void> {
		this.isStopped = true;
		await Promise.all(this.lanes);
	}

	private async play(account: Account): Promise<void> {
		while (!this.isStopped) {
			await this.draw()(this.dice, account, this.world);
			this.done++;
			await delay(this.dice.below(longestPauseMs));
		}
	}

	private draw(): Operation {
		const sum = operations.reduce((total, [share]) => total + share, 0);
		let left = this.dice.roll() * sum;
		const [, operation] = operations.find(([share]) => (left -= share) < 0) ?? [0, send];
		return operation;
	}
}

/**
 * Sends a mail to the other account or the official runtime, occasionally twice with the same key.
 */
async function send(dice: Dice, account: Account, world: World): Promise<void> {
	const peer = world.peerOf(account).address;
	const to = world.official !== undefined && dice.happens(0.25) ? world.official.address : peer;
	const subject = `mail ${++subjects} of ${account.name}`;
	const known = [...account.ledger.files.keys()];
	const attachments =
		to === peer && known.length > 0 && dice.happens(0.2) ? [dice.pick(known)] : [];
	const content = { '@type': 'Mail', to: [to], subject, body: `about ${subject}` };
	const input = { recipients: [to], content, attachments };
	const confirmed = account.ledger.addSend(subject, to);
	const times = dice.happens(0.15) ? 2 : 1;
	for (let time = 0; time < times; time++) {
		const settled = await account.callUntilSettled(dice, 'messages', 'send', input, {
			idempotencyKey: subject,
		});
		const sent = valueOf<MessageDto>(account, settled, `sending ${subject}`);
		if (sent !== undefined) confirmed.ids.push(sent.id);
	}
}

async function markAsRead(dice: Dice, account: Account): Promise<void> {
	const { received, read } = account.ledger;
	if (received.length === 0) return;
	const id = dice.pick(received);
	const settled = await account.callUntilSettled(dice, 'messages', 'markAsRead', id);
	if (valueOf(account, settled, `marking ${id} as read`) !== undefined) read.add(id);
}

async function upload(dice: Dice, account: Account): Promise<void> {
	const $text = `content ${dice.below(1_000_000)}`;
	const file = { filename: 'a.txt', mimetype: 'text/plain' };
	const settled = await account.callUntilSettled(dice, 'files', 'upload', file, { $text });
	const made = valueOf<FileDto>(account, settled, 'an upload');
	if (made !== undefined) account.ledger.files.set(made.id, $text);
}

async function createTemplate(dice: Dice, account: Account): Promise<void> {
	const settled = await account.callUntilSettled(dice, 'templates', 'create', {
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: dice.below(1_000_000) },
	});
	const made = valueOf<TemplateDto>(account, settled, 'creating a template');
	if (made !== undefined) account.ledger.templates.add(made.id);
}

/** Sends a request for a relationship attribute by message. */
async function ask(dice: Dice, account: Account, world: World): Promise<void> {
	const peer = world.peerOf(account).address;
	const item = {
		'@type': 'CreateAttributeRequestItem',
		mustBeAccepted: true,
		attribute: {
			'@type': 'RelationshipAttribute',
			owner: peer,
			key: `key ${++subjects}`,
			confidentiality: 'public',
			value: { '@type': 'ProprietaryString', title: 'T', value: `value ${subjects}` },
		},
	};
	const drafted = await account.callUntilSettled(dice, 'outgoingRequests', 'create', {
		content: { items: [item] },
		peer,
	});
	const request = valueOf<RequestDto>(account, drafted, 'drafting a request');
	if (request === undefined) return;
	const message = { recipients: [peer], content: request.content };
	const sent = await account.callUntilSettled(dice, 'messages', 'send', message, {
		idempotencyKey: request.id,
	});
	const current = await requestOf(dice, account, 'outgoingRequests', request.id);
	// A repetition is refused if a killed process had sent the request.
	if (current !== undefined && current.status !== 'Draft') account.ledger.asked.add(request.id);
	else valueOf(account, sent, `sending the request ${request.id}`);
}

/** Answers a request after its event, as a workflow does. */
async function decide(dice: Dice, account: Account): Promise<void> {
	const { waiting, decisions } = account.ledger;
	const [id] = waiting;
	if (id === undefined) return;
	waiting.delete(id);
	const decision = dice.happens(0.8) ? 'accept' : 'reject';
	const input = { items: [{ accept: decision === 'accept' }] };
	const settled = await account.callUntilSettled(dice, 'incomingRequests', decision, id, input);
	const current = await requestOf(dice, account, 'incomingRequests', id);
	const isDecided = current?.status === 'Decided' || current?.status === 'Completed';
	if (isDecided) decisions.set(id, decision === 'accept' ? 'Accepted' : 'Rejected');
	else valueOf(account, settled, `the decision ${decision} about ${id}`);
}

async function requestOf(
	dice: Dice,
	account: Account,
	useCase: 'incomingRequests' | 'outgoingRequests',
	id: string,
): Promise<RequestDto | undefined> {
	const settled = await account.callUntilSettled(dice, useCase, 'get', id);
	return valueOf<RequestDto>(account, settled, `looking at the request ${id}`);
}

async function sync(dice: Dice, account: Account): Promise<void> {
	await account.call(dice, 'account', 'sync');
}

async function reconcile(dice: Dice, account: Account): Promise<void> {
	await account.call(dice, 'account', 'reconcile');
}

/** Returns the value; a permanent refusal is unexpected in these operations. */
function valueOf<Value>(account: Account, settled: Settled, what: string): Value | undefined {
	if ('value' in settled) return settled.value as Value;
	account.complain(`${what} was refused: ${settled.code}`);
	return undefined;
}
