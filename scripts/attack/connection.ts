import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../harness/mix';

export interface ConnectionPlan {
	/** written as soon as the connection is established */
	readonly text: string | Buffer;
	/** written repeatedly until the server closes the connection */
	readonly endless?: Buffer;
	/** true for a client that does not read */
	readonly neverReads?: boolean;
	/** milliseconds after which the client disconnects */
	readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;

/**
 * Opens a separate connection, writes, and waits for the status line of an answer and for the end.
 * Without an answer the server has cut the connection, or has held it until the client gave up.
 */
export async function runConnection(address: string, plan: ConnectionPlan): Promise<Outcome> {
	const { hostname, port } = new URL(address);
	const socket = connect(Number(port), hostname);
	let answer = '';
	if (plan.neverReads !== true) {
		socket.on('data', (chunk: Buffer) => {
			if (answer.length < 100) answer += chunk.toString('latin1');
		});
	}
	socket.on('error', () => undefined);
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
	const abort = new AbortController();
	socket.write(plan.text);
	if (plan.endless !== undefined) void writeEndlessly(socket, plan.endless);
	const isHeld = await Promise.race([
		closed.then(() => false),
		delay(plan.timeoutMs ?? defaultTimeoutMs, true, { signal: abort.signal }),
	]);
	abort.abort();
	socket.destroy();
	const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1];
	if (status !== undefined) return Number(status);
	return isHeld ? 'held' : 'cut';
}

/** Writes as fast as the server reads. */
async function writeEndlessly(socket: Socket, chunk: Buffer): Promise<void> {
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

/** Opens connections on which nothing is ever sent. */
export async function openSilently(address: string, count: number): Promise<Socket[]> {
	const { hostname, port } = new URL(address);
	const sockets: Socket[] = [];
	while (sockets.length < count) {
		const opening = Array.from({ length: Math.min(500, count - sockets.length) }, () =>
			connect(Number(port), hostname).resume(),
		);
		sockets.push(...opening);
		await Promise.all(
			opening.map(
				(socket) =>
					new Promise<void>((resolve) => {
						socket.once('connect', resolve).once('error', () => resolve());
					}),
			),
		);
	}
	return sockets;
}
