import type { Step } from './index';

/** Somebody gave a wrong ownership token for an own file. */
export const fileOwnershipLocked: Step<'FileOwnershipLocked'> = ({ payload, services }) =>
	Promise.resolve(async (tx) => {
		await services.fileOwnership.applyLock(tx, payload.fileId);
		return { fileId: payload.fileId };
	});

/** A file of ours has another owner. */
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
