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

/** Loads a node like n8n: the class is named like the file, and its description is read at once. */
function loadNode(path: string): void {
	const exported = createRequire(path)(path) as Record<string, new () => unknown>;
	const Node = exported[basename(path, '.node.js')];
	if (Node === undefined) throw new Error(`${path} exports no class of its name`);
	new Node();
}

serve({
	/** Empty process: the time that Node itself needs to answer. */
	open: () => undefined,
	/** Measures the loading of the built files after the host's own library. */
	load({ host, nodes, core }: LoadInput) {
		createRequire(host)('n8n-workflow');
		const nodesMs = timed(() => nodes.forEach(loadNode));
		const isCoreLoaded = createRequire(host).cache[core] !== undefined;
		if (isCoreLoaded) throw new Error('the node files load the core before it is used');
		return { nodesMs, coreMs: timed(() => createRequire(core)(core)) };
	},
});
