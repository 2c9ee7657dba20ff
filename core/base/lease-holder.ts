import { hostname } from 'node:os';
import { alphanumeric, type Random } from './random';

/* Names that this process gave out. A restarted container often has the same process number. */
const ownHolders = new Set<string>();

/** A name for whoever takes a lease: tells others on this host whether its process still lives. */
export function newLeaseHolder(random: Random): string {
	const holder = `${process.pid}@${hostname()}#${random.text(16, alphanumeric)}`;
	ownHolders.add(holder);
	return holder;
}

/**
 * True when the holder's process ran on this host and is gone: its lease need not be waited for. A
 * process number that was given to another program only means waiting for the lease's end.
 */
export function isDeadHolder(holder: string): boolean {
	if (ownHolders.has(holder)) return false;
	const [, pid, host] = /^(\d+)@(.*)#[A-Za-z0-9]+$/.exec(holder) ?? [];
	if (pid === undefined || host !== hostname()) return false;
	if (Number(pid) === process.pid) return true;
	try {
		process.kill(Number(pid), 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ESRCH';
	}
}
