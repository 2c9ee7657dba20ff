import { SingleFlight } from '../../base/single-flight';
import type { TagCollectionDto } from '../../model/record/tag';
import type { TagUseCases } from '../../facade/operator';
import { waitOrAbort, type Cancellable } from '../../base/abort';
import type { Needs } from '../needs';

/** period in which the collection is used without checking for changes */
const lifetimeMs = 5 * 60_000;

interface KnownCollection {
	readonly collection: TagCollectionDto;
	readonly etag: string | undefined;
	readonly askedAt: number;
}

/** Tags that the operator of the Backbone suggests (docs/protocol/transport.md 12). */
export class TagService implements TagUseCases {
	private readonly flight = new SingleFlight<TagCollectionDto>();

	private known: KnownCollection = {
		collection: { supportedLanguages: [], tagsForAttributeValueTypes: {} },
		etag: undefined,
		askedAt: Number.NEGATIVE_INFINITY,
	};

	constructor(private readonly dependencies: Needs<'backbone' | 'clock'>) {}

	/**
	 * Returns the collection, which is kept in memory. Concurrent callers share one request; a caller
	 * that aborts only stops waiting.
	 */
	collection(options: Cancellable = {}): Promise<TagCollectionDto> {
		return waitOrAbort(this.current(), options);
	}

	private async current(): Promise<TagCollectionDto> {
		const ageMs = this.dependencies.clock.now() - this.known.askedAt;
		// The age is negative after the clock was set back.
		if (ageMs >= 0 && ageMs < lifetimeMs) return this.known.collection;
		return await this.flight.run(() => this.ask());
	}

	private async ask(): Promise<TagCollectionDto> {
		const { backbone, clock } = this.dependencies;
		const { etag } = this.known;
		const askedAt = clock.now();
		const answer = await backbone.tags.get(etag === undefined ? {} : { etag });
		this.known = { ...(answer === 'unchanged' ? this.known : answer), askedAt };
		return this.known.collection;
	}
}
