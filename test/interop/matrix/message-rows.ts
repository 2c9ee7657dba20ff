import { inOneHour, mailTo } from '../../support/gateways';
import { amongFriends, amongStrangers, withControls, type RowGroup } from './row';
import { hasMessage, hasStatus, mail, sendToSeveral, syncOf, type Stage } from './stage';
import { loosely } from '../../support/loosely';

const sent = 'messageSent';
const received = 'messageReceived';

const sendMail = amongFriends('mail', async (stage) => {
	const { actor, follower } = stage;
	const content = {
		'@type': 'Mail' as const,
		to: [follower.address],
		cc: [],
		subject: 'Grüße',
		body: 'Nice to meet you 👋',
	};
	const { id } = await arrives(stage, content);
	expect(await actor.messages.get(id)).toMatchObject({
		content,
		isOwn: true,
		recipients: [{ address: follower.address, relationshipId: stage.friendship }],
	});
	expect(await follower.messages.get(id)).toMatchObject({
		content,
		isOwn: false,
		createdBy: actor.address,
		recipients: [{ address: follower.address, relationshipId: stage.friendship }],
	});
});

const arbitrary = amongFriends('any content', async (stage) => {
	const content = {
		'@type': 'ArbitraryMessageContent' as const,
		value: { any: ['thing', null, 1.5] },
	};
	const { id } = await arrives(stage, content);
	expect(await stage.follower.messages.get(id)).toMatchObject({ content });
});

const arrives = (stage: Stage, content: object, more: object = {}) =>
	stage.hears({ actor: [sent], follower: [received] }, async () => {
		const recipients = [stage.follower.address];
		const message = await stage.actor.messages.send({
			recipients,
			content: loosely(content),
			...more,
		});
		await syncOf(stage.follower);
		return message;
	});

const several = amongFriends('several recipients', async (stage) => {
	const { actor, follower } = stage;
	const third = await stage.newcomer();
	await stage.relate(actor, third);
	const recipients = [third.address, follower.address];
	const content = {
		'@type': 'Mail' as const,
		to: [third.address],
		cc: [follower.address],
		subject: 'To two',
		body: 'of you',
	};
	const { id } = await stage.hears({ actor: [sent], follower: [received] }, async () => {
		const message = await sendToSeveral(actor, { recipients, content });
		await syncOf(follower);
		await syncOf(third, () => hasMessage(third, message.id));
		return message;
	});
	const shown = await actor.messages.get(id);
	expect(shown.recipients.map(({ address }) => address)).toEqual(recipients);
	for (const party of [third, follower]) {
		expect(await party.messages.get(id)).toMatchObject({
			content,
			recipients: [{ address: party.address }],
		});
	}
});

const attachments = amongFriends('attachments', async (stage) => {
	const { actor, follower } = stage;
	const properties = { mimetype: 'text/plain', expiresAt: inOneHour() };
	const own = [
		await actor.files.upload({ ...properties, filename: 'a.txt' }, 'first'),
		await actor.files.upload({ ...properties, filename: 'b.txt' }, 'second'),
	];
	const ids = own.map(({ id }) => id);
	const { content } = mailTo(follower.address);
	const { id } = await arrives(stage, content, { attachments: ids });
	expect((await follower.messages.get(id)).attachments).toEqual(ids);
	expect(await follower.messages.listAttachments(id)).toMatchObject([
		{ id: ids[0], filename: 'a.txt', isOwn: false },
		{ id: ids[1], filename: 'b.txt', isOwn: false },
	]);
	expect(await follower.files.read(ids[1] ?? '')).toBe('second');
	const reply = await follower.messages.send({
		...mailTo(actor.address),
		attachments: ids.slice(0, 1),
	});
	await syncOf(actor, () => hasMessage(actor, reply.id));
	expect(await actor.messages.listAttachments(reply.id)).toMatchObject([
		{ id: ids[0], isOwn: true },
	]);
});

const readState = amongFriends('mark as read and as unread', async (stage) => {
	const { actor, follower } = stage;
	const { id } = await mail(follower, actor);
	await syncOf(actor, () => hasMessage(actor, id));
	const readChanged = 'messageWasReadAtChanged';
	await stage.hears({ actor: [readChanged] }, async () => {
		const read = await actor.messages.markAsRead(id);
		expect(read.wasReadAt).toBeDefined();
		expect((await actor.messages.markAsRead(id)).wasReadAt).toBe(read.wasReadAt);
	});
	await stage.hears({ actor: [readChanged] }, () => actor.messages.markAsUnread(id));
	expect(await actor.messages.get(id)).not.toHaveProperty('wasReadAt');
});

const delivered = amongFriends(
	'learn that it was delivered',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		const { id } = await mail(actor, follower);
		await syncOf(follower);
		// Backbones of today do not tell; the ones of old did, and both runtimes listen.
		backbone.events.add(actor.address, 'MessageDelivered', { id });
		await stage.hears({ actor: ['messageDelivered'] }, () => syncOf(actor));
		const [recipient] = (await actor.messages.get(id)).recipients;
		const [seen] = (await follower.messages.get(id)).recipients;
		expect(recipient?.receivedAt).toBe(seen?.receivedAt);
		expect(recipient?.receivedAt).toBeDefined();
	}),
);

const undecryptable = amongStrangers(
	'a message that cannot be decrypted does not stop the others',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		await stage.relate();
		const broken = await mail(actor, follower, 'Broken');
		const row = backbone.state.messages.get(broken.id);
		if (row !== undefined) row.body = row.body.replace(/.{8}$/, 'AAAAAAAA');
		const whole = await mail(actor, follower, 'Whole');
		await stage.hears({ follower: [received] }, async () => {
			const { failures } = await follower.settle();
			expect(failures).toBe(follower.kind === 'ours' ? 1 : 0);
		});
		expect(await follower.messages.get(whole.id)).toMatchObject({ content: { subject: 'Whole' } });
	}),
);

const sendsKnownTypes = 'the official runtime sends no content of a type that it does not know';

const unknown = amongStrangers(
	'content of an unknown type does not stop the others',
	async (stage) => {
		const { actor, follower } = stage;
		await stage.relate();
		await actor.messages.sendUnchecked(follower.address, { '@type': 'Telepathy', to: 'you' });
		const known = await mail(actor, follower, 'Known');
		await stage.hears({ follower: [received] }, async () => {
			const { failures } = await follower.settle(() => hasMessage(follower, known.id));
			expect(failures).toBe(follower.kind === 'ours' ? 1 : 0);
		});
		expect(await follower.messages.get(known.id)).toMatchObject({ content: { subject: 'Known' } });
	},
	{ actor: { 6: sendsKnownTypes, 7: sendsKnownTypes } },
);

const unknownEvents = amongFriends(
	'events of an unknown type',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		const events: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
			['TokenLocked', {}],
			['PeerFeatureFlagsChanged', { peerAddress: actor.address }],
			['SomethingOfTomorrow', { any: ['thing'] }],
		];
		for (const [type, payload] of events) backbone.events.add(follower.address, type, payload);
		await stage.hears({ actor: [sent], follower: [received] }, async () => {
			await mail(actor, follower);
			await syncOf(follower);
		});
	}),
);

const terminated = amongStrangers(
	'a message in flight when the relationship ended',
	async (stage) => {
		const { actor, follower } = stage;
		const id = await stage.relate();
		const late = await mail(actor, follower, 'Late');
		await actor.relationships.terminate(id);
		await syncOf(follower, () => hasStatus(follower, id, 'Terminated'));
		// The server holds back the event if it was still in a queue when the relationship ended.
		await actor.relationships.requestReactivation(id);
		await syncOf(follower, async () => {
			const { auditLog } = await follower.relationships.get(id);
			return auditLog.at(-1)?.reason === 'ReactivationRequested';
		});
		await follower.relationships.acceptReactivation(id);
		await syncOf(follower, () => hasMessage(follower, late.id));
		expect(await follower.messages.get(late.id)).toMatchObject({ content: { subject: 'Late' } });
	},
);

const repeated = amongStrangers(
	'an event that the Backbone repeats',
	withControls(async (stage) => {
		const { actor, follower, backbone } = stage;
		const relationshipId = await stage.relate();
		const { id } = await mail(actor, follower);
		await syncOf(follower);
		const before = await follower.messages.get(id);
		backbone.events.add(follower.address, 'RelationshipStatusChanged', { relationshipId });
		// The official runtime stores a repeated message once more.
		if (follower.kind === 'ours') backbone.events.add(follower.address, 'MessageReceived', { id });
		await stage.hears({}, () => syncOf(follower));
		expect(await follower.messages.get(id)).toEqual(before);
	}),
);

export const messageRows: RowGroup = {
	title: 'Messages',
	source: 'transport.md 7, 14',
	rows: [
		sendMail,
		arbitrary,
		several,
		attachments,
		readState,
		delivered,
		undecryptable,
		unknown,
		unknownEvents,
		terminated,
		repeated,
	],
};
