import { ensureOldestNode, oldestNodeVersion } from '../../scripts/install/oldest-node.mjs';
import { size } from './sizes';

/** A name for test titles, and the program of that Node. */
type NodeProgram = readonly [name: string, program: () => Promise<string>];

const thisNode: NodeProgram = [`Node ${process.versions.node}`, async () => process.execPath];

const oldestNode: NodeProgram = [`Node ${oldestNodeVersion}, the oldest`, ensureOldestNode];

/** For what depends on the SQLite inside of Node and is quick. */
export const allNodes: readonly NodeProgram[] = [thisNode, oldestNode];

/** For what takes minutes: the oldest Node has its turn in a full run. */
export const nodesOfThisRun = allNodes.slice(0, size({ quick: 1, full: allNodes.length }));

/** Older versions warn on the terminal that their SQLite is experimental. */
export const quietNode = '--disable-warning=ExperimentalWarning';
