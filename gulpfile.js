/**
 * The build: `dist` is all that is published. The core is bundled once and required by both node
 * files on first use; the published manifest has no dependencies, so the host's installer has nothing
 * to resolve (docs/adr/0003-bundled-dist.md).
 */
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');
const gulp = require('gulp');
const {
	brokerClientsOutside,
	brokerEntryPoints,
	withoutUnused,
} = require('./scripts/build/broker-clients.cjs');
const { writeDeclarations } = require('./scripts/build/declarations.cjs');

const root = __dirname;
const dist = (...parts) => path.join(root, 'dist', ...parts);

const shared = {
	absWorkingDir: root,
	bundle: true,
	format: 'cjs',
	legalComments: 'none',
	logLevel: 'warning',
	metafile: true,
	minify: true,
	// Node shows the line of an error that nobody catches.
	lineLimit: 240,
	platform: 'node',
	target: 'node22.19',
	external: ['n8n-workflow'],
	// undici's own switch for bundles: leaves its experimental second parser out.
	define: { esbuildDetection: 'true' },
};

/** Inputs of all bundles, from which the licence file is made. */
const bundledInputs = new Set();

async function bundle({ plugins = [], ...options }) {
	const folder = options.outdir ?? path.dirname(options.outfile);
	const { metafile } = await esbuild.build({
		...shared,
		plugins: [...plugins, driverOutside(folder)],
		...options,
	});
	for (const input of Object.keys(metafile.inputs)) bundledInputs.add(input);
}

/** Imports of this module stay what they are: a `require` of the file that is given. */
function outside(module, relativePath) {
	return {
		name: `${path.basename(module)}-outside`,
		setup(build) {
			const filter = new RegExp(`/${path.basename(module)}$`);
			build.onResolve({ filter }, ({ path: imported, resolveDir }) =>
				path.resolve(resolveDir, imported) === path.join(root, module)
					? { path: relativePath, external: true }
					: undefined,
			);
		},
	};
}

const coreOutside = (relativePath) => outside('core', relativePath);

/** The fields of the operations are read as JSON, which is done long before their literals are. */
const propertiesAsJson = {
	name: 'properties-as-json',
	setup(build) {
		build.onLoad({ filter: /[/\\]actions[/\\]properties\.ts$/ }, () => ({
			contents: "export const actionProperties = () => require('./properties.json');",
			loader: 'js',
		}));
		build.onResolve({ filter: /^\.\/properties\.json$/ }, ({ path }) => ({ path, external: true }));
	},
};

/** Whoever keeps accounts in SQLite never loads the client of PostgreSQL. */
function driverOutside(folder) {
	const relativePath = path.relative(folder, 'dist/core/postgres-driver.js');
	return {
		name: 'driver-outside',
		setup(build) {
			build.onResolve({ filter: /^\.\/postgres-driver$/ }, () => ({
				path: relativePath.startsWith('.') ? relativePath : `./${relativePath}`,
				external: true,
			}));
		},
	};
}

/**
 * Files of their own, read on first use: parsing one large file takes more memory, which the process
 * keeps, than parsing two in turn. Measured: undici as a file of its own would cost 5 MB instead.
 */
const libraries = {
	sodium: 'libsodium-wrappers',
	'qr-code': 'qrcode',
};

const librariesOutside = {
	name: 'libraries-outside',
	setup(build) {
		const files = { 'libsodium-wrappers': 'sodium', qrcode: 'qr-code' };
		const filter = /^(libsodium-wrappers|qrcode)$/;
		build.onResolve({ filter }, ({ path: imported }) => ({
			path: `./${files[imported]}.js`,
			external: true,
		}));
	},
};

/**
 * Leaves HTTP/2 out of undici: our agents never offer it (`allowH2: false`), and loading Node's
 * implementation would take 4 MB in every process.
 */
const withoutHttp2 = {
	name: 'without-http2',
	setup(build) {
		build.onResolve({ filter: /\/client-h2(\.js)?$/ }, () => ({
			path: path.join(root, 'scripts', 'build', 'no-http2.cjs'),
		}));
	},
};

/**
 * Leaves HTTP/2 out of Hono's adapter as well, which only asks whether a request is one: our server speaks
 * HTTP/1.1, and Node's implementation would take 9 MB.
 */
const withoutHttp2Requests = {
	name: 'without-http2-requests',
	setup(build) {
		build.onResolve({ filter: /^(node:)?http2$/ }, () => ({
			path: path.join(root, 'scripts', 'build', 'no-http2-requests.cjs'),
		}));
	},
};

async function clean() {
	fs.rmSync(dist(), { recursive: true, force: true });
}

async function types() {
	const tsc = require.resolve('typescript/bin/tsc');
	execFileSync(process.execPath, [tsc, '--noEmit', '-p', 'tsconfig.build.json'], {
		cwd: root,
		stdio: 'inherit',
	});
}

/** Types for programs, without those of what is bundled. */
async function declarations() {
	await writeDeclarations(dist());
}

async function core() {
	await bundle({
		entryPoints: { index: 'core/index.ts' },
		outdir: 'dist/core',
		plugins: [withoutHttp2, librariesOutside],
		// As a `require`: the host empties that cache when it updates the package, never the other.
		supported: { 'dynamic-import': false },
	});
	await bundle({
		entryPoints: { 'postgres-driver': 'core/store/postgres/postgres-driver.ts' },
		outdir: 'dist/core',
		// Bindings to the C library, which the driver does without.
		external: [...shared.external, 'pg-native'],
	});
	for (const [file, library] of Object.entries(libraries)) {
		await bundle({
			entryPoints: { [file]: library },
			outdir: 'dist/core',
			plugins: [withoutHttp2],
			// What is exported by default is the library, as in its own form for `require`.
			footer: { js: 'module.exports = module.exports.default ?? module.exports;' },
		});
	}
	await bundle({
		entryPoints: { 'password-hash-worker': 'core/crypto/password-hash-worker.mts' },
		outdir: 'dist/core',
	});
	await bundle({
		entryPoints: ['index.ts'],
		outfile: 'dist/index.js',
		plugins: [coreOutside('./core/index.js')],
	});
}

/** n8n reads the node files at every start: they hold descriptions, the rest waits for its first use. */
async function nodes() {
	const options = {
		outdir: 'dist/nodes/Enmeshed',
		// As a `require`: the host empties that cache when it updates the package, never the other.
		supported: { 'dynamic-import': false },
	};
	await bundle({
		...options,
		entryPoints: ['nodes/Enmeshed/Enmeshed.node.ts', 'nodes/Enmeshed/EnmeshedTrigger.node.ts'],
		plugins: [outside('nodes/Enmeshed/implementation', './implementation.js'), propertiesAsJson],
	});
	await bundle({
		...options,
		entryPoints: ['nodes/Enmeshed/implementation.ts'],
		plugins: [coreOutside('../../core/index.js')],
	});
	await bundle({
		entryPoints: ['credentials/EnmeshedBackboneApi.credentials.ts'],
		outdir: 'dist/credentials',
	});
}

/** What the description of the action node is at run time, checked to be the same as JSON. */
async function properties() {
	require('./scripts/lib/typescript.cjs');
	const { actionProperties } = require('./nodes/Enmeshed/actions/properties.ts');
	const text = JSON.stringify(actionProperties());
	assert.deepEqual(JSON.parse(text), actionProperties());
	fs.mkdirSync(dist('nodes', 'Enmeshed'), { recursive: true });
	fs.writeFileSync(dist('nodes', 'Enmeshed', 'properties.json'), text);
}

/** The command-line entry; sandbox and HTTP server are files of their own that their commands load. */
async function commandLine() {
	const commandsOutside = {
		name: 'commands-outside',
		setup(build) {
			build.onResolve({ filter: /^\.\/(serve|account)$/ }, ({ path: command, resolveDir }) =>
				// Other folders have files of these names too.
				resolveDir === path.join(root, 'scripts', 'cli')
					? { path: `${command}.js`, external: true }
					: undefined,
			);
		},
	};
	await bundle({
		entryPoints: { cli: 'scripts/cli/cli.ts' },
		outdir: 'dist',
		banner: { js: '#!/usr/bin/env node' },
		plugins: [
			commandsOutside,
			{
				name: 'sandbox-outside',
				setup(build) {
					build.onResolve({ filter: /sandbox\/start$/ }, () => ({
						path: './sandbox.js',
						external: true,
					}));
				},
			},
		],
	});
	await bundle({ entryPoints: { sandbox: 'sandbox/start.ts' }, outdir: 'dist' });
	await bundle({
		entryPoints: { serve: 'scripts/cli/serve.ts', account: 'scripts/cli/account.ts' },
		outdir: 'dist',
		plugins: [
			commandsOutside,
			coreOutside('./core/index.js'),
			withoutHttp2,
			withoutHttp2Requests,
			brokerClientsOutside,
		],
	});
	await bundle({
		entryPoints: brokerEntryPoints,
		outdir: 'dist/brokers',
		plugins: [withoutUnused],
	});
	// The viewer of the OpenAPI document, as it is: browsers load it from us.
	const viewer = require.resolve('rapidoc');
	fs.copyFileSync(`${viewer}.gz`, dist('rapidoc-min.js.gz'));
	fs.copyFileSync(`${viewer}.LICENSE.txt`, dist('rapidoc-min.js.LICENSE.txt'));
	bundledInputs.add(path.relative(root, viewer));
	fs.chmodSync(dist('cli.js'), 0o755);
}

/** Shown by `GET /Monitoring/Version`. */
async function buildInfo() {
	const info = {
		build: process.env.BUILD_NUMBER ?? process.env.GITHUB_RUN_NUMBER ?? 'unknown',
		date: new Date().toISOString(),
		commit: process.env.GITHUB_SHA ?? headCommit(),
	};
	fs.mkdirSync(dist(), { recursive: true });
	fs.writeFileSync(dist('build-info.json'), `${JSON.stringify(info, null, '\t')}\n`);
}

function headCommit() {
	try {
		const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
		return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
	} catch {
		// Sources without a repository, for example out of an archive.
		return 'unknown';
	}
}

function assets() {
	return gulp
		.src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false })
		.pipe(gulp.dest('dist'));
}

/** Output schemas of the operations, from the same zod schemas that describe the objects. */
async function schemas() {
	require('./scripts/lib/typescript.cjs');
	const { generateSchemas } = require('./nodes/Enmeshed/schemas/generate-schemas.ts');
	for (const [file, schema] of Object.entries(generateSchemas())) {
		const target = dist('nodes', 'Enmeshed', '__schema__', file);
		fs.mkdirSync(path.dirname(target), { recursive: true });
		fs.writeFileSync(target, JSON.stringify(schema));
	}
}

/** Packages without a licence file have theirs kept here, as their repository holds it. */
function licenceText(name, folder) {
	const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
	if (file !== undefined) return fs.readFileSync(path.join(folder, file), 'utf8');
	const kept = path.join(root, 'scripts', 'build', 'licences', `${name.replace('/', '-')}.txt`);
	return fs.existsSync(kept) ? fs.readFileSync(kept, 'utf8') : '(no licence file)';
}

/** The licence texts of every package that stands in a bundle. */
async function licences() {
	const packages = new Map();
	for (const input of bundledInputs) {
		const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input);
		if (match !== null) packages.set(match[2], path.join(root, match[1]));
	}
	const parts = [...packages].sort().map(([name, folder]) => {
		const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
		const text = licenceText(name, folder);
		return `${name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
	});
	fs.writeFileSync(dist('THIRD_PARTY_LICENSES'), parts.join(`\n${'-'.repeat(78)}\n\n`));
}

const build = gulp.series(
	clean,
	types,
	gulp.parallel(core, nodes, properties, commandLine, buildInfo, assets, schemas, declarations),
	licences,
);

exports.build = build;
exports.default = build;
exports.dev = gulp.series(build, function watch() {
	gulp.watch(['core', 'nodes', 'credentials', 'sandbox', 'scripts/cli', 'index.ts'], build);
});
