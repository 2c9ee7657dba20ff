import type { Gateway, AnyEvent } from '../../core';
import { noteEventTime } from '../support/backbone/backbone-notes';
import { inOneHour, mailTo, TestNetwork } from '../support/gateways';
import { Peer, type Generation } from '../support/peer/peer';
import { until } from '../support/until';
import { ask, give, onboarding } from '../interop/contents';
import { majorVersion, officialGenerations } from './target';

jest.setTimeout(180_000);

/*
 * The story of the README with push, as it is played against any Backbone: a template is shown, a person
 * answers, the relationship is accepted, and mails and files go both ways.
 */

/** events that take longer were lost */
const patienceMs = 60_000;

let network: TestNetwork;
let gateway: Gateway;

/** Runs the action and resolves with the first event it causes here; notes how long that took. */
async function causes(
	title: string,
	act: () => Promise<unknown>,
	fits: (event: AnyEvent) => boolean,
): Promise<AnyEvent> {
	const seen = new Set((await gateway.events.recent({}, 200)).map(({ id }) => id));
	await act();
	const began = performance.now();
	let found: AnyEvent | undefined;
	await until(async () => {
		const events = await gateway.events.recent({}, 200);
		found = events.find((event) => !seen.has(event.id) && fits(event));
		return found !== undefined;
	}, patienceMs);
	noteEventTime(title, performance.now() - began);
	return found as AnyEvent;
}

const isChange =
	(status: string) =>
	({ event, data }: AnyEvent): boolean =>
		event === 'transport.relationshipChanged' && (data as { status?: string }).status === status;

const isMail =
	(subject: string) =>
	({ event, data }: AnyEvent): boolean =>
		event === 'transport.messageReceived' &&
		(data as { content?: { subject?: string } }).content?.subject === subject;

beforeAll(async () => {
	network = await TestNetwork.open({ majorVersion });
	gateway = await network.gateway();
	gateway.events.keepSynced({ intervalMs: 10_000, push: true, onProblem: () => undefined });
});

afterAll(() => network.close());

it('two of our gateways', async () => {
	const person = await network.gateway();
	const { address } = await person.account.getIdentity();
	const template = await gateway.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { hello: 'wallet' } },
	});
	const { id: templateId } = await person.templates.loadPeer({
		reference: template.truncatedReference,
	});
	const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 'hi' };
	const pending = await causes(
		'relationship requested',
		() => person.relationships.create({ templateId, creationContent }),
		isChange('Pending'),
	);
	const { id } = pending.data as { id: string };
	await gateway.relationships.accept(id);
	await network.arrives(person, async () => {
		const [relationship] = await person.relationships.list();
		return relationship?.status === 'Active';
	});
	const own = (await gateway.account.getIdentity()).address;
	for (let number = 1; number <= 10; number++) {
		const subject = `To ${address} ${number}`;
		await causes('mail', () => person.messages.send(mailTo(own, subject)), isMail(subject));
	}
	const { id: answer } = await gateway.messages.send(mailTo(address, 'Welcome'));
	await network.arrives(person, async () =>
		(await person.messages.list()).some((message) => message.id === answer),
	);
	const file = await gateway.files.upload(
		{ filename: 'terms.txt', mimetype: 'text/plain', title: 'Terms' },
		Buffer.from('Grüße 👋'),
	);
	const loaded = await person.files.getOrLoad({ reference: file.reference.truncated });
	const { content } = await person.files.download(loaded.id);
	expect(Buffer.from(content).toString()).toBe('Grüße 👋');
});

const wallets = officialGenerations.map((generation) => [`${generation}`, generation] as const);

if (wallets.length > 0)
	it.each(wallets)('with the official runtime of version %s', async (_, generation: Generation) => {
		const peer = await Peer.start(generation, network.credentials);
		try {
			const own = (await gateway.account.getIdentity()).address;
			const template = await gateway.templates.create({
				expiresAt: inOneHour(),
				content: onboarding(ask('GivenName')),
			});
			const request = await peer.receiveRequest(template.truncatedReference);
			const pending = await causes(
				'relationship requested',
				() => peer.acceptRequest(request.id, [give(peer.address, 'GivenName', 'Ada')]),
				isChange('Pending'),
			);
			const { id } = pending.data as { id: string };
			const [shared] = await gateway.relationships.peerAttributes(id);
			expect(shared?.content).toMatchObject({ value: { '@type': 'GivenName', value: 'Ada' } });
			await gateway.relationships.accept(id);
			await until(async () => {
				await peer.sync();
				return (await peer.relationships({ peer: own }))[0]?.['status'] === 'Active';
			}, patienceMs);
			await causes('mail', () => peer.sendMail(own, 'Hello', 'from a wallet'), isMail('Hello'));
			await gateway.messages.send(mailTo(peer.address, 'Welcome'));
			await until(async () => {
				await peer.sync();
				return (await peer.receivedContents()).some(({ subject }) => subject === 'Welcome');
			}, patienceMs);
		} finally {
			await network.endPeer(peer);
		}
	});
