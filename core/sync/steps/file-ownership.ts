import type { Step } from './step';

/**
 * Applies the lock of an own file after another identity gave a wrong ownership token. The step
 * does not wait for an unknown file: other identities learn its id only after it was stored here,
 * so this account has since deleted it.
 */
export const fileOwnershipLocked: Step<'FileOwnershipLocked'> = ({ payload, services }) =>
	Promise.resolve(async (tx) => {
		await services.fileOwnership.applyLock(tx, payload.fileId);
		return { fileId: payload.fileId };
	});

/**
 * Applies the transfer of an own file to another identity; does not wait for an unknown file, as
 * above.
 */
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
