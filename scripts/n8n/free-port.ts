import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that operating systems give to outgoing connections. */
const candidates = [20_000, 30_000] as const;

/**
 * Returns the wanted port if it is free, else any free port of the loopback interface. Another
 * program rarely takes it before it is used, because no outgoing connection gets such a port.
 */
export async function freePort(wanted?: number): Promise<number> {
	for (let port = wanted ?? randomInt(...candidates); ; port = randomInt(...candidates)) {
		// `localhost` may mean either address; a machine without IPv6 has one only.
		if ((await failureAt(port, '127.0.0.1')) !== undefined) continue;
		if ((await failureAt(port, '::1')) !== 'EADDRINUSE') return port;
	}
}

/** Code of the error with which a server cannot listen there. */
async function failureAt(port: number, host: string): Promise<string | undefined> {
	const server = createServer();
	const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
		server.once('error', resolve);
		server.listen(port, host, () => resolve(undefined));
	});
	if (error !== undefined) return error.code;
	await new Promise((resolve) => server.close(resolve));
	return undefined;
}
