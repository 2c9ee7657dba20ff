import type { Step } from './index';

/**
 * Somebody gave a wrong ownership token for an own file. A file that is not known here is not waited for:
 * others learn its id from us only, after it was stored, so it was deleted here since.
 */
export const fileOwnershipLocked: Step<'FileOwnershipLocked'> = ({ payload, services }) =>
	Promise.resolve(async (tx) => {
		await services.fileOwnership.applyLock(tx, payload.fileId);
		return { fileId: payload.fileId };
	});

/** A file of ours has another owner; one that is not known here is not waited for, as above. */
export const fileOwnershipClaimed: Step<'FileOwnershipClaimed'> = async (
	{ payload: { fileId, newOwnerAddress }, services },
	options,
) => {
	const { fileOwnership } = services;
	const owner = await fileOwnership.ownerAfterClaim(fileId, newOwnerAddress, options);
	return async (tx) => {
		await fileOwnership.applyClaim(tx, fileId, owner);
		return { fileId };
	};
};
