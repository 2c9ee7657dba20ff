import { collectEvidence } from '../../../scripts/chaos/evidence';
import type { Account } from '../../../scripts/chaos/account';
import { playExecution } from '../../../scripts/chaos/workflow';
import { World } from '../../../scripts/chaos/world';
import { inOneHour, mailTo, settle } from '../../support/gateways';
import type { StubOptions } from '../../support/n8n/n8n-functions';
import { newSeed } from '../../support/seeds';

/** name of the only consumer of an account */
export const consumer = 'only';

/** A world in which one of everything that is judged has happened, undisturbed and in this process. */
export async function openJudgedScene(): Promise<World> {
	const world = await World.open({ seed: newSeed(), store: 'sqlite', processesPerAccount: 0 });
	const [a, b] = world.accounts;
	for (const number of [1, 2]) {
		await sendMail(world, a, `mail ${number} of a`);
		await sendMail(world, b, `mail ${number} of b`);
	}
	await settle(await world.observer(a), await world.observer(b));
	await markOneAsRead(world, a);
	await createTemplate(world, a);
	await askAndAccept(world);
	for (const account of world.accounts) await noteDeliveries(world, account);
	return world;
}

/** Confirmed, as far as the ledger is concerned. */
export async function sendMail(
	world: World,
	account: Account,
	subject: string,
	idempotencyKey = subject,
): Promise<void> {
	const input = mailTo(world.peerOf(account).address, subject);
	const gateway = await world.observer(account);
	const { id } = await gateway.messages.send(input, { idempotencyKey });
	const { ids } = account.ledger.addSend(subject, input, idempotencyKey);
	if (ids.length === 0) ids.push(id);
}

/** Plays an execution of a workflow; the ledger notes what it is meant to send. */
export async function sendByWorkflow(
	world: World,
	account: Account,
	execution: StubOptions,
	subjects: readonly string[],
): Promise<void> {
	const gateway = await world.observer(account);
	const to = world.peerOf(account).address;
	const mails = subjects.map((subject) => mailTo(to, subject));
	await playExecution(execution, mails, async (name, input, idempotencyKey) => {
		const { ids } = account.ledger.addSend(name, input, idempotencyKey);
		ids.push((await gateway.messages.send(input, { idempotencyKey })).id);
	});
}

async function markOneAsRead(world: World, account: Account): Promise<void> {
	const gateway = await world.observer(account);
	const message = (await gateway.messages.list()).find(({ isOwn }) => !isOwn);
	const { id } = await gateway.messages.markAsRead(message?.id ?? '');
	account.ledger.read.add(id);
}

async function createTemplate(world: World, account: Account): Promise<void> {
	const gateway = await world.observer(account);
	const { id } = await gateway.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	account.ledger.templates.add(id);
}

async function askAndAccept(world: World): Promise<void> {
	const [a, b] = world.accounts;
	const [asker, decider] = [await world.observer(a), await world.observer(b)];
	const attribute = {
		'@type': 'RelationshipAttribute' as const,
		owner: b.address,
		key: 'key',
		confidentiality: 'public' as const,
		value: { '@type': 'ProprietaryString' as const, title: 'T', value: 'V' },
	};
	const item = { '@type': 'CreateAttributeRequestItem' as const, mustBeAccepted: true, attribute };
	const { id, content } = await asker.outgoingRequests.create({
		content: { items: [item] },
		peer: b.address,
	});
	await asker.messages.send({ recipients: [b.address], content });
	await settle(decider);
	await decider.incomingRequests.accept(id, { items: [{ accept: true }] });
	await settle(asker, decider);
	a.ledger.asked.add(id);
	b.ledger.decisions.set(id, 'Accepted');
}

async function noteDeliveries(world: World, account: Account): Promise<void> {
	const { accounts } = await collectEvidence(world);
	const events = accounts.find(({ name }) => name === account.name)?.events ?? [];
	account.ledger.addDelivery(
		consumer,
		events.map(({ sequence, name }) => ({ sequence, name, id: '' })),
	);
}
