import {
	defined,
	isObject,
	objectMember,
	textMember,
} from '../../../nodes/Enmeshed/helpers/members';

describe('members of what a node reads and writes', () => {
	it('takes members of another kind, and the ones of a prototype, for missing', () => {
		const value = { text: 'a', list: [1], object: { b: 1 } };
		expect([textMember(value, 'text'), textMember(value, 'list')]).toEqual(['a', undefined]);
		expect(textMember(value, 'toString')).toBeUndefined();
		expect(objectMember(value, 'object')).toEqual({ b: 1 });
		expect([objectMember(value, 'list'), objectMember(value, 'none')]).toEqual([{}, {}]);
		expect([isObject({}), isObject([]), isObject(null)]).toEqual([true, false, false]);
	});

	it('leaves out what has no value, and keeps what is empty', () => {
		const members = defined({ none: undefined, empty: '', no: false, nothing: null });
		expect(Object.keys(members)).toEqual(['empty', 'no', 'nothing']);
	});
});
