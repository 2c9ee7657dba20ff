/**
 * `node --require` hook for the leader of a process group: ends the group when the process at the
 * other end of its standard input has ended, for any reason. A group detached from the terminal
 * would otherwise survive Ctrl-C and a killed test run.
 */
const { spawn } = require('node:child_process');
const { isMainThread } = require('node:worker_threads');

const graceMs = 10_000;

// Worker threads load the hooks of their process too.
if (isMainThread) {
	process.stdin.on('end', () => {
		if (process.platform === 'win32') {
			// Windows has no process groups; this ends the process and all that it has started.
			spawn('taskkill', ['/pid', String(process.pid), '/t', '/f'], { detached: true });
			return;
		}
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs).unref();
	});
	process.stdin.resume();
	process.stdin.unref();
}
