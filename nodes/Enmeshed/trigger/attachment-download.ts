import type { IBinaryData, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import { isGatewayError, toNodeError } from '../errors/to-node-error';
import { loadCore } from '../gateway/core';
import { textMember } from '../helpers/members';
import { toBinary, type BinaryContent, type FileHelpers } from '../operation/binary';
import type { AttachmentOutput } from '../schemas/event-output';
import { messageReceived } from './trigger-events';

/** most files of one execution */
const maxFiles = 100;
const megabyte = 1_000_000;

/** What n8n gives to triggers for files, with the node for errors. */
export interface FileHost extends FileHelpers {
	getNode(): INode;
}

interface Options {
	readonly signal: AbortSignal;
	/** size of all files of an execution, in MB */
	readonly maxMegabytes: number;
}

/** What the item says about a file, and its content unless there is an error. */
interface Loaded {
	readonly described: AttachmentOutput;
	readonly content?: BinaryContent;
}

/** Kinds of errors about the file itself, which another attempt does not solve. */
const ofFile: readonly string[] = ['conflict', 'invalid', 'notFound'];

/** Downloads the files of the messages of one execution, up to a number and a size. */
export class AttachmentDownload {
	private files = 0;

	private bytes = 0;

	constructor(
		private readonly host: FileHost,
		private readonly gateway: GatewayFacade,
		private readonly options: Options,
	) {}

	/**
	 * Adds the files to the items of received messages, and a note instead of a file that is gone,
	 * cannot be read, or exceeds the limits. n8n gets the files when all of them are loaded, because
	 * it keeps what a failed attempt gave it.
	 *
	 * @throws NodeError when the Backbone or the account cannot be used at present
	 */
	async addTo(items: readonly INodeExecutionData[]): Promise<void> {
		const found: Array<{ item: INodeExecutionData; loaded: Loaded[] }> = [];
		for (const item of items) {
			const loaded = await this.load(item.json);
			if (loaded.length > 0) found.push({ item, loaded });
		}
		for (const { item, loaded } of found) {
			item.json['attachments'] = loaded.map(({ described }) => ({ ...described }));
			const binary = await this.toBinaries(loaded);
			if (Object.keys(binary).length > 0) item.binary = binary;
		}
	}

	private async load(json: IDataObject): Promise<Loaded[]> {
		const messageId = textMember(json, 'messageId');
		const { event, attachments } = json;
		if (event !== messageReceived || messageId === undefined) return [];
		const ids: readonly unknown[] = Array.isArray(attachments) ? attachments : [];
		const loaded: Loaded[] = [];
		for (const id of ids) {
			if (typeof id === 'string') loaded.push(await this.loadOne(messageId, id, loaded.length));
		}
		return loaded;
	}

	private async loadOne(messageId: string, id: string, index: number): Promise<Loaded> {
		try {
			const content = await this.download(messageId, id);
			const { filename, mimetype, content: bytes } = content;
			const field = `attachment_${index}`;
			return { described: { id, filename, mimetype, filesize: bytes.length, field }, content };
		} catch (error) {
			return { described: { id, error: this.noteOf(error) } };
		}
	}

	private async download(messageId: string, id: string): Promise<BinaryContent> {
		const { signal } = this.options;
		const { messages } = this.gateway;
		this.files++;
		if (this.files > maxFiles) throw await overLimit(`${maxFiles} files`);
		const { filesize } = await messages.getAttachment(messageId, id, { signal });
		await this.requireRoom(filesize);
		const file = await messages.downloadAttachment(messageId, id, { signal });
		// The owner of the file may have stated another size.
		await this.requireRoom(file.content.length);
		this.bytes += file.content.length;
		return file;
	}

	private async requireRoom(bytes: number): Promise<void> {
		const { maxMegabytes } = this.options;
		if (this.bytes + bytes <= maxMegabytes * megabyte) return;
		throw await overLimit(`${maxMegabytes} MB of files`);
	}

	private noteOf(error: unknown): { code: string; message: string } {
		if (isGatewayError(error) && ofFile.includes(error.kind)) {
			return { code: error.code, message: error.message };
		}
		this.options.signal.throwIfAborted();
		throw isGatewayError(error) ? toNodeError(this.host.getNode(), error) : error;
	}

	private async toBinaries(loaded: readonly Loaded[]): Promise<Record<string, IBinaryData>> {
		const binary: Record<string, IBinaryData> = {};
		for (const { described, content } of loaded) {
			if (content === undefined || described.field === undefined) continue;
			Object.assign(binary, await toBinary({ functions: this.host }, content, described.field));
		}
		return binary;
	}
}

async function overLimit(limit: string): Promise<Error> {
	const { fileErrors } = await loadCore();
	return fileErrors.create('overLimit', {
		message: `With this file, the execution would get more than ${limit}.`,
	});
}
