import type { FileDto } from '../../../core';
import { readBinary } from './binary';
import { idempotencyKey, sha256 } from './idempotency-key';
import type { OperationCall } from './operation';
import type { FieldSchemas, Zod } from './parse-parameters';

/** Files that a person chose with the fields of `descriptions/file-source`. */
export interface ChosenFile {
	readonly fileSource: 'input' | 'list';
	readonly file?: string | undefined;
	/** names of fields; an expression can return several */
	readonly binaryPropertyName: readonly string[];
}

export function chosenFileShape(
	z: Zod,
	{ optionalText, textList }: FieldSchemas,
	usual: 'input' | 'list',
) {
	return {
		fileSource: z.enum(['input', 'list']).default(usual),
		file: optionalText,
		binaryPropertyName: textList.default(['data']),
	};
}

/** Reports an issue if no file is chosen in the list. */
export function requireChosenFile(
	{ fileSource, file }: ChosenFile,
	context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
	if (fileSource === 'input' || file !== undefined) return;
	const message = 'Choose a file of the list, or enter an ID';
	context.addIssue({ code: 'custom', path: ['file'], message });
}

/**
 * Records of the chosen files. Files of the input item are uploaded first.
 *
 * @param part identifies the entry of the form within the item
 */
export async function chosenFiles(
	call: OperationCall,
	{ fileSource, file, binaryPropertyName }: ChosenFile,
	part: string,
): Promise<FileDto[]> {
	const { gateway, signal } = call;
	if (fileSource === 'list') return [await gateway.files.get(file ?? '', { signal })];
	const files: FileDto[] = [];
	for (const field of binaryPropertyName) {
		const { content, ...named } = await readBinary(call, field);
		const once = idempotencyKey(call, () => [named, sha256(content)], `${part} ${field}`);
		files.push(await gateway.files.upload(named, content, { signal, ...once }));
	}
	return files;
}
