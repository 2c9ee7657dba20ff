import { setTimeout as delay } from 'node:timers/promises';
import type { MessageDto, RequestDto, TemplateDto, FileDto } from '../../core';
import { mailTo } from '../../test/support/gateways';
import type { Account } from './account';
import type { SendInput } from './ledger';
import { GeneratedWorkflow, playExecution } from './workflow';
import type { World } from './world';

type Operation = (account: Account, world: World) => Promise<unknown>;

const longestPauseMs = 150;
/** Longer than clocks jump, so that no process finds a template expired. */
const templateLifeMs = 10 * 24 * 3_600_000;

let subjects = 0;

/** Operations with their relative frequency. */
const operations: ReadonlyArray<readonly [share: number, operation: Operation]> = [
	[10, send],
	[2, runWorkflow],
	[2, markAsRead],
	[1, upload],
	[1, createTemplate],
	[2, ask],
	[4, decide],
	[1, (account) => account.call(['account', 'sync'], [], 1)],
	[0.3, (account) => account.call(['account', 'reconcile'], [], 1)],
];

/** Concurrent callers of an account, each running one operation after the other. */
export class Operations {
	private isStopped = true;

	private lanes: ReadonlyArray<Promise<void>> = [];

	constructor(
		private readonly world: World,
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
			await this.draw()(account, this.world);
			this.world.count('operations');
			await delay(this.world.dice.below(longestPauseMs));
		}
	}

	private draw(): Operation {
		const sum = operations.reduce((total, [share]) => total + share, 0);
		let left = this.world.dice.roll() * sum;
		const [, operation] = operations.find(([share]) => (left -= share) < 0) ?? [0, send];
		return operation;
	}
}

/**
 * Sends a mail to the other account or the official runtime, occasionally twice with the same key.
 */
async function send(account: Account, { dice, official, peerOf }: World): Promise<void> {
	const peer = peerOf(account).address;
	const to = official !== undefined && dice.happens(0.25) ? official.address : peer;
	const subject = `mail ${++subjects} of ${account.name}`;
	const known = [...account.ledger.files.keys()];
	const attachments =
		to === peer && known.length > 0 && dice.happens(0.2) ? [dice.pick(known)] : [];
	const times = dice.happens(0.15) ? 2 : 1;
	for (let time = 0; time < times; time++) {
		await sendNamed(account, subject, { ...aMail(to, subject), attachments }, subject);
	}
}

/** Sends a mail that must be there once under its name, however often it is sent. */
async function sendNamed(
	account: Account,
	name: string,
	input: SendInput,
	idempotencyKey: string,
): Promise<void> {
	const { ids } = account.ledger.addSend(name, input, idempotencyKey);
	const settled = await account.call(['messages', 'send'], [input, { idempotencyKey }]);
	const sent = account.valueOf<MessageDto>(settled, `sending ${name}`);
	if (sent !== undefined) ids.push(sent.id);
}

/**
 * Runs a workflow that sends a list of mails, and repeats it as n8n does, with other ids of
 * executions and the list in another order, with items left out and added. Two executions may
 * overlap.
 */
async function runWorkflow(account: Account, { dice, peerOf }: World): Promise<void> {
	const workflow = new GeneratedWorkflow(dice);
	const peer = peerOf(account).address;
	const draw = (): SendInput =>
		aMail(peer, `item ${dice.below(4)} of ${workflow.nodeId} of ${account.name}`);
	const first = Array.from({ length: 1 + dice.below(4) }, draw);
	const again = (): SendInput[] => {
		const kept = first.filter(() => dice.happens(0.8));
		const added = Array.from({ length: dice.below(3) }, draw);
		return dice.shuffled([...kept, ...added]);
	};
	const lists = [first, ...Array.from({ length: 1 + dice.below(2) }, again)];
	const play = (mails: readonly SendInput[]): Promise<void> =>
		playExecution(
			workflow.execution(),
			mails,
			(name, input, key) => sendNamed(account, name, input, key),
			dice.happens(0.3),
		);
	if (dice.happens(0.3)) await Promise.all(lists.map(play));
	else for (const list of lists) await play(list);
}

async function markAsRead(account: Account, { dice }: World): Promise<void> {
	const { received, read } = account.ledger;
	if (received.length === 0) return;
	const id = dice.pick(received);
	const settled = await account.call(['messages', 'markAsRead'], [id]);
	if (account.valueOf(settled, `marking ${id} as read`) !== undefined) read.add(id);
}

async function upload(account: Account, { dice }: World): Promise<void> {
	const $text = `content ${dice.below(1_000_000)}`;
	const file = { filename: 'a.txt', mimetype: 'text/plain' };
	const settled = await account.call(['files', 'upload'], [file, { $text }]);
	const made = account.valueOf<FileDto>(settled, 'an upload');
	if (made !== undefined) account.ledger.files.set(made.id, $text);
}

async function createTemplate(account: Account, { dice }: World): Promise<void> {
	const expiresAt = new Date(Date.now() + templateLifeMs).toISOString();
	const value = dice.below(1_000_000);
	const content = { '@type': 'ArbitraryRelationshipTemplateContent', value };
	const settled = await account.call(['templates', 'create'], [{ expiresAt, content }]);
	const made = account.valueOf<TemplateDto>(settled, 'creating a template');
	if (made !== undefined) account.ledger.templates.add(made.id);
}

/** Sends a request for a relationship attribute by message. */
async function ask(account: Account, world: World): Promise<void> {
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
	const draft = { content: { items: [item] }, peer };
	const drafted = await account.call(['outgoingRequests', 'create'], [draft]);
	const request = account.valueOf<RequestDto>(drafted, 'drafting a request');
	if (request === undefined) return;
	const message = { recipients: [peer], content: request.content };
	const sent = await account.call(['messages', 'send'], [message, { idempotencyKey: request.id }]);
	const current = await requestOf(account, 'outgoingRequests', request.id);
	// A repetition is refused if a killed process had sent the request.
	if (current !== undefined && current.status !== 'Draft') account.ledger.asked.add(request.id);
	else account.valueOf(sent, `sending the request ${request.id}`);
}

/** Answers a request after its event, as a workflow does. */
async function decide(account: Account, { dice }: World): Promise<void> {
	const { waiting, decisions } = account.ledger;
	const [id] = waiting;
	if (id === undefined) return;
	waiting.delete(id);
	const decision = dice.happens(0.8) ? 'accept' : 'reject';
	const input = { items: [{ accept: decision === 'accept' }] };
	const settled = await account.call(['incomingRequests', decision], [id, input]);
	const current = await requestOf(account, 'incomingRequests', id);
	const isDecided = current?.status === 'Decided' || current?.status === 'Completed';
	if (isDecided) decisions.set(id, decision === 'accept' ? 'Accepted' : 'Rejected');
	else account.valueOf(settled, `the decision ${decision} about ${id}`);
}

async function requestOf(
	account: Account,
	useCase: 'incomingRequests' | 'outgoingRequests',
	id: string,
): Promise<RequestDto | undefined> {
	const settled = await account.call([useCase, 'get'], [id]);
	return account.valueOf<RequestDto>(settled, `looking at the request ${id}`);
}

function aMail(to: string, subject: string): SendInput {
	return mailTo(to, subject, `about ${subject}`);
}
