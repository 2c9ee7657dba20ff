/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets -- made up for the tests */
import {
	passwordLocationDto,
	readPasswordProtectionInput,
} from '../../../core/model/password-protection';
import { codeThrownBy } from '../crypto/vector-files';

const invalid = 'error.runtime.validation.invalidPropertyValue';

describe('the password protection that a caller asks for', () => {
	it.each([
		[{ password: 'a' }, { password: 'a', passwordType: 'pw' }],
		[{ password: ' a ' }, { password: ' a ', passwordType: 'pw' }],
		[
			{ password: '1234', passwordIsPin: true },
			{ password: '1234', passwordType: 'pin4' },
		],
		[
			{ password: '1234567890123456', passwordIsPin: true },
			{ password: '1234567890123456', passwordType: 'pin16' },
		],
		[
			{ password: 'a', passwordLocationIndicator: 'Self' },
			{ password: 'a', passwordType: 'pw', passwordLocationIndicator: 1 },
		],
		[
			{ password: 'a', passwordLocationIndicator: 'Website' },
			{ password: 'a', passwordType: 'pw', passwordLocationIndicator: 6 },
		],
		[
			{ password: 'a', passwordLocationIndicator: 99 },
			{ password: 'a', passwordType: 'pw', passwordLocationIndicator: 99 },
		],
	])('%j is read', (input, expected) => {
		expect(readPasswordProtectionInput(input)).toEqual(expected);
	});

	it.each([
		[{}, invalid],
		[null, invalid],
		[{ password: '' }, invalid],
		[{ password: 1234 }, invalid],
		[{ password: '1234', passwordIsPin: false }, invalid],
		[{ password: '123', passwordIsPin: true }, invalid],
		[{ password: '12345678901234567', passwordIsPin: true }, invalid],
		[{ password: '12a4', passwordIsPin: true }, invalid],
		[{ password: '١٢٣٤', passwordIsPin: true }, invalid],
		[{ password: 'a', passwordLocationIndicator: 'RecoveryKit' }, invalid],
		[{ password: 'a', passwordLocationIndicator: 'Nowhere' }, invalid],
		[{ password: 'a', passwordLocationIndicator: 0 }, invalid],
		[{ password: 'a', passwordLocationIndicator: 49 }, invalid],
		[{ password: 'a', passwordLocationIndicator: 100 }, invalid],
		[{ password: 'a', passwordLocationIndicator: 50.5 }, 'error.runtime.requestDeserialization'],
	])('%j is refused', (input, code) => {
		expect(codeThrownBy(() => readPasswordProtectionInput(input))).toBe(code);
	});

	it('at an unknown place is refused with the words of the official gateway alone', () => {
		const input = { password: 'a', passwordLocationIndicator: 'Nowhere' };
		expect(() => readPasswordProtectionInput(input)).toThrow(
			/^must be a number from 50 to 99 or one of the following strings: Self, Letter, RegistrationLetter, Email, SMS, Website$/,
		);
	});

	it.each([
		[0, 'RecoveryKit'],
		[6, 'Website'],
		[7, 7],
		[50, 50],
	])('location %s is shown as %s', (location, shown) => {
		expect(passwordLocationDto(location)).toBe(shown);
	});
});
