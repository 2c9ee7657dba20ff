import { createServer, type AddressInfo } from 'node:net';

/** Returns the wanted port if it is free, else any free port of the loopback interface. */
export async function freePort(wanted = 0): Promise<number> {
	const { port, failure } = await bindAndClose(wanted, '127.0.0.1');
	if (failure !== undefined) return await freePort();
	// `localhost` may mean either address; a machine without IPv6 has one only.
	const other = await bindAndClose(port, '::1');
	return other.failure === 'EADDRINUSE' ? await freePort() : port;
}

async function bindAndClose(
	wanted: number,
	host: string,
): Promise<{ port: number; failure?: string | undefined }> {
	const server = createServer();
	const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
		server.once('error', resolve);
		server.listen(wanted, host, () => resolve(undefined));
	});
	if (error !== undefined) return { port: wanted, failure: error.code };
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return { port };
}
