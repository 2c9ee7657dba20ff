import type { Clock } from '../../base/clock';
import { SingleFlight } from '../../base/single-flight';
import type { Backbone } from '../../backbone/backbone';
import type { TagCollectionDto } from '../../model/record/tag';

/** how long the collection is used without asking whether it has changed */
const lifetimeMs = 5 * 60_000;

interface KnownCollection {
	readonly collection: TagCollectionDto;
	readonly etag: string | undefined;
	readonly askedAt: number;
}

/** The tags that the operator of the Backbone suggests (docs/protocol/transport.md 12). */
export class TagService {
	private readonly flight = new SingleFlight<TagCollectionDto>();

	private known: KnownCollection = {
		collection: { supportedLanguages: [], tagsForAttributeValueTypes: {} },
		etag: undefined,
		askedAt: Number.NEGATIVE_INFINITY,
	};

	constructor(private readonly context: { readonly backbone: Backbone; readonly clock: Clock }) {}

	/** Kept in memory. The question belongs to all who ask at the same time: nobody can abort it. */
	async collection(): Promise<TagCollectionDto> {
		const ageMs = this.context.clock.now() - this.known.askedAt;
		// A negative age: the clock was put back.
		if (ageMs >= 0 && ageMs < lifetimeMs) return this.known.collection;
		return await this.flight.run(() => this.ask());
	}

	private async ask(): Promise<TagCollectionDto> {
		const { backbone, clock } = this.context;
		const { etag } = this.known;
		const askedAt = clock.now();
		const answer = await backbone.tags.get(etag === undefined ? {} : { etag });
		this.known = { ...(answer === 'unchanged' ? this.known : answer), askedAt };
		return this.known.collection;
	}
}
