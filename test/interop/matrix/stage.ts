import type { MessageDto, RelationshipDto, TemplateDto } from '../../../core';
import type { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { inOneHour, mailTo } from '../../support/gateways';
import { arbitraryCreation, arbitraryTemplate } from '../contents';
import { NoSuchOperation, type Heard, type Party } from './party';

export type Role = 'actor' | 'follower';

export type HeardNames = Partial<Record<Role, readonly string[]>>;

/** What a row plays on: two identities, one of which does things that the other has to follow. */
export class Stage {
	/** By role, in order: what was heard while `hears` looked. */
	readonly heard: Record<Role, Heard[]> = { actor: [], follower: [] };

	constructor(
		readonly actor: Party,
		readonly follower: Party,
		readonly backbone: SandboxBackbone,
		/** the active relationship of two friends; strangers have none yet */
		readonly friendship: string,
		/** somebody new */
		readonly newcomer: () => Promise<Party>,
	) {}

	/** Fails unless both sides publish exactly these transport events meanwhile, in this order. */
	async hears<Result>(expected: HeardNames, during: () => Promise<Result>): Promise<Result> {
		const { actor, follower } = this;
		const marks = { actor: await actor.mark(), follower: await follower.mark() };
		const result = await during();
		for (const role of ['actor', 'follower'] as const) {
			const heard = await this[role].heardSince(marks[role]);
			this.heard[role].push(...heard);
			expect({ [role]: heard.map(({ event }) => event) }).toEqual({
				[role]: expected[role] ?? [],
			});
		}
		return result;
	}

	/** An active relationship, from a template of the first. */
	async relate(templator = this.actor, requestor = this.follower): Promise<string> {
		const id = await pending(templator, requestor);
		await templator.relationships.accept(id);
		await syncOf(requestor);
		return id;
	}
}

/** Everything that came could be applied. */
export async function syncOf(party: Party): Promise<void> {
	expect(await party.sync()).toEqual({ failures: 0 });
}

/** A relationship that the first may accept. */
export async function pending(
	templator: Party,
	requestor: Party,
	template?: TemplateDto,
): Promise<string> {
	const { reference } = template ?? (await createTemplate(templator));
	const { id: templateId } = await requestor.templates.loadPeer({ reference: reference.truncated });
	const { id } = await requestor.relationships.create({
		templateId,
		creationContent: arbitraryCreation({ from: requestor.address }),
	});
	await syncOf(templator);
	return id;
}

/** Runtime 7 shows the id instead of the template that stood there when the relationship began. */
export const templateIdOf = (relationship: RelationshipDto & { templateId?: string }): string =>
	relationship.templateId ?? relationship.template.id;

export const createTemplate = (party: Party, more: object = {}) =>
	party.templates.create({
		content: arbitraryTemplate({ from: party.address }),
		expiresAt: inOneHour(),
		...more,
	});

export async function mail(from: Party, to: Party, subject = 'Hello'): Promise<MessageDto> {
	const sent = mailTo(to.address, subject);
	return await from.messages.send({ ...sent, content: { ...sent.content, cc: [] } });
}

/** Mails go through in both directions: both have the same keys. */
export async function bothCanWrite(one: Party, other: Party): Promise<void> {
	for (const [from, to] of [
		[one, other],
		[other, one],
	] as const) {
		const { id } = await mail(from, to, `From ${from.address}`);
		await syncOf(to);
		expect(await to.messages.get(id)).toMatchObject({
			isOwn: false,
			content: { subject: `From ${from.address}` },
		});
	}
}

/** Refused, and why. */
export async function refused(attempt: Promise<unknown>, ...codes: string[]): Promise<void> {
	const error: unknown = await attempt.then(
		() => new Error('It was not refused'),
		(failure: unknown) => failure,
	);
	if (error instanceof NoSuchOperation) throw error;
	expect(codes).toContain((error as { code?: string }).code ?? String(error));
}
