import { encodeBase64Url } from '../../../core/base/encoding';
import { writeReferenceUrl, writeTruncatedReference } from '../../../core/model/reference';
import { containsSecret, replaceSecrets } from '../../../core/model/secret-texts';

const key = encodeBase64Url(new Uint8Array(32).fill(7));
const reference = { id: 'FIL0123456789abcdefg', backboneBaseUrl: 'https://b.example', key };
const short = Buffer.from(`TOK0123456789abcdefg|3|${key}`).toString('base64url');

const secrets: ReadonlyArray<readonly [string, string, string]> = [
	['a reference', writeTruncatedReference(reference), '*'],
	['a reference without address', short, '*'],
	['a reference inside a text', `see ${short}, please`, 'see *, please'],
	['a reference for apps', `nmshd://tr#${short}`, 'nmshd://tr#*'],
	['a link', `at ${writeReferenceUrl(reference)}!`, 'at https://b.example*!'],
	['a link for an app', `at ${writeReferenceUrl(reference, 'app')} `, 'at https://b.example* '],
	['an ownership token', '{"a":1,"ownershipToken":"x\\"y"}', '{"a":1,*"}'],
	['a password', '{"password":"x","b":2}', '{*","b":2}'],
	['a PIN as a number', '{"pin": 1234}', '{*}'],
	['JSON inside JSON', '{"text":"{\\"password\\":\\"x\\"}"}', '{"text":"{\\*'],
];

describe('a text that opens something', () => {
	it.each(secrets)('is %s', (_name, text, replaced) => {
		expect(containsSecret(text)).toBe(true);
		const left = replaceSecrets(text, () => '*');
		expect(left.startsWith(replaced)).toBe(true);
		expect(left).not.toContain(key);
	});

	it('is replaced wherever it stands in a text', () => {
		expect(replaceSecrets(`${short} and ${short}.`, () => '*')).toBe('* and *.');
	});

	it.each([
		['a mail', '{"@type":"Mail","subject":"Password","body":"your password: none"}'],
		['the sort of a password', '{"passwordIsPin":true,"passwordLocationIndicator":"Self"}'],
		['an id of a file', '{"attachments":["FIL0123456789abcdefg"]}'],
		['a link without a key', 'https://b.example/r/FIL0123456789abcdefg'],
		['a hash', encodeBase64Url(new Uint8Array(64).fill(9))],
	])('is not %s', (_name, text) => {
		expect(containsSecret(text)).toBe(false);
		expect(replaceSecrets(text, () => '*')).toBe(text);
	});
});
