import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ports of the last start, by program: links and bookmarks of before lead to the same place. */
export class KeptPorts {
	private readonly file: string;

	private readonly ports: Record<string, number>;

	constructor(folder: string) {
		this.file = join(folder, 'ports.json');
		this.ports = existsSync(this.file) ? readPorts(readFileSync(this.file, 'utf8')) : {};
	}

	of(program: string): number | undefined {
		return this.ports[program];
	}

	keep(program: string, port: number): void {
		this.ports[program] = port;
		writeFileSync(this.file, JSON.stringify(this.ports));
	}
}

/** Anything but ports in a file that was damaged is left out. */
function readPorts(text: string): Record<string, number> {
	try {
		const entries = Object.entries(JSON.parse(text) as object);
		return Object.fromEntries(entries.filter(([, port]) => Number.isInteger(port)));
	} catch {
		return {};
	}
}
