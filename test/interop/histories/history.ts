import type { JsonObject } from '../../../core/model/json';
import type { Dice } from '../../scenario/convergence/dice';
import {
	isRelationshipAttribute,
	ownerOf,
	refusalOf,
	type HeldAttribute,
	type Holder,
	type PendingRequest,
} from './holder';
import { differences } from './views';

interface Scene {
	readonly actor: Holder;
	readonly other: Holder;
	readonly held: readonly HeldAttribute[];
}

/** What one side does; it answers false when there is nothing to do it with. */
type Action = (scene: Scene) => Promise<boolean>;

/** A random history of what two identities share, told by the seed of its dice. */
export class History {
	/** one line per step */
	readonly steps: string[] = [];

	private made = 0;

	constructor(
		private readonly dice: Dice,
		private readonly sides: readonly [Holder, Holder],
	) {}

	/**
	 * Rounds in which one side does some things and both sync; answers what the two disagree on after
	 * the first round that leaves a difference.
	 */
	async play(rounds: number): Promise<string[]> {
		for (let round = 0; round < rounds; round++) {
			await this.playRound();
			const found = await differences(...this.sides);
			if (found.length > 0) return found;
		}
		return [];
	}

	private async playRound(): Promise<void> {
		const { dice } = this;
		const [a, b] = this.sides;
		const [actor, other] = dice.chance(0.5) ? [a, b] : [b, a];
		for (let left = dice.number(4); left > 0; left--) {
			const [name, action] = dice.weighted(this.actions);
			const held = await actor.attributes();
			const step = `${actor.name}: ${name}`;
			try {
				if (await action({ actor, other, held })) this.steps.push(step);
			} catch (error) {
				this.steps.push(`${step}, refused with ${refusalOf(error)}`);
			}
			// What is offered or asked for is answered before anything changes again.
			if (name.startsWith('ask') || name.startsWith('share')) break;
		}
		await other.sync();
		await this.decideAll(other, actor);
		await actor.sync();
		await other.sync();
	}

	private readonly actions: ReadonlyArray<readonly [number, readonly [string, Action]]> = [
		[4, ['create', (scene) => this.create(scene)]],
		[4, ['succeed', (scene) => this.succeed(scene)]],
		[5, ['share an attribute', (scene) => this.share(scene)]],
		[3, ['share a new relationship attribute', (scene) => this.createAndShare(scene)]],
		[3, ['succeed a relationship attribute', (scene) => this.succeedShared(scene)]],
		[6, ['notify', (scene) => this.notify(scene)]],
		[2, ['ask for an attribute', (scene) => this.askFor(scene)]],
		[2, ['ask to create', (scene) => this.askToCreate(scene)]],
		[2, ['ask to delete', (scene) => this.askToDelete(scene)]],
		[1, ['delete an own attribute', (scene) => this.deleteRepository(scene)]],
		[2, ['delete an own shared attribute', (scene) => this.deleteOwnShared(scene)]],
		[2, ['delete what the other shared', (scene) => this.deletePeerShared(scene)]],
	];

	private async create({ actor }: Scene): Promise<boolean> {
		await actor.create({ value: this.value(), ...this.tags() });
		return true;
	}

	private async succeed({ actor, held }: Scene): Promise<boolean> {
		const attribute = this.pick(repository(held).filter(isNewest));
		if (attribute === undefined) return false;
		const isComposite = valueOf(attribute)['@type'] === 'StreetAddress';
		const value = isComposite ? this.address() : this.name();
		await actor.succeed(attribute, { value, ...this.tags() });
		return true;
	}

	private async share({ actor, other, held }: Scene): Promise<boolean> {
		const attribute = this.pick(repository(held).filter(isNewest));
		if (attribute === undefined) return false;
		await actor.share(attribute.id, other.address);
		return true;
	}

	private async createAndShare({ actor, other }: Scene): Promise<boolean> {
		const content = {
			key: `key${this.dice.number(6)}`,
			confidentiality: 'public',
			value: this.text(),
		};
		await actor.createAndShare(content, other.address);
		return true;
	}

	private async succeedShared({ actor, held }: Scene): Promise<boolean> {
		const own = held.filter(
			(one) => isRelationshipAttribute(one) && ownerOf(one) === actor.address,
		);
		const attribute = this.pick(own.filter(isNewest));
		if (attribute === undefined) return false;
		await actor.succeed(attribute, { value: this.text() });
		return true;
	}

	private async notify({ actor, other, held }: Scene): Promise<boolean> {
		const sources = new Set(held.map(({ shareInfo }) => shareInfo?.sourceAttribute));
		const changed = repository(held).filter(
			({ id, succeeds }) => succeeds !== undefined && !sources.has(id),
		);
		const attribute = this.pick(changed);
		if (attribute === undefined) return false;
		await actor.notify(attribute.id, other.address);
		return true;
	}

	private async askFor({ actor, other }: Scene): Promise<boolean> {
		const query = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
		await this.ask(actor, other, { '@type': 'ReadAttributeRequestItem', query });
		return true;
	}

	private async askToCreate({ actor, other }: Scene): Promise<boolean> {
		// A new value: of a value that is there already the two sides may keep different tags (consumption 6.12).
		const value = { '@type': 'GivenName', value: `Asked ${++this.made}` };
		const attribute = { '@type': 'IdentityAttribute', owner: '', value, ...this.tags() };
		await this.ask(actor, other, { '@type': 'CreateAttributeRequestItem', attribute });
		return true;
	}

	private async askToDelete({ actor, other, held }: Scene): Promise<boolean> {
		const attribute = this.pick(ownShared(held, actor));
		if (attribute === undefined) return false;
		const item = { '@type': 'DeleteAttributeRequestItem', attributeId: attribute.id };
		await this.ask(actor, other, item);
		return true;
	}

	private async ask(actor: Holder, other: Holder, item: JsonObject): Promise<void> {
		await actor.ask({ items: [{ ...item, mustBeAccepted: true }] }, other.address);
	}

	private async deleteRepository({ actor, held }: Scene): Promise<boolean> {
		const attribute = this.pick(repository(held));
		if (attribute === undefined) return false;
		await actor.deleteRepository(attribute.id);
		return true;
	}

	private async deleteOwnShared({ actor, held }: Scene): Promise<boolean> {
		const attribute = this.pick(ownShared(held, actor).filter(isNewest));
		if (attribute === undefined) return false;
		await actor.deleteOwnShared(attribute.id);
		return true;
	}

	private async deletePeerShared({ actor, other, held }: Scene): Promise<boolean> {
		const attribute = this.pick(ownShared(held, other).filter(isNewest));
		if (attribute === undefined) return false;
		await actor.deletePeerShared(attribute.id);
		return true;
	}

	private async decideAll(holder: Holder, sender: Holder): Promise<void> {
		for (const request of await holder.undecided()) {
			const isAccepted = this.dice.chance(0.85);
			const entry = isAccepted
				? { accept: true, ...(await this.answer(holder, request)) }
				: { accept: false };
			const step = `${holder.name}: ${isAccepted ? 'accept' : 'reject'} ${JSON.stringify(entry)}`;
			try {
				await holder.decide(request.id, isAccepted ? 'accept' : 'reject', [entry]);
				this.steps.push(step);
			} catch (error) {
				this.steps.push(`${step}, refused with ${refusalOf(error)}`);
				await holder.decide(request.id, 'reject', [{ accept: false }]);
			}
			await sender.sync();
		}
	}

	private async answer(holder: Holder, { content }: PendingRequest): Promise<JsonObject> {
		const [item] = content['items'] as JsonObject[];
		switch (item?.['@type']) {
			case 'DeleteAttributeRequestItem':
				return { deletionDate: '2099-01-01T00:00:00.000Z' };
			case 'ReadAttributeRequestItem': {
				const names = repository(await holder.attributes()).filter(
					(one) => isNewest(one) && valueOf(one)['@type'] === 'GivenName',
				);
				const existing = this.dice.chance(0.6) ? this.pick(names) : undefined;
				if (existing !== undefined) return { existingAttributeId: existing.id };
				const newAttribute = {
					'@type': 'IdentityAttribute',
					owner: holder.address,
					value: this.name(),
				};
				return { newAttribute };
			}
			default:
				return {};
		}
	}

	private value(): JsonObject {
		return this.dice.chance(0.25) ? this.address() : this.name();
	}

	/** Every now and then a value that was there before. */
	private name(): JsonObject {
		const number = this.dice.chance(0.2) ? this.dice.number(this.made + 1) : ++this.made;
		return { '@type': 'GivenName', value: `Name ${number}` };
	}

	private address(): JsonObject {
		return {
			'@type': 'StreetAddress',
			recipient: 'R',
			street: `Street ${++this.made}`,
			houseNo: '1',
			zipCode: '12345',
			city: 'Town',
			country: 'DE',
			...(this.dice.chance(0.5) ? { state: 'ST' } : {}),
		};
	}

	private text(): JsonObject {
		return { '@type': 'ProprietaryString', title: 'T', value: `V${++this.made}` };
	}

	private tags(): JsonObject {
		return this.dice.chance(0.3) ? { tags: [`x:${this.dice.number(3)}`] } : {};
	}

	private pick(candidates: readonly HeldAttribute[]): HeldAttribute | undefined {
		return candidates.length === 0 ? undefined : this.dice.pick(candidates);
	}
}

function repository(held: readonly HeldAttribute[]): HeldAttribute[] {
	return held.filter(
		({ shareInfo, parentId }) => shareInfo === undefined && parentId === undefined,
	);
}

/** What the owner has and another identity as well. */
function ownShared(held: readonly HeldAttribute[], owner: Holder): HeldAttribute[] {
	return held.filter((one) => one.shareInfo !== undefined && ownerOf(one) === owner.address);
}

function isNewest({ succeededBy }: HeldAttribute): boolean {
	return succeededBy === undefined;
}

function valueOf({ content }: HeldAttribute): JsonObject {
	return content['value'] as JsonObject;
}
