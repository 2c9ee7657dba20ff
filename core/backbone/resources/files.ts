import { isGatewayError } from '../../base/errors';
import type { CallOptions, FileResource } from '../port/backbone';
import { answerLimits, type BackboneCaller, type Call } from '../http/backbone-caller';
import {
	newOwnershipTokenSchema,
	ownershipTokenValiditySchema,
	uploadedFileSchema,
	wireFileSchema,
	wireListedFileSchema,
	type UploadFileFields,
} from '../dto/file';
import { maxContentBytes } from '../dto/wire';
import { backboneErrors } from '../backbone-errors';
import { multipartForm, type MultipartForm } from '../http/multipart';
import { get, listByIds, patch, post } from './calls';
import { pathId } from './wire-text';
import { deleteObject } from './deletion';

/**
 * `docs/protocol/backbone-api.md` 16.1, with the parts in the order of the official client (24).
 */
function uploadForm(content: Uint8Array, fields: UploadFileFields): MultipartForm {
	if (content.byteLength > maxContentBytes) {
		throw backboneErrors.create('bodyLengthExceeded', {
			message: `The encrypted file has ${content.byteLength} bytes; at most ${maxContentBytes} are taken.`,
			facts: { size: content.byteLength, maxContentBytes },
		});
	}
	const contentType = 'application/octet-stream';
	return multipartForm({ name: 'content', filename: 'cipher.bin', contentType, content }, [
		['cipherHash', fields.cipherHash],
		...(typeof fields.owner === 'string' ? [['owner', fields.owner] as const] : []),
		['ownerSignature', fields.ownerSignature],
		['expiresAt', fields.expiresAt],
		['encryptedProperties', fields.encryptedProperties],
	]);
}

/**
 * Explains both causes of a refused claim: the Backbone does not say whether the token is wrong,
 * which locks the file, or the file was locked before.
 */
function asClaimRefused(error: unknown): unknown {
	if (!isGatewayError(error, backboneErrors.forbidden.code)) return error;
	return backboneErrors.create('forbidden', {
		message:
			'The Backbone did not transfer the file: the ownership token is wrong, or the file is locked.',
		remedy:
			'Ask the owner whether the file is locked. A locked file can be transferred only with a new ownership token. If the Backbone does not issue a valid one, ask the owner to upload the file again.',
		facts: error.facts,
		cause: error,
	});
}

export function createFileResource(caller: BackboneCaller): FileResource {
	const root = '/Files';
	const path = (id: string, suffix = ''): string => `${root}/${pathId(id, 'FIL')}${suffix}`;
	const newToken = async (call: Call, options?: CallOptions): Promise<string> =>
		(await caller.result(call, newOwnershipTokenSchema, options)).newOwnershipToken;
	return {
		upload: async (content, fields, options) => {
			const call = post(root, undefined, { form: uploadForm(content, fields) });
			return await caller.result(call, uploadedFileSchema, options);
		},
		content: async (id, options) => {
			const headers = { accept: 'application/octet-stream' };
			return await caller.bytes(
				get(path(id), { headers, maxAnswerBytes: maxContentBytes }),
				options,
			);
		},
		metadata: async (id, options) => {
			const call = get(path(id, '/metadata'), { maxAnswerBytes: answerLimits.content });
			return await caller.result(call, wireFileSchema, options);
		},
		list: async (ids, options) =>
			listByIds(caller, { path: root, prefix: 'FIL', schema: wireListedFileSchema }, ids, options),
		delete: async (id, options) => deleteObject(caller, path(id), options),
		validateOwnershipToken: async (id, ownershipToken, options) => {
			const more = { isRepeatable: true, secrets: [ownershipToken] };
			const call = post(path(id, '/ValidateOwnershipToken'), { ownershipToken }, more);
			return (await caller.result(call, ownershipTokenValiditySchema, options)).isValid;
		},
		claimOwnership: async (id, ownershipToken, options) => {
			const more = { isRepeatable: true, secrets: [ownershipToken] };
			try {
				const call = patch(path(id, '/ClaimOwnership'), { ownershipToken }, more);
				return await newToken(call, options);
			} catch (error) {
				throw asClaimRefused(error);
			}
		},
		regenerateOwnershipToken: async (id, options) => {
			const more = { isRepeatable: true };
			return await newToken(patch(path(id, '/RegenerateOwnershipToken'), undefined, more), options);
		},
	};
}
