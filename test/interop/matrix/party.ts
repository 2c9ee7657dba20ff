import type {
	AccountUseCases,
	AnnouncementUseCases,
	ChallengeUseCases,
	FileDto,
	FileUseCases,
	IdentityDeletionUseCases,
	MessageUseCases,
	NotificationUseCases,
	RelationshipDto,
	RelationshipUseCases,
	TagUseCases,
	TemplateUseCases,
	TokenDto,
	TokenUseCases,
	UploadFileInput,
} from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import type { Arrival } from '../../support/arrivals';

/** Ours, or a generation of the official runtime. */
export type Kind = 'ours' | 6 | 7;

export interface Heard {
	/** without `transport.` */
	readonly event: string;
	readonly data: unknown;
}

/** What the owner of a file hands to the identity that is to take it over. */
export interface FileOffer {
	readonly file: FileDto;
	readonly ownershipToken: string;
	/** reference of a template whose request offers the file; official runtimes take no other way */
	readonly request?: string;
}

/** A token without content, as it is shown to the identity that is to fill it. */
export interface EmptyToken {
	readonly reference: { readonly truncated: string };
}

/**
 * One identity of the matrix, played by our gateway or by an official runtime. It offers what
 * the rows need of our facade, by the same names; refusals are thrown with their `code`.
 */
export interface Party {
	readonly kind: Kind;
	readonly address: string;
	/** A place in the list of events, for `heardSince`. */
	mark(): Promise<number>;
	/** Transport events since a mark, oldest first. */
	heardSince(mark: number): Promise<readonly Heard[]>;
	/** One sync. Ours tells how many events could not be applied. */
	sync(): Promise<{ readonly failures: number }>;
	/** Syncs until nothing more comes, or until what is named has arrived; counts new failures. */
	settle(arrived?: Arrival): Promise<{ readonly failures: number }>;

	readonly account: Pick<AccountUseCases, 'checkIfDeleted'>;
	readonly announcements: Pick<AnnouncementUseCases, 'list'>;
	readonly backboneNotifications: Pick<NotificationUseCases, 'send'>;
	readonly challenges: Pick<ChallengeUseCases, 'create' | 'validate'>;
	readonly files: Pick<
		FileUseCases,
		'get' | 'getOrLoad' | 'delete' | 'createToken' | 'regenerateOwnershipToken'
	> & {
		upload(input: UploadFileInput, text: string): Promise<FileDto>;
		/** The content as text. */
		read(id: string): Promise<string>;
		offer(file: FileDto, ownershipToken?: string): Promise<FileOffer>;
		takeOver(offer: FileOffer): Promise<FileDto>;
	};
	readonly identityDeletion: Pick<
		IdentityDeletionUseCases,
		'initiate' | 'cancel' | 'getActive' | 'list'
	>;
	readonly messages: Pick<
		MessageUseCases,
		'send' | 'get' | 'markAsRead' | 'markAsUnread' | 'listAttachments'
	> & {
		/** Without a look at the content. */
		sendUnchecked(recipient: string, content: JsonObject): Promise<void>;
	};
	readonly relationships: Omit<RelationshipUseCases, 'list' | 'attributes' | 'peerAttributes'> & {
		/** In the order in which they began. */
		with(address: string): Promise<RelationshipDto[]>;
	};
	readonly tags: Pick<TagUseCases, 'collection'>;
	readonly templates: Pick<
		TemplateUseCases,
		'create' | 'get' | 'loadPeer' | 'delete' | 'createToken'
	>;
	readonly tokens: Pick<
		TokenUseCases,
		'create' | 'get' | 'loadPeer' | 'loadAnonymous' | 'delete'
	> & {
		/** With the secret of a new device of this identity. */
		createForDevice(): Promise<TokenDto>;
		/** Without an identity, as a device does that is to be onboarded. */
		createEmpty(): Promise<EmptyToken>;
		/** Puts what it can put there into an empty token. */
		fill(token: EmptyToken): Promise<TokenDto>;
	};
}

/** The party has no such operation at all: the only excuse that the matrix takes. */
export class NoSuchOperation extends Error {
	override readonly name = 'NoSuchOperation';
}
