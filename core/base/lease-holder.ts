import { alphanumeric, type Random } from './random';

/** The unique name of a process that takes leases or makes calls, also among several hosts. */
export function newLeaseHolder(random: Random): string {
	return random.text(16, alphanumeric);
}
