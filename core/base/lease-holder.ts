import { alphanumeric, type Random } from './random';

/** A name for whoever takes a lease or makes a call: nobody else has it, on whatever host. */
export function newLeaseHolder(random: Random): string {
	return random.text(16, alphanumeric);
}
