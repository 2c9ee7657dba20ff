import type { StatusAction } from '../../../core/domain/relationship/relationship-transitions';
import type { Dice } from './dice';
import { drawInterruption, inChild, interrupted, perform, type Interruption } from './interruption';
import type { Operation, Outcome } from './operations';
import { consumers, type ConsumerName, type Party } from './party';
import type { World } from './world';

interface Step {
	readonly by: 'a' | 'b';
	readonly does: Operation | { readonly kind: 'consume'; readonly consumer: ConsumerName };
	readonly interruption?: Interruption;
	/** both parties sync at the same time */
	readonly duringSyncs: boolean;
	outcome?: Outcome;
}

type Weighted = readonly [weight: number, does: Step['does']];

const statusActions: readonly StatusAction[] = [
	'accept',
	'reject',
	'revoke',
	'terminate',
	'requestReactivation',
	'acceptReactivation',
	'rejectReactivation',
	'revokeReactivation',
];
const stepCount = 20;
const interruptedPart = 0.45;
const againPart = 0.4;
const duringSyncsPart = 0.15;
/** of the scripts, in which the Backbone loses up to half of its events */
const losingPart = 0.5;

/** One random script. Which step comes next depends on the dice and on what is possible now. */
export class Script {
	readonly steps: Step[] = [];

	/** @param program worker for interruptions that cost a process of their own */
	constructor(
		private readonly world: World,
		private readonly dice: Dice,
		private readonly program: string | undefined,
	) {}

	async play(): Promise<void> {
		// Most scripts begin where most can happen.
		if (this.dice.chance(0.6)) await this.playUndisturbed();
		if (this.dice.chance(losingPart)) this.world.loseEvents(this.dice.next() / 2);
		while (this.steps.length < stepCount) {
			const by = this.dice.pick(this.world.parties);
			const does = this.dice.weighted(await this.possibilities(by));
			let isDisturbed = await this.playStep(by, does, this.dice.chance(interruptedPart));
			// The Backbone drops what was lost three times in a row, and a workflow repeats its sends.
			while (isDisturbed && isRepeatable(does) && this.dice.chance(againPart)) {
				isDisturbed = await this.playStep(by, does, this.dice.chance(0.7));
			}
		}
	}

	private async playStep(by: Party, does: Step['does'], isDisturbed: boolean): Promise<boolean> {
		const { world, dice } = this;
		const interruption = isDisturbed
			? { interruption: drawInterruption(dice, this.program !== undefined) }
			: {};
		const duringSyncs = dice.chance(duringSyncsPart);
		const step: Step = { by: by.name, does, ...interruption, duringSyncs };
		this.steps.push(step);
		step.outcome = await this.take(by, step);
		if (does.kind !== 'consume') by.note(does, step.outcome);
		// Long enough for runs to expire, at times for operations and sends to be given up.
		if (isDisturbed) world.jump(dice.pick([11_000, 11_000, 95_000, 660_000]));
		return isDisturbed;
	}

	private async playUndisturbed(): Promise<void> {
		const { a, b } = this.world;
		const make = async (by: Party, does: Operation): Promise<Outcome> => {
			const outcome = await perform(by, does);
			by.note(does, outcome);
			return outcome;
		};
		await make(a, { kind: 'template', expiresAt: this.world.inDays(30) });
		await make(b, { kind: 'load', reference: a.templates[0]?.reference ?? '' });
		await make(b, { kind: 'create', templateId: a.templates[0]?.id ?? '' });
		await make(a, { kind: 'sync' });
		if (this.dice.chance(0.2)) return;
		await make(a, { kind: 'accept', id: this.world.relationship?.id ?? '' });
		await make(b, { kind: 'sync' });
	}

	private async take(by: Party, step: Step): Promise<Outcome> {
		const { world, program } = this;
		const { does, interruption } = step;
		if (interruption === undefined) return await this.work(by, step);
		if (interruption.kind !== 'childIsKilled') {
			return await interrupted(world, by, interruption, () => this.work(by, step));
		}
		if (does.kind === 'consume' || program === undefined) return await this.work(by, step);
		return await inChild(world, by, program, { operation: does, killAt: interruption.at });
	}

	private async work(by: Party, { does, duringSyncs }: Step): Promise<Outcome> {
		const syncing = duringSyncs ? this.world.parties : [];
		const [outcome] = await Promise.all([
			does.kind === 'consume' ? this.consume(by, does.consumer) : perform(by, does),
			...syncing.map((party) => perform(party, { kind: 'sync' })),
		]);
		return outcome;
	}

	private async consume(by: Party, consumer: ConsumerName): Promise<Outcome> {
		try {
			await by.consume(consumer);
			return { status: 'done' };
		} catch (error) {
			if (!by.life.isExpired) throw error;
			return { status: 'unknown' };
		}
	}

	private async possibilities(by: Party): Promise<Weighted[]> {
		const { dice } = this;
		return [
			[(await this.isBehind(by)) ? 25 : 5, { kind: 'sync' }],
			[2, { kind: 'consume', consumer: dice.pick(consumers) }],
			...this.forObjects(by),
			...this.forTemplates(by),
			...this.forRelationship(by),
			...this.forMessages(by),
		];
	}

	/** Whether the peer has done something that the party does not know yet. */
	private async isBehind(by: Party): Promise<boolean> {
		const row = this.world.relationship;
		if (row === undefined) return false;
		const known = await by.store.read((tx) => tx.relationships.get(row.id));
		return (known?.record.auditLog.length ?? 0) < row.auditLog.length;
	}

	private forObjects(by: Party): Weighted[] {
		const { world, dice } = this;
		const peer = world.peerOf(by);
		const found: Weighted[] = [
			[1, { kind: 'upload', content: `content ${dice.number(1_000_000)}` }],
			[0.5, { kind: 'token', expiresAt: world.inDays(30) }],
		];
		if (by.tokens.length > 0)
			found.push([0.5, { kind: 'deleteToken', id: dice.pick(by.tokens).id }]);
		if (peer.tokens.length > 0) {
			found.push([0.5, { kind: 'loadToken', reference: dice.pick(peer.tokens).reference }]);
		}
		return found;
	}

	private forTemplates(by: Party): Weighted[] {
		const { world, dice } = this;
		const isWanted = !isBlocking(world.relationship?.status);
		const peer = world.peerOf(by);
		const expiresAt = world.inDays(30);
		const allocations = dice.chance(0.3) ? { allocations: dice.number(2) } : {};
		const found: Weighted[] = [
			[isWanted ? 3 : 0.3, { kind: 'template', expiresAt, ...allocations }],
		];
		if (peer.templates.length > 0) {
			const { reference } = dice.pick(peer.templates);
			found.push([isWanted ? 5 : 0.3, { kind: 'load', reference }]);
		}
		if (by.loadedTemplates.length > 0) {
			const { id } = dice.pick(by.loadedTemplates);
			found.push([isWanted ? 10 : 0.3, { kind: 'create', templateId: id }]);
		}
		const known = [...by.templates, ...by.loadedTemplates];
		if (known.length > 0) found.push([0.5, { kind: 'deleteTemplate', id: dice.pick(known).id }]);
		return found;
	}

	/** What the party may do, as far as the Backbone knows; now and then something that it may not. */
	private forRelationship(by: Party): Weighted[] {
		const row = this.world.relationship;
		if (row === undefined) return [];
		const { id, status, auditLog, from } = row;
		const last = auditLog.at(-1);
		const isTurn = last?.createdBy !== by.address;
		const isAsked = last?.reason === 'ReactivationRequested';
		const any = this.dice.pick(statusActions);
		const fitting: Partial<Record<string, Array<readonly [number, StatusAction]>>> = {
			Pending:
				from === by.address
					? [[1, 'revoke']]
					: [
							[6, 'accept'],
							[1, 'reject'],
						],
			Active: [[1.5, 'terminate']],
			Terminated: !isAsked
				? [[6, 'requestReactivation']]
				: isTurn
					? [
							[7, 'acceptReactivation'],
							[2, 'rejectReactivation'],
						]
					: [[2, 'revokeReactivation']],
		};
		const actions = [...(fitting[status] ?? []), [0.5, any] as const];
		return actions.map(([weight, kind]) => [weight, { kind, id }]);
	}

	private forMessages(by: Party): Weighted[] {
		const { world, dice } = this;
		const status = world.relationship?.status ?? '';
		const found: Weighted[] = [];
		if (isBlocking(status)) {
			found.push([status === 'Active' ? 8 : 1, this.newMail(by)]);
		}
		const keyed = [...by.sends.values()].filter(({ send }) => send.key !== undefined);
		if (keyed.length > 0) found.push([2, dice.pick(keyed).send]);
		const id = this.receivedBy(by);
		if (id !== undefined) found.push([1, { kind: 'markAsRead', id }]);
		return found;
	}

	private newMail(by: Party): Operation {
		const { world, dice } = this;
		const subject = `mail ${this.steps.length} of ${by.name}`;
		const files = [...by.files.keys()];
		const attachments = files.length > 0 && dice.chance(0.4) ? [dice.pick(files)] : [];
		const to = world.peerOf(by).address;
		const key = dice.chance(0.5) ? { key: `key of ${subject}` } : {};
		return { kind: 'send', to, subject, attachments, ...key };
	}

	private receivedBy(by: Party): string | undefined {
		const { messages } = this.world.backbone.state;
		return [...messages.values()].find(({ createdBy }) => createdBy !== by.address)?.id;
	}
}

function isRepeatable(does: Step['does']): boolean {
	return does.kind === 'sync' || (does.kind === 'send' && does.key !== undefined);
}

function isBlocking(status: string | undefined): boolean {
	return status === 'Pending' || status === 'Active' || status === 'Terminated';
}
