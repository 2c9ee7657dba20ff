import { alphanumeric, type Random } from '../random';

/**
 * Creates a name that identifies a process that takes leases or makes calls, unique across hosts.
 */
export function newLeaseHolder(random: Random): string {
	return random.text(16, alphanumeric);
}
