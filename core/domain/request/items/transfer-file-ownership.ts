import type { GatewayError } from '../../../base/errors';
import { isExpired } from '../../../model/instant';
import type { IdentityAttribute } from '../../../model/content/attributes';
import { parseReferenceOfKind, writeTruncatedReference } from '../../../model/reference';
import type { StoredFile } from '../../file/file-records';
import { idAtPeer } from '../../attribute/attribute-ids';
import { createRepositoryAttribute } from '../../attribute/repository-attributes';
import { storeShared, storeSharedCopy } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import { accepted, otherAnswer, invalidItem, mismatch } from './answers';
import { takenId } from './attribute-answers';
import { fileKey, type FileFacts, type FileItem } from './file-facts';
import type { CheckDependencies, DecisionDependencies, ItemHandler } from './item-handler';
import { tagsRefusedBy7 } from './tags';

const acceptType = 'TransferFileOwnershipAcceptResponseItem';

/** Handles 'This file is yours from now on' (docs/protocol/consumption.md 6.9). */
export const transferFileOwnershipHandler: ItemHandler<FileItem> = {
	checkOutgoing: (item, context) => {
		const reason = refusalToSend(factsOf(item, context), context);
		if (reason === undefined) return Promise.resolve(undefined);
		const message = `The file cannot be handed over: ${reason}.`;
		return Promise.resolve(requestErrors.create('invalidItem', { message }));
	},

	checkAccept: (item, _parameters, context) =>
		Promise.resolve(checkTaking(factsOf(item, context), context)),

	async accept(item, _parameters, { tx, ownAddress, peer, requestId, files, writer }) {
		const owned = files.get(fileKey(item))?.owned;
		if (owned === undefined) throw new TypeError('Expected a file that was taken over');
		const content = fileAttribute(item, owned, ownAddress);
		const source = await createRepositoryAttribute(tx, content, writer);
		const sharing = { peer, requestReference: requestId };
		const copy = await storeSharedCopy(tx, { source }, sharing, writer);
		if (copy === undefined) throw new TypeError('A fresh attribute ID is taken');
		const attribute = copy.content;
		return { response: accepted(acceptType, { attributeId: idAtPeer(copy), attribute }) };
	},

	checkResponse(item, response, { peer }) {
		if (response['@type'] !== acceptType) return otherAnswer(item, response);
		const { owner, value } = response.attribute;
		if (owner === peer && value['@type'] === 'IdentityFileReference') return undefined;
		return mismatch('The answer names no file of the peer.');
	},

	async applyResponse(_item, response, { tx, peer, requestId, writer }) {
		if (response['@type'] !== acceptType) return {};
		const { attributeId: id } = response;
		const content = { '@type': 'IdentityAttribute', ...response.attribute } as const;
		const sharing = { peer, requestReference: requestId };
		const stored = await storeShared(tx, { id, content }, sharing, writer);
		return stored === undefined ? { problem: takenId } : {};
	},
};

function factsOf(item: FileItem, { files }: CheckDependencies): FileFacts {
	return files.get(fileKey(item)) ?? { file: undefined, isTokenValid: undefined };
}

function refusalToSend(
	{ file, isTokenValid }: FileFacts,
	{ nowMs, hasOneId }: CheckDependencies,
): string | undefined {
	if (file === undefined) return 'it is not known here';
	if (!file.record.isOwn) return 'it belongs to another identity';
	if (isExpired(file.record.expiresAt, nowMs)) return 'it has expired';
	if (hasOneId && hasOtherTags(file)) return 'it has tags that version 7 does not accept';
	return isTokenValid === false ? 'its ownership token is not valid' : undefined;
}

function checkTaking(
	{ file, isTokenValid }: FileFacts,
	{ nowMs, peer, claimedFiles, hasOneId }: DecisionDependencies,
): GatewayError | undefined {
	const unusable = (reason: string): GatewayError =>
		requestErrors.create(hasOneId ? 'invalidItem' : 'invalidAcceptParameters', {
			message: `The file cannot be taken over: ${reason}.`,
		});
	if (file === undefined) return unusable('it cannot be loaded');
	const { record } = file;
	if (isExpired(record.expiresAt, nowMs)) return unusable('it has expired');
	// An earlier attempt for this request took the file over and was interrupted.
	if (record.isOwn && claimedFiles.includes(record.id)) return undefined;
	if (record.isOwn) return unusable('this account owns it already');
	if (record.owner !== peer) return unusable('it does not belong to the sender of the request');
	if (hasOneId && hasOtherTags(file)) return unusable('version 7 does not accept its tags');
	if (isTokenValid !== false) return undefined;
	return invalidItem('The file cannot be taken over: its ownership token is not valid.');
}

const hasOtherTags = ({ record: { tags = [] } }: StoredFile): boolean =>
	tagsRefusedBy7(tags).length > 0;

/**
 * Builds an attribute of this account for the file, with the address of the Backbone that the peer
 * has named.
 */
function fileAttribute(
	item: FileItem,
	{ record, secrets }: StoredFile,
	owner: string,
): IdentityAttribute {
	const { backboneBaseUrl } = parseReferenceOfKind(item.fileReference, 'file');
	const value = writeTruncatedReference({
		id: record.id,
		key: secrets.secretKey,
		...(backboneBaseUrl === undefined ? {} : { backboneBaseUrl }),
	});
	return {
		'@type': 'IdentityAttribute',
		owner,
		...(record.tags === undefined ? {} : { tags: record.tags }),
		value: { '@type': 'IdentityFileReference', value },
	};
}
