import type { MessageDto, RelationshipDto, TemplateDto } from '../../../core';
import type { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import type { Arrival } from '../../support/arrivals';
import { inOneHour, mailTo } from '../../support/gateways';
import { arbitraryCreation, arbitraryTemplate } from '../contents';
import { NoSuchOperation, type Heard, type Party } from './party';
import { loosely } from '../../support/loosely';
import { until } from '../../support/until';

export type Role = 'actor' | 'follower';

export type HeardNames = Partial<Record<Role, readonly string[]>>;

/** What a row plays on: an identity that does things, and another that has to follow. */
export class Stage {
	/** By role, in order: what was heard while `hears` looked. */
	readonly heard: Record<Role, Heard[]> = { actor: [], follower: [] };

	constructor(
		readonly actor: Party,
		readonly follower: Party,
		/** the active relationship of two friends; strangers have none yet */
		readonly friendship: string,
		/** a new identity */
		readonly newcomer: () => Promise<Party>,
		/** parties that later rows play with */
		private readonly residents: readonly Party[] = [],
	) {}

	/**
	 * Lets those who stay hear of what happens to the actor: official runtimes take events that change
	 * places as they come.
	 */
	async tellResidents(): Promise<void> {
		for (const party of this.residents) if (party !== this.actor) await party.settle();
	}

	/**
	 * Fails unless both sides publish exactly these transport events meanwhile. The order of events
	 * with different causes is the Backbone's, so it is not compared.
	 */
	async hears<Result>(expected: HeardNames, during: () => Promise<Result>): Promise<Result> {
		const { actor, follower } = this;
		const marks = { actor: await actor.mark(), follower: await follower.mark() };
		const result = await during();
		for (const role of ['actor', 'follower'] as const) {
			const party = this[role];
			const missing = async (): Promise<readonly string[]> => {
				const names = (await party.heardSince(marks[role])).map(({ event }) => event);
				return (expected[role] ?? []).filter((name) => !names.includes(name));
			};
			if ((await missing()).length > 0) {
				await party.settle(async () => (await missing()).length === 0);
			}
			const wanted = [...(expected[role] ?? [])].sort();
			const heard = inOrderOf(expected[role] ?? [], await party.heardSince(marks[role]));
			// Official runtimes publish an event again when the Backbone repeats its own.
			const earlier = (await party.heardSince(0)).slice(0, marks[role]);
			const counted =
				party.kind === 'ours' ? heard : withoutRepetitions(heard, wanted, namesOf(earlier));
			this.heard[role].push(...counted);
			expect({ [role]: counted.map(({ event }) => event).sort() }).toEqual({ [role]: wanted });
		}
		return result;
	}

	/** An active relationship, from a template of the first. */
	async relate(templator = this.actor, requestor = this.follower): Promise<string> {
		const id = await pending(templator, requestor);
		await templator.relationships.accept(id);
		await syncOf(requestor, () => hasStatus(requestor, id, 'Active'));
		return id;
	}
}

/** A stage on a sandbox, whose clock and operator the row may use. */
export interface ControlledStage extends Stage {
	readonly backbone: SandboxBackbone;
}

/** This server is configured in a way in which the row cannot be played. */
export class NotAllowedHere extends Error {
	override readonly name = 'NotAllowedHere';
}

/** Puts what was heard into the expected order as far as the names tell it. */
function inOrderOf(expected: readonly string[], heard: readonly Heard[]): Heard[] {
	const place = ({ event }: Heard): number => {
		const index = expected.indexOf(event);
		return index < 0 ? expected.length : index;
	};
	return [...heard].sort((a, b) => place(a) - place(b));
}

const namesOf = (heard: readonly Heard[]): string[] => heard.map(({ event }) => event);

/** @param before what was heard earlier, and may come again late */
function withoutRepetitions(
	heard: readonly Heard[],
	wanted: readonly string[],
	before: readonly string[],
): Heard[] {
	const left = new Map<string, number>();
	for (const name of wanted) left.set(name, (left.get(name) ?? 0) + 1);
	return heard.filter(({ event }) => {
		const count = left.get(event);
		if (count === undefined) return !before.includes(event);
		left.set(event, count - 1);
		return count > 0;
	});
}

/**
 * Everything that was under way has come and could be applied.
 *
 * @param arrived what the row goes on with; it is all that can be waited for at a server
 */
export async function syncOf(party: Party, arrived?: Arrival): Promise<void> {
	expect(await party.settle(arrived)).toEqual({ failures: 0 });
}

const wasFound = (looked: Promise<unknown>): Promise<boolean> =>
	looked.then(
		() => true,
		() => false,
	);

/** Whether the party knows the message. */
export const hasMessage = (party: Party, id: string): Promise<boolean> =>
	wasFound(party.messages.get(id));

export const hasStatus = async (party: Party, id: string, status: string): Promise<boolean> =>
	(await wasFound(party.relationships.get(id))) &&
	(await party.relationships.get(id)).status === status;

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
	await syncOf(templator, () => hasStatus(templator, id, 'Pending'));
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

/** The Backbone lets an identity create again a while after the cancellation of its deletion. */
export async function untilItMayCreate(party: Party): Promise<void> {
	await until(() =>
		createTemplate(party).then(
			() => true,
			() => false,
		),
	);
}

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
		await syncOf(to, () => hasMessage(to, id));
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

/** The server has no code of its own for it. */
const tooManyRecipients = 'error.platform.validation.invalidPropertyValue';

/** @throws NotAllowedHere where a message may have fewer recipients */
export async function sendToSeveral(
	from: Party,
	input: { readonly recipients: readonly string[]; readonly content: object },
): Promise<MessageDto> {
	try {
		return await from.messages.send(loosely(input));
	} catch (error) {
		if ((error as { code?: string }).code !== tooManyRecipients) throw error;
		throw new NotAllowedHere((error as Error).message);
	}
}
