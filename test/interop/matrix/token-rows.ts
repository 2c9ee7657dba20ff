import { inOneHour } from '../../support/gateways';
import type { Party } from './party';
import { amongFriends, withControls, type RowGroup } from './row';
import { refused } from './stage';

const notFound = 'error.runtime.recordNotFound';
const hourMs = 3_600_000;
const content = { any: ['thing', 1, null, { nested: true }] };

const create = (party: Party, more: object = {}) =>
	party.tokens.create({ content, expiresAt: inOneHour(), ...more });

const load = amongFriends('any content, kept on both sides', async ({ actor, follower }) => {
	const own = await create(actor);
	expect(await actor.tokens.get(own.id)).toEqual(own);
	const loaded = await follower.tokens.loadPeer({ reference: own.reference.url });
	expect(loaded).toMatchObject({
		id: own.id,
		content,
		isOwn: false,
		isEphemeral: false,
		createdBy: actor.address,
		expiresAt: own.expiresAt,
		reference: own.reference,
	});
	expect(await follower.tokens.get(own.id)).toEqual(loaded);
});

const ephemeral = amongFriends('ephemeral', async ({ actor, follower }) => {
	const own = await create(actor, { ephemeral: true });
	expect(own.isEphemeral).toBe(true);
	await refused(actor.tokens.get(own.id), notFound);
	const input = { reference: own.reference.truncated, ephemeral: true };
	expect(await follower.tokens.loadPeer(input)).toMatchObject({ content, isEphemeral: true });
	await refused(follower.tokens.get(own.id), notFound);
});

const protectedOne = amongFriends('protected, with a hint where the PIN is', async (stage) => {
	const { actor, follower } = stage;
	const passwordProtection = {
		password: '0815',
		passwordIsPin: true,
		passwordLocationIndicator: 'SMS',
	};
	const own = await create(actor, { passwordProtection });
	const input = { reference: own.reference.truncated };
	await refused(follower.tokens.loadPeer(input), 'error.transport.noPasswordProvided');
	await refused(follower.tokens.loadPeer({ ...input, password: '5180' }), notFound);
	expect(await follower.tokens.loadPeer({ ...input, password: '0815' })).toMatchObject({
		content,
		passwordProtection,
		reference: own.reference,
	});
});

const personal = amongFriends('for one identity', async ({ actor, follower, newcomer }) => {
	const forIdentity = follower.address;
	const { reference } = await create(actor, { forIdentity });
	const input = { reference: reference.truncated };
	const stranger = await newcomer();
	await refused(stranger.tokens.loadPeer(input), 'error.transport.general.notIntendedForYou');
	expect(await follower.tokens.loadPeer(input)).toMatchObject({ content, forIdentity });
});

const anonymous = amongFriends('load without an identity', async ({ actor, follower }) => {
	const password = 'open it';
	const open = await create(actor, { passwordProtection: { password } });
	const input = { reference: open.reference.truncated, password };
	expect(await follower.tokens.loadAnonymous(input)).toMatchObject({
		content,
		isOwn: false,
		isEphemeral: true,
		createdBy: actor.address,
	});
	const { reference } = await create(actor, { forIdentity: follower.address });
	await refused(
		follower.tokens.loadAnonymous({ reference: reference.truncated }),
		'error.transport.general.notIntendedForYou',
	);
});

const remove = amongFriends('delete', async ({ actor, follower }) => {
	const own = await create(actor);
	const input = { reference: own.reference.truncated };
	await follower.tokens.loadPeer(input);
	await follower.tokens.delete(own.id);
	await refused(follower.tokens.get(own.id), notFound);
	expect(await follower.tokens.loadPeer(input)).toMatchObject({ content });
	await actor.tokens.delete(own.id);
	await refused(actor.tokens.get(own.id), notFound);
	await refused(follower.tokens.loadAnonymous(input), notFound);
});

const expire = amongFriends(
	'expire',
	withControls(async ({ actor, follower, backbone }) => {
		const { reference } = await create(actor);
		const input = { reference: reference.truncated };
		backbone.advanceClock(2 * hourMs);
		try {
			await refused(follower.tokens.loadPeer(input), notFound);
		} finally {
			backbone.advanceClock(-2 * hourMs);
		}
		expect(await follower.tokens.loadPeer(input)).toMatchObject({ content });
	}),
);

const oneDevice = 'we have one device';

const device = amongFriends(
	'for a new device',
	async ({ actor, follower }) => {
		const own = await actor.tokens.createForDevice();
		expect(own.content).toMatchObject({ '@type': 'TokenContentDeviceSharedSecret' });
		const input = { reference: own.reference.truncated, ephemeral: true };
		expect(await follower.tokens.loadPeer(input)).toMatchObject({ content: own.content });
	},
	{ actor: { ours: oneDevice, 7: 'from 7.0.0 on, a new device creates an empty token instead' } },
);

const noneMade = 'our gateway is not onboarded by another device, so it creates none';

const empty = amongFriends(
	'fill an empty token',
	async ({ actor, follower }) => {
		const token = await follower.tokens.createEmpty();
		const input = { reference: token.reference.truncated };
		for (const party of [actor, follower]) {
			await refused(party.tokens.loadAnonymous(input), 'error.transport.tokens.emptyToken');
		}
		const filled = await actor.tokens.fill(token);
		expect(await follower.tokens.loadAnonymous(input)).toMatchObject({
			content: filled.content,
			createdBy: actor.address,
		});
	},
	{ follower: { ours: noneMade, 6: 'empty tokens came after 6.60.5' } },
);

export const tokenRows: RowGroup = {
	title: 'Tokens',
	source: 'transport.md 9',
	rows: [load, ephemeral, protectedOne, personal, anonymous, remove, expire, device, empty],
};
