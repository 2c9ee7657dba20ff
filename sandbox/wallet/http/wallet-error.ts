import { codeOf, isGatewayError } from '../../../core';

/** Error that the page shows: what happened, and what the person can do. */
export class WalletError extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** tells the page how to go on, such as to ask for a password */
		readonly code?: string,
	) {
		super(message);
	}

	static of(error: unknown): WalletError {
		if (error instanceof WalletError) return error;
		if (!isGatewayError(error)) {
			return new WalletError(500, 'The wallet failed. Reload the page and try again.');
		}
		const words = [error.message, error.remedy].filter((text) => text !== undefined).join(' ');
		return new WalletError(error.kind === 'internal' ? 500 : 400, words, codeOf(error));
	}
}
