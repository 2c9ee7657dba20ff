import { join } from 'node:path';
import type { Arena } from './arena';
import { median } from './support/statistics';

/** Median milliseconds for loading the built files in a fresh process. */
export interface LoadTime {
	/** both node files and their descriptions, in a host that has loaded `n8n-workflow` */
	readonly nodesMs: number;
	/** the core, which is loaded on first use */
	readonly coreMs: number;
}

export async function measureLoadTime(arena: Arena, dist: string): Promise<LoadTime> {
	const measured: LoadTime[] = [];
	for (let round = 0; round < 5; round++) {
		const program = arena.start('bare');
		measured.push(
			await program.call<LoadTime>('load', {
				host: join(dist, '..', 'package.json'),
				nodes: ['Enmeshed', 'EnmeshedTrigger'].map((name) =>
					join(dist, 'nodes', 'Enmeshed', `${name}.node.js`),
				),
				core: join(dist, 'core', 'index.js'),
			}),
		);
		await program.stop();
	}
	return {
		nodesMs: median(measured.map(({ nodesMs }) => nodesMs)),
		coreMs: median(measured.map(({ coreMs }) => coreMs)),
	};
}
