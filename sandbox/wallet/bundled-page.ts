import type { BuildOptions, BuildResult, OutputFile } from 'esbuild';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface BundledPage {
	readonly script: string;
	readonly style: string;
}

/**
 * Bundles the page from its sources, for programs that run from a checkout. The build replaces this
 * module by a module that reads the finished files (gulpfile.js).
 */
export function bundledPage(): BundledPage {
	const load = createRequire(__filename);
	const { buildSync } = load('esbuild') as {
		buildSync(options: BuildOptions): BuildResult & { outputFiles: OutputFile[] };
	};
	const { pageBuildOptions } = load('../../scripts/build/wallet-page.cjs') as {
		pageBuildOptions: BuildOptions;
	};
	const { outputFiles } = buildSync({
		...pageBuildOptions,
		absWorkingDir: join(__dirname, '..', '..'),
		write: false,
	});
	const textOf = (ending: string): string =>
		outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
	return { script: textOf('.js'), style: textOf('.css') };
}
