import { randomBytes } from 'node:crypto';
import { multipartForm } from '../../../core/backbone/http/multipart';

const file = (content: Uint8Array) => ({
	name: 'content',
	filename: 'cipher.bin',
	contentType: 'application/octet-stream',
	content,
});

describe('a form with a file', () => {
	it.each([0, 1, 3, 100_000])('of %i bytes is read as what was put into it', async (size) => {
		const content = new Uint8Array(randomBytes(size));
		const form = multipartForm(file(content), [
			['cipherHash', 'aGFz-_aA'],
			['owner', 'did:e:localhost:dids:0123456789abcdef012345'],
		]);
		const body = Buffer.concat(form.pieces);
		expect(body.length).toBe(form.contentLength);
		expect(form.pieces).toContain(content);
		const read = await new Response(body, {
			headers: { 'content-type': form.contentType },
		}).formData();
		const part = read.get('content') as File;
		expect([part.name, part.type]).toEqual(['cipher.bin', 'application/octet-stream']);
		expect(new Uint8Array(await part.arrayBuffer())).toEqual(content);
		expect([...read.keys()]).toEqual(['content', 'cipherHash', 'owner']);
		expect(read.get('owner')).toBe('did:e:localhost:dids:0123456789abcdef012345');
	});

	it.each(['a"b', 'a\r\nb', 'ä'])('has no part with %j', (value) => {
		expect(() => multipartForm(file(new Uint8Array()), [['owner', value]])).toThrow(TypeError);
		expect(() => multipartForm(file(new Uint8Array()), [[value, 'x']])).toThrow(TypeError);
	});
});
