import type { FileDto } from '../../../core';
import { inOneHour } from '../../support/gateways';
import type { Party } from './party';
import { amongFriends, withControls, type RowGroup } from './row';
import { refused, syncOf } from './stage';

const notFound = 'error.runtime.recordNotFound';
/** The official runtime takes the Backbone's 'not found' for the content and finds it wrong. */
const unreadable = [notFound, 'error.transport.files.cipherMismatch'];
const hourMs = 3_600_000;

const upload = (party: Party, text: string, more: object = {}) =>
	party.files.upload(
		{ filename: 'a.txt', mimetype: 'text/plain', title: 'A', expiresAt: inOneHour(), ...more },
		text,
	);

const load = amongFriends(
	'upload, load by either form of the reference, download',
	async (stage) => {
		const { actor, follower } = stage;
		const properties = {
			filename: 'über.txt',
			mimetype: 'text/plain',
			title: 'A title',
			description: 'Some words',
			expiresAt: inOneHour(),
		};
		const own = await actor.files.upload(properties, 'Grüße 👋');
		expect(own).toMatchObject({ ...properties, isOwn: true, createdBy: actor.address });
		const loaded = await follower.files.getOrLoad({ reference: own.reference.truncated });
		expect(loaded).toMatchObject({
			...properties,
			id: own.id,
			isOwn: false,
			createdBy: actor.address,
			filesize: Buffer.byteLength('Grüße 👋'),
			reference: own.reference,
		});
		expect(loaded).not.toHaveProperty('ownershipToken');
		expect(await follower.files.getOrLoad({ reference: own.reference.url })).toEqual(loaded);
		for (const party of [actor, follower]) expect(await party.files.read(own.id)).toBe('Grüße 👋');
	},
);

const empty = amongFriends('an empty file', async ({ actor, follower }) => {
	const { id, reference } = await upload(actor, '');
	const loaded = await follower.files.getOrLoad({ reference: reference.truncated });
	expect(loaded).toMatchObject({ id, filesize: 0 });
	expect(await follower.files.read(id)).toBe('');
});

const tags = amongFriends('tags', async ({ actor, follower }) => {
	const { id, reference } = await upload(actor, 'tagged', { tags: ['x:one', 'x:two'] });
	const loaded = await follower.files.getOrLoad({ reference: reference.truncated });
	expect(loaded).toMatchObject({ id, tags: ['x:one', 'x:two'] });
});

const forEver = amongFriends('without an expiry', async ({ actor, follower }) => {
	const { reference } = await actor.files.upload(
		{ filename: 'a.txt', mimetype: 'text/plain' },
		'forever',
	);
	const loaded = await follower.files.getOrLoad({ reference: reference.truncated });
	expect(loaded).toMatchObject({ expiresAt: '9999-12-31T00:00:00.000Z' });
});

const expire = amongFriends(
	'expire',
	withControls(async ({ actor, follower, backbone }) => {
		const [seen, unseen] = [await upload(actor, 'seen'), await upload(actor, 'unseen')];
		await follower.files.getOrLoad({ reference: seen.reference.truncated });
		backbone.advanceClock(2 * hourMs);
		try {
			await refused(follower.files.getOrLoad({ reference: unseen.reference.truncated }), notFound);
			await refused(follower.files.read(seen.id), ...unreadable);
		} finally {
			backbone.advanceClock(-2 * hourMs);
		}
		expect(await follower.files.read(seen.id)).toBe('seen');
	}),
);

const token = amongFriends('load through a protected and personal token', async (stage) => {
	const { actor, follower } = stage;
	const own = await upload(actor, 'behind a PIN');
	const { reference } = await actor.files.createToken(own.id, {
		forIdentity: follower.address,
		passwordProtection: { password: '4711', passwordIsPin: true, passwordLocationIndicator: 'SMS' },
	});
	const input = { reference: reference.truncated };
	await refused(follower.files.getOrLoad(input), 'error.transport.noPasswordProvided');
	await refused(follower.files.getOrLoad({ ...input, password: '1174' }), notFound);
	const stranger = await stage.newcomer();
	await refused(
		stranger.files.getOrLoad({ ...input, password: '4711' }),
		'error.transport.general.notIntendedForYou',
	);
	const loaded = await follower.files.getOrLoad({ ...input, password: '4711' });
	expect(loaded.id).toBe(own.id);
	expect(await follower.files.read(own.id)).toBe('behind a PIN');
});

const remove = amongFriends('delete', async ({ actor, follower }) => {
	const own = await upload(actor, 'short-lived');
	const { truncated: reference } = own.reference;
	await follower.files.getOrLoad({ reference });
	await follower.files.delete(own.id);
	await refused(follower.files.get(own.id), notFound);
	expect(await follower.files.getOrLoad({ reference })).toMatchObject({ id: own.id });
	await actor.files.delete(own.id);
	await refused(actor.files.get(own.id), notFound);
	await refused(follower.files.read(own.id), ...unreadable);
});

const claim = amongFriends('claim the ownership', async (stage) => {
	const { actor, follower } = stage;
	const theirs = await upload(follower, 'handed over');
	const offer = await follower.files.offer(theirs);
	const claimed = 'fileOwnershipClaimed';
	// Official runtimes take a file by accepting a request, and answer it.
	const hears =
		actor.kind === 'ours'
			? { follower: [claimed] }
			: {
					actor: ['peerRelationshipTemplateLoaded', 'messageSent'],
					follower: [claimed, 'messageReceived'],
				};
	await stage.hears(hears, async () => {
		const taken = await actor.files.takeOver(offer);
		expect(taken).toMatchObject({ isOwn: true, createdBy: follower.address });
		expect(taken.ownershipToken).not.toBe(theirs.ownershipToken);
		await syncOf(follower);
	});
	const former = await follower.files.get(theirs.id);
	expect(former).toMatchObject({ isOwn: false, createdBy: follower.address });
	expect(former).not.toHaveProperty('ownershipToken');
	for (const party of [actor, follower]) {
		expect(await party.files.read(theirs.id)).toBe('handed over');
	}
});

const lock = amongFriends('lock permanently by a wrong ownership token', async (stage) => {
	const { actor, follower } = stage;
	const theirs = await upload(follower, 'locked');
	const wrong = await follower.files.offer(theirs, 'AAAAAAAAAAAAAAAAAAAA');
	const heard = actor.kind === 'ours' ? {} : { actor: ['peerRelationshipTemplateLoaded'] };
	await stage.hears({ ...heard, follower: ['fileOwnershipLocked'] }, async () => {
		// Accepting the request, the official runtime fails without a code of its own.
		await refused(actor.files.takeOver(wrong), refusedClaim(actor));
		await syncOf(follower);
	});
	expect(await follower.files.get(theirs.id)).toMatchObject({ ownershipIsLocked: true });
	const renewed = await renew(follower, theirs);
	const offer = await follower.files.offer(renewed);
	await refused(actor.files.takeOver(offer), refusedClaim(actor));
	await syncOf(follower);
});

const regenerate = amongFriends('ask for a new ownership token', async ({ actor, follower }) => {
	const own = await upload(actor, 'mine');
	await renew(actor, own);
	await follower.files.getOrLoad({ reference: own.reference.truncated });
	await refused(
		follower.files.regenerateOwnershipToken(own.id),
		'error.runtime.files.notOwnedByYou',
	);
});

function refusedClaim({ kind }: Party): string {
	return kind === 'ours' ? 'error.platform.forbidden' : 'error.runtime.unknown';
}

/** The Backbone does not store the new token: ours keeps the former one, official runtimes do not. */
async function renew(owner: Party, file: FileDto): Promise<FileDto> {
	const { id } = file;
	if (owner.kind === 'ours') {
		const code = 'error.gateway.files.tokenNotRenewed';
		await refused(owner.files.regenerateOwnershipToken(id), code);
		const kept = await owner.files.get(id);
		expect(kept.ownershipToken).toBe(file.ownershipToken);
		return kept;
	}
	const renewed = await owner.files.regenerateOwnershipToken(id);
	expect(renewed.ownershipToken).not.toBe(file.ownershipToken);
	expect(renewed).not.toHaveProperty('ownershipIsLocked');
	return renewed;
}

export const fileRows: RowGroup = {
	title: 'Files',
	source: 'transport.md 8',
	rows: [load, empty, tags, forEver, expire, token, remove, claim, lock, regenerate],
};
