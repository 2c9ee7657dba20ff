import type { Route } from './context';

interface Node {
	readonly children: Map<string, Node>;
	capture?: Node;
	readonly routes: Map<string, Route>;
}

const newNode = (): Node => ({ children: new Map(), routes: new Map() });

/**
 * Routes by path segments: literal segments match in any letter case, captured ids are
 * case-sensitive.
 */
export class Router {
	private readonly root = newNode();

	constructor(routes: readonly Route[]) {
		for (const route of routes) this.add(route);
	}

	find(
		method: string,
		segments: readonly string[],
	): { route: Route; parameters: string[] } | undefined {
		const parameters: string[] = [];
		const node = this.descend(this.root, segments, 0, parameters);
		const route = node?.routes.get(method);
		return route && { route, parameters };
	}

	private add(route: Route): void {
		let node = this.root;
		for (const segment of route.path.split('/')) {
			if (segment === '{}') node = node.capture ??= newNode();
			else {
				let child = node.children.get(segment);
				if (child === undefined) node.children.set(segment, (child = newNode()));
				node = child;
			}
		}
		node.routes.set(route.method, route);
	}

	private descend(
		node: Node,
		segments: readonly string[],
		depth: number,
		parameters: string[],
	): Node | undefined {
		const segment = segments[depth];
		if (segment === undefined) return node.routes.size > 0 ? node : undefined;
		const literal = node.children.get(segment.toLowerCase());
		if (literal !== undefined) {
			const found = this.descend(literal, segments, depth + 1, parameters);
			if (found !== undefined) return found;
		}
		if (node.capture === undefined) return undefined;
		parameters.push(decoded(segment));
		const found = this.descend(node.capture, segments, depth + 1, parameters);
		if (found === undefined) parameters.pop();
		return found;
	}
}

/** Decodes a segment; an invalid escape is kept, and no id matches it. */
function decoded(segment: string): string {
	try {
		return segment.includes('%') ? decodeURIComponent(segment) : segment;
	} catch {
		return segment;
	}
}
