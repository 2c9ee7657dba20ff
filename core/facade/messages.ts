import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { DownloadedFile, FileDto } from '../model/record/file';
import type { MessageDto, SendIntentRecord } from '../model/record/message';
import type { MessageField } from '../store/store';

export interface MessageUseCases {
	/**
	 * `recipients`, `content` (Mail or ArbitraryMessageContent), `attachments` (ids of files
	 * that are stored here). A repetition with the same `idempotencyKey` returns the message
	 * that was sent the first time.
	 */
	send(
		input: unknown,
		options?: Cancellable & { readonly idempotencyKey?: string },
	): Promise<MessageDto>;
	get(id: string, options?: Cancellable): Promise<MessageDto>;
	list(input?: ListInput<MessageField>, options?: Cancellable): Promise<MessageDto[]>;
	markAsRead(id: string, options?: Cancellable): Promise<MessageDto>;
	markAsUnread(id: string, options?: Cancellable): Promise<MessageDto>;
	/** Files of a message; loads those that were not loaded with the message. */
	listAttachments(id: string, options?: Cancellable): Promise<FileDto[]>;
	getAttachment(id: string, fileId: string, options?: Cancellable): Promise<FileDto>;
	downloadAttachment(id: string, fileId: string, options?: Cancellable): Promise<DownloadedFile>;
	/** Sends whose outcome is still unknown (docs/adr/0006). */
	unresolvedSends(options?: Cancellable): Promise<SendIntentRecord[]>;
}
