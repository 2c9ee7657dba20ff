import { hostname } from 'node:os';
import { newLeaseHolder } from '../../../core/base/lease/lease-holder';
import { systemRandom } from '../../../core/base/random';

describe('the name of the holder of a lease', () => {
	it('is given out once', () => {
		const names = Array.from({ length: 100 }, () => newLeaseHolder(systemRandom));
		expect(new Set(names).size).toBe(100);
	});

	it('does not follow from process number and host name, which containers share', () => {
		const name = newLeaseHolder(systemRandom);
		expect(name).toMatch(/^[A-Za-z0-9]{16}$/);
		expect(name).not.toContain(hostname());
	});
});
