import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Requires the file in a fresh process and answers what was loaded from the checkout. */
function loadedBy(...files: string[]): string[] {
	const script = `
		require('./scripts/lib/typescript.cjs');
		require('n8n-workflow');
		const before = new Set(Object.keys(require.cache));
		for (const file of ${JSON.stringify(files)}) require('./' + file);
		const loaded = Object.keys(require.cache).filter((file) => !before.has(file));
		process.stdout.write(JSON.stringify(loaded));
	`;
	const output = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
	const loaded = JSON.parse(output) as string[];
	return loaded.map((file) => file.slice(root.length + 1));
}

describe('requiring the node files', () => {
	const loaded = loadedBy(
		'nodes/Enmeshed/Enmeshed.node.ts',
		'nodes/Enmeshed/EnmeshedPageTrigger.node.ts',
		'nodes/Enmeshed/EnmeshedTrigger.node.ts',
		'credentials/EnmeshedBackboneApi.credentials.ts',
	);

	it('loads no module of the core', () => {
		expect(loaded).toContain('nodes/Enmeshed/gateway/core.ts');
		expect(loaded.filter((file) => file.startsWith('core/'))).toEqual([]);
	});

	it('loads nothing of what the nodes do', () => {
		expect(loaded).toContain('nodes/Enmeshed/gateway/implementation.ts');
		expect(loaded).not.toContain('nodes/Enmeshed/implementation.ts');
		expect(loaded.filter((file) => file.includes('/trigger/'))).toEqual([
			'nodes/Enmeshed/trigger/event-samples.ts',
			'nodes/Enmeshed/trigger/trigger-events.ts',
			'nodes/Enmeshed/trigger/trigger-fields.ts',
		]);
	});

	it('loads none of the bundled libraries', () => {
		const libraries = ['zod', 'undici', 'kysely', 'libsodium-wrappers', 'qrcode'];
		const found = libraries.filter((library) =>
			loaded.some((file) => file.startsWith(`node_modules/${library}/`)),
		);
		expect(found).toEqual([]);
	});
});
