import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resident bytes of another process. */
export function residentBytes(pid: number): number {
	return 1_024 * (process.platform === 'linux' ? fromProc(pid) : fromPs(pid));
}

function fromProc(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`Process ${pid} does not report its memory.`);
	return Number(kilobytes);
}

function fromPs(pid: number): number {
	return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
}
