import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { HintOptions } from './requests';
import type { SendMessageInput } from '../model/input/message';
import type { DownloadedFile, FileDto } from '../model/record/file';
import type { MessageDto, SendIntentDto } from '../model/record/message';
import type { NewWait } from '../model/record/wait';
import type { MessageField } from '../store/store';

/** Messages to and from connected peers, end-to-end encrypted. */
export interface MessageUseCases {
	/**
	 * `recipients`, `content` (Mail or ArbitraryMessageContent), `attachments` (ids of files
	 * that are stored here). A repetition with the same `idempotencyKey` returns the message
	 * that was sent the first time. With `wait`, an execution waits for the answer: the wait is
	 * committed with the message, and removed again when the message is not sent. `onHint` receives
	 * the recipients that may not show the format of a mail.
	 */
	send(
		input: SendMessageInput,
		options?: HintOptions & {
			readonly idempotencyKey?: string | undefined;
			readonly wait?: NewWait | undefined;
		},
	): Promise<MessageDto>;
	/**
	 * Returns a stored message.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<MessageDto>;
	/** Lists the stored messages, sent and received ones. */
	list(input?: ListInput<MessageField>, options?: Cancellable): Promise<MessageDto[]>;
	/** Sets `wasReadAt` if it is absent. */
	markAsRead(id: string, options?: Cancellable): Promise<MessageDto>;
	/** Removes `wasReadAt`. */
	markAsUnread(id: string, options?: Cancellable): Promise<MessageDto>;
	/** Files of a message; loads the files that were not loaded with the message. */
	listAttachments(id: string, options?: Cancellable): Promise<FileDto[]>;
	/**
	 * Returns the metadata of one attached file.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	getAttachment(id: string, fileId: string, options?: Cancellable): Promise<FileDto>;
	/**
	 * Fetches the content of one attached file.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	downloadAttachment(id: string, fileId: string, options?: Cancellable): Promise<DownloadedFile>;
	/** Sends whose outcome is still unknown (docs/adr/0006). */
	unresolvedSends(options?: Cancellable): Promise<SendIntentDto[]>;
}

export type { SendMessageInput } from '../model/input/message';
