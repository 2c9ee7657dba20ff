import { FormData } from 'undici';
import type { FileResource } from '../backbone';
import { answerLimits, type BackboneCaller } from '../backbone-caller';
import {
	maxContentBytes,
	uploadedFileSchema,
	wireFileSchema,
	wireListedFileSchema,
	type UploadFileFields,
} from '../dto';
import { backboneErrors } from '../backbone-errors';
import { readListed } from '../paging';
import { pathId } from '../wire-text';
import { deleteObject } from './deletion';

/** `docs/protocol/backbone-api.md` 16.1, parts in the order of the official client (24). */
function uploadForm(content: Uint8Array, fields: UploadFileFields): FormData {
	if (content.byteLength > maxContentBytes) {
		throw backboneErrors.create('bodyLengthExceeded', {
			message: `The encrypted file has ${content.byteLength} bytes; at most ${maxContentBytes} are taken.`,
			facts: { size: content.byteLength, maxContentBytes },
		});
	}
	const form = new FormData();
	const bytes = new Blob([new Uint8Array(content)], { type: 'application/octet-stream' });
	form.append('content', bytes, 'cipher.bin');
	form.append('cipherHash', fields.cipherHash);
	if (typeof fields.owner === 'string') form.append('owner', fields.owner);
	form.append('ownerSignature', fields.ownerSignature);
	form.append('expiresAt', fields.expiresAt);
	form.append('encryptedProperties', fields.encryptedProperties);
	return form;
}

export function createFileResource(caller: BackboneCaller): FileResource {
	const root = '/Files';
	return {
		upload: async (content, fields, options) =>
			caller.result(
				{ method: 'POST', path: root, form: uploadForm(content, fields) },
				uploadedFileSchema,
				options,
			),
		content: async (id, options) =>
			caller.bytes(
				{
					method: 'GET',
					path: `${root}/${pathId(id, 'FIL')}`,
					headers: { accept: 'application/octet-stream' },
					maxAnswerBytes: maxContentBytes,
				},
				options,
			),
		metadata: async (id, options) =>
			caller.result(
				{
					method: 'GET',
					path: `${root}/${pathId(id, 'FIL')}/metadata`,
					maxAnswerBytes: answerLimits.content,
				},
				wireFileSchema,
				options,
			),
		list: async (ids, options) =>
			readListed(
				caller,
				{ method: 'GET', path: root, maxAnswerBytes: answerLimits.page },
				wireListedFileSchema,
				ids,
				(id) => [['ids', pathId(id, 'FIL')]],
				options,
			),
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'FIL')}`, options),
	};
}
