import { inOneHour } from '../../support/gateways';
import { amongStrangers, withControls, type RowGroup } from './row';
import { createTemplate, pending, refused, syncOf, templateIdOf, type Stage } from './stage';

const loaded = 'peerRelationshipTemplateLoaded';
const notFound = 'error.runtime.recordNotFound';
const hourMs = 3_600_000;

const pin = {
	password: '123456',
	passwordIsPin: true,
	passwordLocationIndicator: 'Letter',
} as const;

const load = amongStrangers('load from either form of the reference, and again', async (stage) => {
	const { actor, follower } = stage;
	const own = await createTemplate(actor);
	const { truncated, url } = own.reference;
	const first = await stage.hears({ follower: [loaded] }, () =>
		follower.templates.loadPeer({ reference: truncated }),
	);
	expect(first).toMatchObject({
		id: own.id,
		isOwn: false,
		createdBy: actor.address,
		content: own.content,
		expiresAt: own.expiresAt,
		reference: own.reference,
	});
	const again = await stage.hears({ follower: [loaded] }, () =>
		follower.templates.loadPeer({ reference: url }),
	);
	expect(again).toEqual(first);
});

const password = amongStrangers('protect with a password', async ({ actor, follower }) => {
	const passwordProtection = { password: 'sesame, öffne dich', passwordLocationIndicator: 77 };
	const { id, reference } = await createTemplate(actor, { passwordProtection });
	await refusesWrongPasswords({ actor, follower } as Stage, reference.url);
	const input = { reference: reference.truncated, password: passwordProtection.password };
	expect(await follower.templates.loadPeer(input)).toMatchObject({ id, passwordProtection });
});

const protectedByPin = amongStrangers('protect with a PIN and say where it is', async (stage) => {
	const { actor, follower } = stage;
	const { id, reference } = await createTemplate(actor, { passwordProtection: pin });
	await refusesWrongPasswords(stage, reference.truncated);
	const input = { reference: reference.url, password: pin.password };
	expect(await follower.templates.loadPeer(input)).toMatchObject({ id, passwordProtection: pin });
});

async function refusesWrongPasswords({ follower }: Stage, reference: string): Promise<void> {
	const without = follower.templates.loadPeer({ reference });
	await refused(without, 'error.transport.noPasswordProvided');
	await refused(follower.templates.loadPeer({ reference, password: '0000' }), notFound);
}

const personal = amongStrangers('for one identity', async ({ actor, follower, newcomer }) => {
	const forIdentity = follower.address;
	const { id, reference } = await createTemplate(actor, { forIdentity });
	const input = { reference: reference.truncated };
	const stranger = await newcomer();
	await refused(stranger.templates.loadPeer(input), 'error.transport.general.notIntendedForYou');
	expect(await follower.templates.loadPeer(input)).toMatchObject({ id, forIdentity });
});

const limited = amongStrangers('limit the uses, and learn that it is used up', async (stage) => {
	const { actor, follower, newcomer } = stage;
	const own = await createTemplate(actor, { maxNumberOfAllocations: 1 });
	const input = { reference: own.reference.truncated };
	await stage.hears(
		{ actor: ['relationshipTemplateAllocationsExhausted'], follower: [loaded] },
		async () => {
			await follower.templates.loadPeer(input);
			await syncOf(actor);
		},
	);
	const late = await newcomer();
	await refused(
		late.templates.loadPeer(input),
		'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
	);
	const again = await follower.templates.loadPeer(input);
	expect(again).toMatchObject({ id: own.id, maxNumberOfAllocations: 1 });
});

const remove = amongStrangers('delete', async (stage) => {
	const { actor, follower } = stage;
	const used = await createTemplate(actor);
	const id = await pending(actor, follower, used);
	await actor.templates.delete(used.id);
	await refused(actor.templates.get(used.id), notFound);
	const active = await actor.relationships.accept(id);
	expect(active.status).toBe('Active');
	expect(templateIdOf(active)).toBe(used.id);
	await syncOf(follower);
	const input = { reference: used.reference.truncated };
	await refused((await stage.newcomer()).templates.loadPeer(input), notFound);
});

const forget = amongStrangers('delete a loaded template, and load it again', async (stage) => {
	const { actor, follower } = stage;
	const { id, reference } = await createTemplate(follower);
	const input = { reference: reference.truncated };
	const first = await actor.templates.loadPeer(input);
	await actor.templates.delete(id);
	await refused(actor.templates.get(id), notFound);
	expect(await actor.templates.loadPeer(input)).toEqual(first);
});

const expire = amongStrangers(
	'expire',
	withControls(async ({ actor, follower, backbone }) => {
		const { reference } = await createTemplate(actor);
		const load = follower.templates.loadPeer;
		backbone.advanceClock(2 * hourMs);
		try {
			await refused(load({ reference: reference.truncated }), notFound);
		} finally {
			backbone.advanceClock(-2 * hourMs);
		}
		expect(await load({ reference: reference.truncated })).toMatchObject({ isOwn: false });
	}),
);

const token = amongStrangers('load through a token with the same protection', async (stage) => {
	const { actor, follower } = stage;
	const sharing = { forIdentity: follower.address, passwordProtection: pin };
	const { id } = await createTemplate(actor, sharing);
	const inherit = 'error.runtime.relationshipTemplates';
	const { forIdentity } = sharing;
	await refused(
		actor.templates.createToken(id, { forIdentity }),
		`${inherit}.passwordProtectionMustBeInherited`,
	);
	await refused(
		actor.templates.createToken(id, { passwordProtection: pin }),
		`${inherit}.personalizationMustBeInherited`,
	);
	const { reference } = await actor.templates.createToken(id, sharing);
	await refusesWrongPasswords(stage, reference.truncated);
	const input = { reference: reference.url, password: pin.password };
	const template = await stage.hears({ follower: [loaded] }, () =>
		follower.templates.loadPeer(input),
	);
	expect(template).toMatchObject({ id, ...sharing });
	await refused(
		follower.templates.createToken(id, sharing),
		`${inherit}.cannotCreateTokenForPeerTemplate`,
	);
});

const kept = amongStrangers('create a token that is kept', async ({ actor, follower }) => {
	const { id } = await createTemplate(actor);
	const input = { ephemeral: false, expiresAt: inOneHour() };
	const created = await actor.templates.createToken(id, input);
	expect(created).toMatchObject({
		isEphemeral: false,
		expiresAt: input.expiresAt,
		content: { '@type': 'TokenContentRelationshipTemplate', templateId: id },
	});
	expect(await actor.tokens.get(created.id)).toEqual(created);
	const { truncated: reference } = created.reference;
	expect(await follower.templates.loadPeer({ reference })).toMatchObject({ id });
	expect(await follower.tokens.loadPeer({ reference })).toMatchObject({ content: created.content });
});

export const templateRows: RowGroup = {
	title: 'Templates',
	source: 'transport.md 4',
	rows: [load, password, protectedByPin, personal, limited, remove, forget, expire, token, kept],
};
