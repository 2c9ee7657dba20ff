/** Finds and runs a task by name, on the project's Node and after the installation. */
import { build, buildUnlessCurrent, forgetBuild } from './build.mjs';
import { checkDocs } from '../docs.mjs';
import { testHosts } from '../n8n/host-tests.mjs';
import { lint, format } from './lint.mjs';
import { lock } from '../install/lock.mjs';
import { update } from '../install/update.mjs';
import { mutate } from '../mutate/mutate.mjs';
import { runPackedDemo } from './packed-demo.mjs';
import { projectRoot } from './paths.mjs';
import { runInherited, runTypeScript } from './process.mjs';
import {
	runAllTests,
	runFullTests,
	runQuickTests,
	runRestOfTests,
	runSuite,
} from '../tests/test-run.mjs';

const run =
	(program, ...fixed) =>
	(rest) =>
		runInherited(program, [...fixed, ...rest], { cwd: projectRoot });

const built = (next) => async (rest) => {
	await buildUnlessCurrent();
	return await next(rest);
};

const release = runTypeScript('scripts/release/main.ts');

const tasks = {
	test: runQuickTests,
	'test:rest': runRestOfTests,
	'test:all': runAllTests,
	'test:full': runFullTests,
	'test:unit': (rest) => runSuite('unit', rest),
	'test:contract': (rest) => runSuite('contract', rest),
	'test:scenario': (rest) => runSuite('scenario', rest),
	'test:interop': (rest) => runSuite('interop', rest),
	'test:e2e': built((rest) => runSuite('e2e', rest)),
	'test:hosts': testHosts,
	'test:backbone': built(runTypeScript('scripts/backbone-run/main.ts')),
	bench: built(runTypeScript('bench/run.ts')),
	fuzz: runTypeScript('scripts/fuzz/main.ts'),
	attack: built(runTypeScript('scripts/attack/main.ts')),
	chaos: runTypeScript('scripts/chaos/main.ts'),
	mutate,
	soak: built(runTypeScript('scripts/soak/main.ts')),
	sandbox: built(run(process.execPath, 'dist/cli.js', 'sandbox')),
	demo: built(runPackedDemo),
	serve: built(run(process.execPath, 'dist/cli.js', 'serve')),
	screenshots: built(runTypeScript('scripts/screenshots/main.ts')),
	newcomer: runTypeScript('scripts/newcomer/main.ts'),
	stories: runTypeScript('scripts/newcomer/written/main.ts'),
	build,
	prepack: built(() => 0),
	dev: (rest) => {
		forgetBuild();
		return run('gulp', 'dev')(rest);
	},
	lint,
	format,
	typecheck: run('tsc', '--noEmit'),
	lock,
	update,
	'docs:check': checkDocs,
	docs: (rest) => checkDocs([...rest, '--write']),
	'release:check': (rest) => release(['check', ...rest]),
	'audit:bundled': built(() => release(['audit'])),
};

const [name, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name)) {
	console.error(`There is no task '${name}'. Tasks: ${Object.keys(tasks).join(', ')}.`);
	process.exit(1);
}
try {
	process.exitCode = await tasks[name](rest);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
