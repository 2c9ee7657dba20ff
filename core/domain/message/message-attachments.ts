import type { Cancellable } from '../../base/abort';
import { codeOf, isGatewayError } from '../../base/errors';
import type { WireMessage } from '../../backbone/dto';
import { asSecretKey } from '../../crypto/keys';
import type { DownloadedFile, FileDto } from '../../model/record/file';
import type { MessageRecord, MessageSecrets } from '../../model/record/message';
import type { ReadTransaction } from '../../store/store';
import { unknownFile } from '../file/file-errors';
import type { StoredFile } from '../file/file-records';
import { isTemporary } from '../unfinished/outcome';
import type { MessageDependencies } from './message-dependencies';
import type { MessageAttachment, OpenedMessage } from './message-envelope';
import { messageErrors } from './message-errors';
import { unknownMessage } from './message-failures';

/**
 * Attachments of messages: peers receive the ids and keys of the files (docs/protocol/transport.md
 * 7.1, 7.4).
 */
export class MessageAttachments {
	constructor(private readonly dependencies: Omit<MessageDependencies, 'beforeSealing'>) {}

	/**
	 * References for an outgoing message to own files and files of peers, all known to this account.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async toSend(tx: ReadTransaction, ids: readonly string[]): Promise<MessageAttachment[]> {
		if (ids.length === 0) return [];
		const known = new Map((await tx.files.getMany(ids)).map((entry) => [entry.record.id, entry]));
		return ids.map((id) => {
			const file = known.get(id);
			if (file === undefined) throw unknownFile(id);
			const { backboneBaseUrl } = this.dependencies.account;
			return { id, key: asSecretKey(file.secrets.secretKey), backboneBaseUrl };
		});
	}

	/**
	 * Loads the files of a received message that this account does not know yet. A deleted or
	 * unreadable file does not hold up the message: its key is stored with the message, so that the
	 * file can be loaded later.
	 */
	async load(
		wire: WireMessage,
		{ attachments }: OpenedMessage,
		options: Cancellable,
	): Promise<StoredFile[]> {
		const { store, files } = this.dependencies;
		// Only files that the Backbone lists: otherwise a peer could cause requests for a thousand
		// files.
		const listed = new Set(wire.attachments.map(({ id }) => id));
		const wanted = attachments.filter(({ id }) => listed.has(id));
		const ids = wanted.map(({ id }) => id);
		const known = await store.read(
			async (tx) => new Set((await tx.files.getMany(ids)).map(({ record }) => record.id)),
			options,
		);
		const loaded: StoredFile[] = [];
		for (const attachment of wanted) {
			if (known.has(attachment.id)) continue;
			known.add(attachment.id);
			try {
				loaded.push(await files.fetch(attachment, options));
			} catch (error) {
				this.report(wire.id, attachment.id, error);
			}
		}
		return loaded;
	}

	/**
	 * Lists all attachments of a message.
	 *
	 * @throws see {@link get}
	 */
	async list(messageId: string, options: Cancellable = {}): Promise<FileDto[]> {
		const { record } = await this.find(messageId, options);
		const found: FileDto[] = [];
		for (const id of new Set(record.attachments)) {
			found.push(await this.get(messageId, id, options));
		}
		return found;
	}

	/**
	 * @throws `error.runtime.recordNotFound` for an unknown message, or a file that is gone
	 * @throws `error.runtime.messages.fileNotFoundInMessage`
	 */
	async get(messageId: string, fileId: string, options: Cancellable = {}): Promise<FileDto> {
		const { record, secrets } = await this.find(messageId, options);
		if (!record.attachments.includes(fileId)) {
			throw messageErrors.create('fileNotFoundInMessage', {
				message: `The message '${messageId}' has no attachment with the ID '${fileId}'.`,
				facts: { messageId, fileId },
			});
		}
		const { files } = this.dependencies;
		const [known] = await files.getMany([fileId], options);
		if (known !== undefined) return known;
		const kept = secrets.attachments?.find(({ id }) => id === fileId);
		if (kept === undefined) throw unknownFile(fileId);
		return await files.getOrLoad(kept, options);
	}

	/** @throws see {@link get} and the codes of downloading a file */
	async download(
		messageId: string,
		fileId: string,
		options: Cancellable = {},
	): Promise<DownloadedFile> {
		await this.get(messageId, fileId, options);
		return await this.dependencies.files.download(fileId, options);
	}

	private async find(
		id: string,
		options: Cancellable,
	): Promise<{ readonly record: MessageRecord; readonly secrets: MessageSecrets }> {
		const entry = await this.dependencies.store.read((tx) => tx.messages.get(id), options);
		if (entry === undefined) throw unknownMessage(id);
		return entry;
	}

	private report(messageId: string, fileId: string, error: unknown): void {
		if (!isGatewayError(error) || isTemporary(error)) throw error;
		this.dependencies.logger.warn('an attachment could not be loaded', {
			messageId,
			fileId,
			code: codeOf(error),
		});
	}
}
