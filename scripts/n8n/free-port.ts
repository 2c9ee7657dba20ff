import { createServer, type AddressInfo } from 'node:net';

/** Returns the wanted port if it is free, else any free port of the loopback interface. */
export async function freePort(wanted = 0): Promise<number> {
	const server = createServer();
	const listening = await new Promise<boolean>((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(wanted, '127.0.0.1', () => resolve(true));
	});
	if (!listening) return await freePort();
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
