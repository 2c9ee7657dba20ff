import { isDeadHolder, newLeaseHolder } from '../../../core/base/lease-holder';
import { systemRandom } from '../../../core/base/random';

describe('the holder of a lease', () => {
	it('lives as long as its process', () => {
		expect(isDeadHolder(newLeaseHolder(systemRandom))).toBe(false);
	});

	it('is dead when no process has its number any more', () => {
		expect(isDeadHolder(newLeaseHolder(systemRandom).replace(/^\d+/, '4194305'))).toBe(true);
	});

	it('is dead when a restarted container has given its number to this process', () => {
		expect(isDeadHolder(newLeaseHolder(systemRandom).replace(/#.*$/, '#another'))).toBe(true);
	});

	it('may live on another host, where nobody can look', () => {
		expect(isDeadHolder('4194305@another.example#abc')).toBe(false);
		expect(isDeadHolder('me')).toBe(false);
	});
});
