import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { serve } from './serve';

interface LoadInput {
	readonly host: string;
	readonly nodes: readonly string[];
	readonly core: string;
}

function timedRequire(paths: readonly string[]): number {
	const started = performance.now();
	for (const path of paths) createRequire(path)(path);
	return performance.now() - started;
}

serve({
	/** An empty process: what Node itself needs to answer. */
	open: () => undefined,
	/** How long the built files take to load where the host has its own library in memory already. */
	load({ host, nodes, core }: LoadInput) {
		createRequire(host)('n8n-workflow');
		const nodesMs = timedRequire(nodes);
		const isCoreLoaded = createRequire(host).cache[core] !== undefined;
		if (isCoreLoaded) throw new Error('the node files load the core before it is used');
		return { nodesMs, coreMs: timedRequire([core]) };
	},
});
