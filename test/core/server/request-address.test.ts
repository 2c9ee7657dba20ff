import { addressOf } from '../../../core/server/input/request-address';

describe('the address of a request', () => {
	it.each([
		['http://localhost/', '/', ''],
		['http://localhost:80/api/v2/Files', '/api/v2/Files', ''],
		['http://[::1]:8080/health?', '/health', ''],
		['http://localhost/Files?a=1&b=2', '/Files', 'a=1&b=2'],
		['http://localhost/Files?a=/b?c', '/Files', 'a=/b?c'],
		['http://localhost/Files#?a=1', '/Files', ''],
		['http://localhost/Files?a=1#b?c=2', '/Files', 'a=1'],
		['http://localhost/Files/%E0%A4%A', '/Files/%E0%A4%A', ''],
		['http://localhost//Files', '//Files', ''],
	])('of %s is path %s and query %s, as the parsed URL says', (url, path, query) => {
		expect(addressOf(url)).toEqual({ path, query });
		const parsed = new URL(url);
		expect({ path: parsed.pathname, query: parsed.search.slice(1) }).toEqual({ path, query });
	});
});
