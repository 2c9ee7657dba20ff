/**
 * The build: only `dist` is published. The core is bundled once, and both node files require it on
 * first use. The published manifest has no dependencies, so the host's installer resolves nothing
 * (docs/adr/0003-bundled-dist.md).
 */
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const esbuild = require('esbuild');
const gulp = require('gulp');
const { adminPageHtml, adminPageOptions } = require('./scripts/build/admin-page.cjs');
const {
	brokerClientsOutside,
	brokerEntryPoints,
	withoutUnused,
} = require('./scripts/build/broker-clients.cjs');
const { writeDeclarations } = require('./scripts/build/declarations.cjs');
const { licencesOf } = require('./scripts/build/licences.cjs');
const { buildViewer } = require('./scripts/build/viewer.cjs');
const { pageBuildOptions } = require('./scripts/build/wallet-page.cjs');

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
	// Breaks lines, because Node prints the whole line of an uncaught error.
	lineLimit: 240,
	platform: 'node',
	target: 'node22.19',
	external: ['n8n-workflow'],
	// undici's own switch for bundles, which leaves its experimental second parser out.
	define: { esbuildDetection: 'true' },
};

/** esbuild's descriptions of all bundles, from which the licence file is generated. */
const metafiles = [];

async function bundle({ plugins = [], ...options }) {
	const folder = options.outdir ?? path.dirname(options.outfile);
	const { metafile } = await esbuild.build({
		...shared,
		plugins: [...plugins, driverOutside(folder)],
		...options,
	});
	metafiles.push(metafile);
}

/** Keeps imports of this module as a `require` of the given file. */
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

/**
 * Loads the fields of the operations as JSON, which Node parses much faster than object literals.
 * Compressed it is an eighth as large: many operations have the same long form.
 */
const propertiesAsJson = {
	name: 'properties-as-json',
	setup(build) {
		build.onLoad({ filter: /[/\\]actions[/\\]properties\.ts$/ }, () => ({
			contents: `
				import { readFileSync } from 'node:fs';
				import { join } from 'node:path';
				import { gunzipSync } from 'node:zlib';
				export const actionProperties = () =>
					JSON.parse(gunzipSync(readFileSync(join(__dirname, 'properties.json.gz'))).toString());
			`,
			loader: 'js',
		}));
	},
};

/** Accounts in SQLite never load the client of PostgreSQL. */
function driverOutside(folder) {
	const relativePath = path.posix.relative(folder, 'dist/core/postgres-driver.js');
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
 * Entry points of separate files beside the core. Parsing one large file takes more memory than
 * parsing several in turn, and the process mostly keeps that memory: with kysely, luxon and undici
 * inside `index.js`, a gateway takes 4 MB more after its first sync (`npm run bench -- --against`).
 */
const libraries = {
	drawing: './core/domain/letter/drawing.ts',
	fonts: './core/domain/letter/font-files.ts',
	kysely: './core/store/kysely.ts',
	luxon: 'luxon',
	'qr-code': 'qrcode',
	sodium: 'libsodium-wrappers',
	undici: './core/base/undici.ts',
};

/** Keeps imports of the libraries as a `require` of their files in the given folder. */
const librariesOutside = (folder) => [
	outside('core/base/undici', `${folder}/undici.js`),
	outside('core/domain/letter/drawing', `${folder}/drawing.js`),
	outside('core/domain/letter/font-files', `${folder}/fonts.js`),
	outside('core/store/kysely', `${folder}/kysely.js`),
	{
		name: 'libraries-outside',
		setup(build) {
			const files = { 'libsodium-wrappers': 'sodium', luxon: 'luxon', qrcode: 'qr-code' };
			const filter = /^(libsodium-wrappers|luxon|qrcode)$/;
			build.onResolve({ filter }, ({ path: imported }) => ({
				path: `${folder}/${files[imported]}.js`,
				external: true,
			}));
		},
	},
];

/** Decompresses WOFF2 fonts by Node itself. */
const withNativeBrotli = {
	name: 'with-native-brotli',
	setup(build) {
		build.onResolve({ filter: /^brotli\/decompress/ }, () => ({
			path: path.join(root, 'scripts', 'build', 'native-brotli.cjs'),
		}));
	},
};

/**
 * Leaves HTTP/2 out of undici: the agents of this package never offer it (`allowH2: false`), and
 * loading Node's implementation would take 4 MB in every process.
 */
const withoutHttp2 = {
	name: 'without-http2',
	setup(build) {
		build.onResolve({ filter: /\/client-h2(\.js)?$/ }, () => ({
			path: path.join(root, 'scripts', 'build', 'no-http2.cjs'),
		}));
	},
};

/** Leaves out the pictures of the QR code library that nothing draws; PNGs have their own encoder. */
const withoutQrCodePictures = {
	name: 'without-qr-code-pictures',
	setup(build) {
		build.onResolve({ filter: /\/renderer\/(png|terminal|utf8)$|^\.\/browser$/ }, ({ importer }) =>
			/[/\\]qrcode[/\\]lib[/\\]/.test(importer)
				? { path: path.join(root, 'scripts', 'build', 'no-pictures.cjs') }
				: undefined,
		);
	},
};

/** Puts the files of the font into the module that reads them during development. */
const fontsAsModule = {
	name: 'fonts-as-module',
	setup(build) {
		build.onLoad({ filter: /[/\\]letter[/\\]font-files\.ts$/ }, ({ path: file }) => ({
			contents: `
				export { default as regularFont } from 'roboto-fontface/fonts/roboto/Roboto-Regular.woff';
				export { default as boldFont } from 'roboto-fontface/fonts/roboto/Roboto-Bold.woff';
			`,
			loader: 'js',
			resolveDir: path.dirname(file),
		}));
	},
};

/**
 * Leaves HTTP/2 out of Hono's adapter, which only checks whether a request uses it: the server
 * speaks HTTP/1.1, and Node's implementation would take 9 MB.
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
	metafiles.length = 0;
	fs.rmSync(dist(), { recursive: true, force: true });
}

async function types() {
	const tsc = require.resolve('typescript/bin/tsc');
	// Pages for browsers have settings of their own.
	const projects = ['tsconfig.build.json', 'sandbox/wallet/page', 'core/server/admin/page'];
	for (const project of projects) {
		const options = { cwd: root, stdio: 'inherit' };
		execFileSync(process.execPath, [tsc, '--noEmit', '-p', project], options);
	}
}

/** Types for programs, without the types of bundled packages. */
async function declarations() {
	await writeDeclarations(dist());
}

async function core() {
	await bundle({
		entryPoints: { index: 'core/index.ts' },
		outdir: 'dist/core',
		plugins: librariesOutside('.'),
		// Compiles `import()` to `require`: when the host updates the package, it clears
		// only the cache of `require`.
		supported: { 'dynamic-import': false },
	});
	await bundle({
		entryPoints: { 'postgres-driver': 'core/store/postgres/postgres-driver.ts' },
		outdir: 'dist/core',
		// Optional bindings to the C library, which this package does not use.
		external: [...shared.external, 'pg-native'],
	});
	for (const [file, entryPoint] of Object.entries(libraries)) {
		await bundle({
			entryPoints: { [file]: entryPoint },
			outdir: 'dist/core',
			plugins: [withoutHttp2, withoutQrCodePictures, withNativeBrotli, fontsAsModule],
			loader: { '.woff': 'binary' },
			// Its other form asks for its own address, which a bundle does not have.
			alias: { pdfkit: require.resolve('pdfkit') },
			// Exports the default export itself, as the library does for `require`.
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

/**
 * Node files contain descriptions only, because n8n reads them at every start. The
 * implementation is loaded on first use.
 */
async function nodes() {
	const options = {
		outdir: 'dist/nodes/Enmeshed',
		// Compiles `import()` to `require`: when the host updates the package, it clears
		// only the cache of `require`.
		supported: { 'dynamic-import': false },
	};
	await bundle({
		...options,
		entryPoints: [
			'nodes/Enmeshed/Enmeshed.node.ts',
			'nodes/Enmeshed/EnmeshedTrigger.node.ts',
			'nodes/Enmeshed/EnmeshedPageTrigger.node.ts',
		],
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

/** Writes the fields of the action node as JSON, and checks that JSON represents them completely. */
async function properties() {
	require('./scripts/lib/typescript.cjs');
	const { actionProperties } = require('./nodes/Enmeshed/actions/properties.ts');
	const text = JSON.stringify(actionProperties());
	assert.deepEqual(JSON.parse(text), actionProperties());
	fs.mkdirSync(dist('nodes', 'Enmeshed'), { recursive: true });
	fs.writeFileSync(dist('nodes', 'Enmeshed', 'properties.json.gz'), zlib.gzipSync(text));
}

/**
 * Compiles `import()` to `require`: Node would search the whole source of a file for the syntax of
 * modules before it loads it that way.
 */
const requireOnly = { 'dynamic-import': false };

const sandboxOutside = outside('sandbox/start', './sandbox.js');

/** The command-line entry. Sandbox and HTTP server are separate files, which their commands load. */
async function commandLine() {
	const commandsOutside = {
		name: 'commands-outside',
		setup(build) {
			build.onResolve(
				{ filter: /^\.\/(demo|serve|account|audit)$/ },
				({ path: command, resolveDir }) =>
					// Skips other folders, which have files of the same names.
					resolveDir === path.join(root, 'scripts', 'cli')
						? { path: `${command}.js`, external: true }
						: undefined,
			);
		},
	};
	await bundle({
		entryPoints: { cli: 'scripts/cli/cli.ts' },
		outdir: 'dist',
		supported: requireOnly,
		banner: { js: '#!/usr/bin/env node' },
		plugins: [commandsOutside, sandboxOutside],
	});
	await bundle({
		entryPoints: { demo: 'scripts/cli/demo.ts' },
		outdir: 'dist',
		plugins: [sandboxOutside, outside('sandbox/wallet/demo-wallet', './wallet.js')],
	});
	await bundle({ entryPoints: { sandbox: 'sandbox/start.ts' }, outdir: 'dist' });
	await bundle({
		entryPoints: { wallet: 'sandbox/wallet/demo-wallet.ts' },
		outdir: 'dist',
		plugins: [coreOutside('./core/index.js'), pageAsFiles],
	});
	await bundle({
		entryPoints: {
			serve: 'scripts/cli/serve.ts',
			account: 'scripts/cli/account.ts',
			audit: 'scripts/cli/audit.ts',
		},
		outdir: 'dist',
		supported: requireOnly,
		plugins: [
			commandsOutside,
			coreOutside('./core/index.js'),
			...librariesOutside('./core'),
			outside('core/server/admin/openid-client', './openid-client.js'),
			withoutHttp2Requests,
			brokerClientsOutside,
		],
	});
	await bundle({
		entryPoints: { 'openid-client': 'core/server/admin/openid-client.ts' },
		outdir: 'dist',
	});
	await bundle({
		entryPoints: brokerEntryPoints,
		outdir: 'dist/brokers',
		plugins: [withoutUnused],
	});
	fs.chmodSync(dist('cli.js'), 0o755);
}

/** Makes the published wallet read its finished page, which {@link walletPage} writes. */
const pageAsFiles = {
	name: 'page-as-files',
	setup(build) {
		build.onLoad({ filter: /[/\\]wallet[/\\]bundled-page\.ts$/ }, () => ({
			contents: `
				import { readFileSync } from 'node:fs';
				import { join } from 'node:path';
				const read = (name) => readFileSync(join(__dirname, 'wallet', name), 'utf8');
				export const bundledPage = () => ({ script: read('page.js'), style: read('page.css') });
			`,
			loader: 'js',
		}));
	},
};

/** The page of the demo wallet, as its browser loads it. */
async function walletPage() {
	const { metafile } = await esbuild.build({ ...pageBuildOptions, absWorkingDir: root });
	metafiles.push(metafile);
}

/** The page for operators, whose files `serve` reads. */
async function adminPage() {
	const { metafile } = await esbuild.build({ ...adminPageOptions, absWorkingDir: root });
	metafiles.push(metafile);
	fs.copyFileSync(path.join(root, adminPageHtml), dist('core', 'admin-page', 'index.html'));
}

/** The viewer of the OpenAPI document, packed as most browsers ask for it. */
async function viewer() {
	const { script, metafile } = await buildViewer();
	fs.mkdirSync(dist(), { recursive: true });
	fs.writeFileSync(dist('rapidoc-min.js.gz'), script);
	metafiles.push(metafile);
}

/** Writes the build information for `GET /Monitoring/Version`. */
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
		// Sources without a repository, for example from an archive.
		return 'unknown';
	}
}

function assets() {
	return gulp
		.src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false })
		.pipe(gulp.dest('dist'));
}

/** Generates the output schemas of the operations from the zod schemas that describe the objects. */
async function schemas() {
	require('./scripts/lib/typescript.cjs');
	const { generateSchemas } = require('./nodes/Enmeshed/schemas/generate-schemas.ts');
	for (const [file, schema] of Object.entries(generateSchemas())) {
		const target = dist('nodes', 'Enmeshed', '__schema__', file);
		fs.mkdirSync(path.dirname(target), { recursive: true });
		fs.writeFileSync(target, JSON.stringify(schema));
	}
}

/** Writes the licences of all bundled packages, and for their test what every bundle contains. */
async function licences() {
	fs.writeFileSync(dist('THIRD_PARTY_LICENSES'), licencesOf(metafiles));
	const folder = path.join(root, '.tmp');
	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(path.join(folder, 'metafiles.json'), JSON.stringify(metafiles));
}

const programs = gulp.parallel(
	core,
	nodes,
	properties,
	commandLine,
	walletPage,
	adminPage,
	viewer,
	buildInfo,
	assets,
	schemas,
);

const everything = gulp.series(gulp.parallel(programs, declarations), licences);

const build = gulp.series(clean, types, everything);

/** Builds what n8n and the commands need, without types and their check. */
exports.runnable = gulp.series(clean, programs, licences);
/** Builds everything without checking types. */
exports.untyped = gulp.series(clean, everything);
exports.build = build;
exports.default = build;
exports.dev = gulp.series(build, function watch() {
	gulp.watch(['core', 'nodes', 'credentials', 'sandbox', 'scripts/cli', 'index.ts'], build);
});
