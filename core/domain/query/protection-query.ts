import { passwordLocationDto, type PasswordProtectionDto } from '../../model/password-protection';
import type { QueryField, QueryFields } from './collection-query';
import { invalidQuery } from './query-errors';

interface Protectable {
	readonly passwordProtection?: PasswordProtectionDto | undefined;
}

type Test = (protection: PasswordProtectionDto | undefined) => boolean;

/** Test with several values as alternatives, which the official runtime cannot evaluate. */
const anyOf =
	(testOf: (value: string, name: string) => Test): QueryField<never, Protectable> =>
	(given, name) => {
		const values = typeof given === 'string' ? [given] : given;
		const tests = values.map((value) => testOf(value, name));
		return ({ passwordProtection }) => tests.some((test) => test(passwordProtection));
	};

/**
 * Query fields for the password protection of templates and tokens. The protection is encrypted at
 * rest, so each record that matches the rest of the query is tested
 * (docs/protocol/transport.md 17.2).
 */
export const protectionFields: QueryFields<never, Protectable> = {
	passwordProtection: anyOf((value, name) => {
		if (value === '') return (protection) => protection !== undefined;
		if (value === '!') return (protection) => protection === undefined;
		throw invalidQuery(name, "expected nothing (protected) or '!' (not protected)");
	}),
	'passwordProtection.password': anyOf((value) => (protection) => protection?.password === value),
	'passwordProtection.passwordIsPin': anyOf((value, name) => {
		if (value === 'true') return (protection) => protection?.passwordIsPin === true;
		if (value === '!') {
			return (protection) => protection !== undefined && protection.passwordIsPin !== true;
		}
		throw invalidQuery(name, "expected 'true' (a PIN) or '!' (another password)");
	}),
	'passwordProtection.passwordLocationIndicator': anyOf((value) => {
		const location = /^\d{1,2}$/.test(value) ? passwordLocationDto(Number(value)) : value;
		return (protection) => String(protection?.passwordLocationIndicator) === String(location);
	}),
};
