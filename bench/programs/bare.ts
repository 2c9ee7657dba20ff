import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { serve } from './serve';

interface LoadInput {
	readonly host: string;
	readonly nodes: readonly string[];
	readonly core: string;
}

function timed(work: () => void): number {
	const started = performance.now();
	work();
	return performance.now() - started;
}

/** As n8n does it: the class is named like the file, and its description is wanted at once. */
function loadNode(path: string): void {
	const exported = createRequire(path)(path) as Record<string, new () => unknown>;
	const Node = exported[basename(path, '.node.js')];
	if (Node === undefined) throw new Error(`${path} exports no class of its name`);
	new Node();
}

serve({
	/** An empty process: what Node itself needs to answer. */
	open: () => undefined,
	/** How long the built files take to load where the host has its own library in memory already. */
	load({ host, nodes, core }: LoadInput) {
		createRequire(host)('n8n-workflow');
		const nodesMs = timed(() => nodes.forEach(loadNode));
		const isCoreLoaded = createRequire(host).cache[core] !== undefined;
		if (isCoreLoaded) throw new Error('the node files load the core before it is used');
		return { nodesMs, coreMs: timed(() => createRequire(core)(core)) };
	},
});
