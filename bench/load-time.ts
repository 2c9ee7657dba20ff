import { join } from 'node:path';
import type { Arena } from './arena';
import { median } from './support/statistics';

/** Median milliseconds that the built files take to load in a fresh process. */
export interface LoadTime {
	/** both node files and their descriptions, beside a host that has `n8n-workflow` in memory */
	readonly nodesMs: number;
	/** the core, which loads on first use */
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
