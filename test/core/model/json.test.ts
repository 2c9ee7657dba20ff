import { objectMember, textMember } from '../../../core/model/content/members';
import { isJsonObject, ownMember, ownText } from '../../../core/model/json';

describe('members of JSON', () => {
	it('tells an object from lists, null and other values', () => {
		expect([{}, { a: 1 }].every(isJsonObject)).toBe(true);
		expect([[], null, undefined, 'a', 1, true].some(isJsonObject)).toBe(false);
	});

	it('reads own members of objects and lists only', () => {
		expect(ownMember({ a: 1 }, 'a')).toBe(1);
		expect(ownMember(['x'], 0)).toBe('x');
		for (const value of [{}, [], null, undefined, 'text', 1]) {
			expect(ownMember(value, 'toString')).toBeUndefined();
			expect(ownMember(value, '__proto__')).toBeUndefined();
		}
	});

	it('takes members of another kind for missing, empty text or an empty object', () => {
		const value = { text: 'a', list: [], object: { b: 1 } };
		expect(ownText(value, 'text')).toBe('a');
		expect(ownText(value, 'list')).toBeUndefined();
		expect([textMember(value, 'text'), textMember(value, 'list')]).toEqual(['a', '']);
		expect(objectMember(value, 'object')).toEqual({ b: 1 });
		expect([objectMember(value, 'list'), objectMember(value, 'none')]).toEqual([{}, {}]);
	});
});
