/**
 * `node --require` hook for the leader of a process group: when whoever holds the other end of its
 * standard input is gone, however that happened, the group ends too. What is detached from a
 * terminal survives Ctrl-C and a killed test run otherwise.
 */
const { isMainThread } = require('node:worker_threads');

const graceMs = 10_000;

// Worker threads load the hooks of their process as well.
if (isMainThread) {
	process.stdin.on('end', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs).unref();
	});
	process.stdin.resume();
	process.stdin.unref();
}
