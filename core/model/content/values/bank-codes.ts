import { isValidBIC, isValidIBAN } from 'ibantools';

/** Code whose validity follows from a rule instead of a list or a pattern. */
export interface CheckedCode {
	/** for messages, as in 'not an IBAN' */
	readonly name: string;
	readonly isValid: (text: string) => boolean;
}

/** Country, length, structure and check digits (docs/protocol/generation-7.md 4.2). */
export const ibans: CheckedCode = {
	name: 'an IBAN in capital letters without spaces',
	isValid: (text) => isValidIBAN(text),
};

/** @see docs/protocol/generation-7.md 4.2 */
export const bics: CheckedCode = {
	name: 'a BIC of 8 or 11 characters',
	isValid: (text) => isValidBIC(text),
};
