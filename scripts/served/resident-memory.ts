import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Resident bytes of another process. */
export function residentBytes(pid: number): number {
	return 1_024 * (process.platform === 'linux' ? fromProc(pid) : fromPs(pid));
}

/**
 * Begins to record the peak of a process anew, because loading may have needed more than the work.
 * Works on Linux only; without it the figure is too high.
 */
export function resetPeak(pid: number): void {
	if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Largest number of resident bytes of another process since the reset; Linux only. */
export const peakResidentBytes = (pid: number): number => 1_024 * fromProc(pid, 'VmHWM');

function fromProc(pid: number, field = 'VmRSS'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`Process ${pid} does not report its memory.`);
	return Number(kilobytes);
}

function fromPs(pid: number): number {
	return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
}
