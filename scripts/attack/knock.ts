import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What became of one connection: the status that was answered, or how it ended without one. */
export type Outcome = number | 'cut' | 'held';

export interface Knock {
	/** written as soon as the connection stands */
	readonly text: string | Buffer;
	/** written again and again until the server has had enough */
	readonly endless?: Buffer;
	/** does not read what comes */
	readonly isDeaf?: boolean;
	/** milliseconds after which we go away */
	readonly patienceMs?: number;
}

const usualPatienceMs = 20_000;

/** Opens a connection of its own, writes, and waits for the first line of an answer and its end. */
export async function knock(address: string, told: Knock): Promise<Outcome> {
	const { hostname, port } = new URL(address);
	const socket = connect(Number(port), hostname);
	let answer = '';
	if (told.isDeaf !== true) {
		socket.on('data', (chunk: Buffer) => {
			if (answer.length < 100) answer += chunk.toString('latin1');
		});
	}
	socket.on('error', () => undefined);
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
	const abort = new AbortController();
	socket.write(told.text);
	if (told.endless !== undefined) void pour(socket, told.endless);
	const isHeld = await Promise.race([
		closed.then(() => false),
		delay(told.patienceMs ?? usualPatienceMs, true, { signal: abort.signal }),
	]);
	abort.abort();
	socket.destroy();
	const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1];
	if (status !== undefined) return Number(status);
	return isHeld ? 'held' : 'cut';
}

/** As fast as the server takes it. */
async function pour(socket: Socket, chunk: Buffer): Promise<void> {
	while (!socket.destroyed) {
		if (socket.write(chunk)) await delay(1);
		else await Promise.race([onceDrained(socket), delay(1_000)]);
	}
}

function onceDrained(socket: Socket): Promise<void> {
	return new Promise((resolve) => {
		socket.once('drain', resolve);
		socket.once('close', () => resolve());
	});
}
