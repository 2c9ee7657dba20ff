import type { FileDto } from '../../../core';
import { readBinary } from '../operation/binary';
import { idempotencyKey, sha256 } from '../sending/idempotency-key';
import { isObject } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
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
		binaryPropertyName: z.preprocess(
			(value) => (value === undefined ? ['data'] : value),
			z
				.unknown()
				.refine((value) => value !== '' && value !== null, 'It is empty')
				.pipe(textList),
		),
	};
}

/**
 * Leaves out the hidden field, which keeps what was entered before.
 *
 * @param usual source without a choice
 */
export function shownFileFields(usual: ChosenFile['fileSource']): (entered: unknown) => unknown {
	return (entered) => {
		if (!isObject(entered) || (entered['fileSource'] ?? usual) !== 'list') return entered;
		const { binaryPropertyName: _hidden, ...shown } = entered;
		return shown;
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
		const hash = sha256(JSON.stringify([named, sha256(content)]));
		const options = { kind: 'upload', part: `${part} ${field}` } as const;
		const once = await idempotencyKey(call, () => hash, options);
		const file = await gateway.files.upload(named, content, { signal, ...once });
		for (const name of [file.id, file.truncatedReference, file.ownershipToken]) {
			if (name !== undefined) call.uploads.set(name, hash);
		}
		files.push(file);
	}
	return files;
}
