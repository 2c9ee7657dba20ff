import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Release {
	readonly version: string;
	readonly tarball: Buffer;
	readonly integrity: string;
}

/** Registry of small packages, whose package lists may be outdated and whose answers may fail. */
export class PackageRegistry {
	/** paths of all requests, in order */
	readonly requests: string[] = [];

	/** whether package lists name only the first version of each package */
	listsAreOutdated = false;

	/** folder of the tarballs in their addresses; `-` is what most registries use */
	tarballFolder = '-';

	/** answers a request in place of the registry */
	disturb: (path: string, response: ServerResponse) => boolean = () => false;

	private readonly releases = new Map<string, Release[]>();

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	static async open(): Promise<PackageRegistry> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const registry = new PackageRegistry(server, `http://127.0.0.1:${port}/`);
		server.on('request', (request, response) => registry.answer(request, response));
		return registry;
	}

	publish(name: string, version: string): void {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-registry-'));
		mkdirSync(join(folder, 'package'));
		writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ name, version }));
		execFileSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder });
		const tarball = readFileSync(join(folder, 'packed.tgz'));
		rmSync(folder, { recursive: true });
		const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
		const earlier = this.releases.get(name) ?? [];
		this.releases.set(name, [...earlier, { version, tarball, integrity }]);
	}

	/** Manifest and lock file that name the newest version of each package. */
	locked(): { manifest: string; lock: string } {
		const newest = [...this.releases].map(([name, releases]) => [name, releases.at(-1)!] as const);
		const manifest = {
			name: 'locked',
			dependencies: Object.fromEntries(newest.map(([name, { version }]) => [name, version])),
		};
		const packages = newest.map(([name, { version, integrity }]) => [
			`node_modules/${name}`,
			{ version, integrity },
		]);
		const lock = {
			name: 'locked',
			lockfileVersion: 3,
			requires: true,
			packages: { '': manifest, ...Object.fromEntries(packages) },
		};
		return { manifest: JSON.stringify(manifest), lock: JSON.stringify(lock) };
	}

	/** Changes the bytes of the newest tarball without its checksum. */
	tamper(name: string): void {
		const newest = this.releases.get(name)!.pop()!;
		this.releases
			.get(name)!
			.push({ ...newest, tarball: Buffer.concat([newest.tarball, newest.tarball]) });
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private answer(request: IncomingMessage, response: ServerResponse): void {
		const path = decodeURIComponent(request.url ?? '').slice(1);
		this.requests.push(path);
		if (this.disturb(path, response)) return;
		const [name = '', file] = path.split(`/${this.tarballFolder}/`);
		const releases = this.releases.get(name);
		const release = releases?.find(({ version }) => file?.endsWith(`-${version}.tgz`));
		if (release !== undefined) response.end(release.tarball);
		else if (releases !== undefined && file === undefined) response.end(this.list(name, releases));
		else response.writeHead(404).end('{"error":"not found"}');
	}

	private list(name: string, releases: readonly Release[]): string {
		const listed = this.listsAreOutdated ? releases.slice(0, 1) : releases;
		const versions = listed.map(({ version, integrity }) => {
			const tarball = `${this.url}${name}/${this.tarballFolder}/${name.split('/').at(-1)}-${version}.tgz`;
			return [version, { name, version, dist: { tarball, integrity } }];
		});
		return JSON.stringify({
			name,
			'dist-tags': { latest: listed.at(-1)!.version },
			versions: Object.fromEntries(versions),
		});
	}
}
