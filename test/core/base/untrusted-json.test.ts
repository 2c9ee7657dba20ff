import {
	isWithinLimits,
	JsonRefusal,
	parseUntrustedJson,
	readUntrustedJson,
} from '../../../core/base/untrusted-json';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('JSON of another party', () => {
	it('is parsed as it is within its limits', () => {
		const text = '{"a":[1,"[,{\\"",null],"b":{"c":"\\\\"}}';
		expect(parseUntrustedJson(text, { maxDepth: 2, maxValues: 7 })).toEqual(JSON.parse(text));
		expect(parseUntrustedJson(nested(10_000))).toBeDefined();
	});

	it('is refused with words for what is too much', () => {
		const read = (text: string) => () => parseUntrustedJson(text, { maxDepth: 3, maxValues: 5 });
		expect(read(nested(3))).not.toThrow();
		expect(read(nested(4))).toThrow(new JsonRefusal('it is nested deeper than 3 levels'));
		expect(read('[1,2,3]')).not.toThrow();
		expect(read('[1,2,3,4,5]')).toThrow(new JsonRefusal('it has more than 5 values'));
	});

	it('does not count what stands inside a text, however its quotes are escaped', () => {
		const inside = ['[[[[', ',,,,,,,', '\\"[[[[', '\\\\', '\\\\\\"[[[[', '\\u005b,,,,,,'];
		for (const text of inside) {
			const json = `["${text}"]`;
			expect(parseUntrustedJson(json, { maxDepth: 1, maxValues: 2 })).toEqual(JSON.parse(json));
		}
		const after = '["\\\\",[[1]]]';
		expect(() => parseUntrustedJson(after, { maxDepth: 2 })).toThrow(JsonRefusal);
	});

	it.each(['__proto__', '\\u005f_proto__', '__\\u0070roto__'])(
		'loses a member named %s, or is refused for it',
		(name) => {
			const text = `{"a":[{"${name}":{"x":1},"b":1}]}`;
			expect(JSON.stringify(parseUntrustedJson(text))).toBe('{"a":[{"b":1}]}');
			expect(() => parseUntrustedJson(text, { refusesPrototypes: true })).toThrow(
				new JsonRefusal("it has a member named '__proto__'"),
			);
		},
	);

	it('keeps the name __proto__ where it is a value', () => {
		expect(parseUntrustedJson('["__proto__"]', { refusesPrototypes: true })).toEqual(['__proto__']);
	});

	it('is undefined where the reason does not matter, and throws what the parser says elsewhere', () => {
		for (const text of ['', '{', '"open', '"\\', nested(3)]) {
			expect(readUntrustedJson(text, { maxDepth: 2 })).toBeUndefined();
		}
		expect(() => parseUntrustedJson('{')).toThrow(SyntaxError);
		expect(readUntrustedJson('null')).toBeNull();
	});
});

describe('limits of a parsed value', () => {
	it('hold for depth, number and length, names included', () => {
		const limits = { maxDepth: 2, maxValues: 4, maxTextLength: 3 };
		const isWithin = (value: unknown): boolean => isWithinLimits(value, limits);
		expect([{ a: [1, 'abc'] }, 'abc', null, [1, 2, 3]].map(isWithin)).toEqual(
			Array.from({ length: 4 }, () => true),
		);
		expect([[[[]]], [1, 2, 3, 4], 'abcd', { abcd: 1 }].map(isWithin)).toEqual(
			Array.from({ length: 4 }, () => false),
		);
	});

	it('are found to be exceeded without overflowing the stack', () => {
		const deep = JSON.parse(nested(100_000)) as unknown;
		expect(isWithinLimits(deep, { maxDepth: 64 })).toBe(false);
		expect(isWithinLimits(deep, {})).toBe(true);
	});
});
