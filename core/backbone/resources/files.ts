import { isGatewayError } from '../../base/errors';
import type { FileResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
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
import { readListed } from '../http/paging';
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
					path: path(id),
					headers: { accept: 'application/octet-stream' },
					maxAnswerBytes: maxContentBytes,
				},
				options,
			),
		metadata: async (id, options) =>
			caller.result(
				{
					method: 'GET',
					path: path(id, '/metadata'),
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
		delete: async (id, options) => deleteObject(caller, path(id), options),
		validateOwnershipToken: async (id, ownershipToken, options) => {
			const { isValid } = await caller.result(
				{
					method: 'POST',
					path: path(id, '/ValidateOwnershipToken'),
					json: { ownershipToken },
					isRepeatable: true,
					secrets: [ownershipToken],
				},
				ownershipTokenValiditySchema,
				options,
			);
			return isValid;
		},
		claimOwnership: async (id, ownershipToken, options) => {
			try {
				const { newOwnershipToken } = await caller.result(
					{
						method: 'PATCH',
						path: path(id, '/ClaimOwnership'),
						json: { ownershipToken },
						isRepeatable: true,
						secrets: [ownershipToken],
					},
					newOwnershipTokenSchema,
					options,
				);
				return newOwnershipToken;
			} catch (error) {
				throw asClaimRefused(error);
			}
		},
		regenerateOwnershipToken: async (id, options) => {
			const { newOwnershipToken } = await caller.result(
				{ method: 'PATCH', path: path(id, '/RegenerateOwnershipToken'), isRepeatable: true },
				newOwnershipTokenSchema,
				options,
			);
			return newOwnershipToken;
		},
	};
}
