import { isTagOfVersion7, tagsProblem } from '../../../../core/model/content/tags';

// shows generation-7 6: paragraph 1
describe('tags of an attribute', () => {
	it.each([
		['none', []],
		['an empty one', ['']],
		['twenty of 250 characters', tags(20, 250)],
	])('may be %s', (_what, given) => {
		expect(tagsProblem(given)).toBeUndefined();
	});

	it.each([
		['the same twice', ['a', 'a'], 'tags must differ from each other'],
		[
			'the same twice among too many',
			[...tags(20, 9), 'a', 'a'],
			'tags must differ from each other',
		],
		['too many', tags(21, 9), 'at most 20 tags'],
		['too long', tags(1, 251), 'a tag has at most 250 characters'],
	])('may not be %s', (_what, given, problem) => {
		expect(tagsProblem(given)).toBe(problem);
	});

	function tags(count: number, length: number): string[] {
		return Array.from({ length: count }, (_tag, index) => `${index}`.padEnd(length, 'x'));
	}
});

/* As an official runtime 7.0.0 judged them. */
// shows generation-7 6: begins with x: or X; begins with urn: (lower case); begins with language:
// (lower case); begins with mimetype: (lower case); anything else, also ""
describe('a tag for wallets of version 7', () => {
	it.each(['x:a', 'X:a', 'x:', 'urn:a:b', 'language:de', 'mimetype:text/plain', 'mimetype:*/*'])(
		'is accepted: %s',
		(tag) => {
			expect(isTagOfVersion7(tag)).toBe(true);
		},
	);

	it.each([
		...['', 'x', 'other:a', 'URN:a', 'language:xx', 'LANGUAGE:de', 'mimetype:Text/plain'],
		...['mimetype:image/svg+xml', 'mimetype:application/vnd.a', 'bkb:top', 'top'],
	])('is refused: %j', (tag) => {
		expect(isTagOfVersion7(tag)).toBe(false);
	});
});
