/** Runs npm for the installations of this project, and explains what npm could not do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runQuietly } from '../lib/process.mjs';
import { npmCommand } from '../lib/toolchain.mjs';

/**
 * Settings that a person's own configuration of npm must not change: without install scripts, with
 * development and optional packages, without peers that npm would add, and on every Node.
 */
const fixedSettings = [
	'--ignore-scripts',
	'--include=dev',
	'--include=optional',
	'--legacy-peer-deps',
	'--no-engine-strict',
	'--no-audit',
	'--no-fund',
	'--no-update-notifier',
];

/** npm's codes of an answer that a newer package list or another copy may change. */
const refusals = ['ETARGET', 'E404', 'EINTEGRITY'];

/** Answers of a registry that knows its packages under other addresses. */
const refusedAddresses = [...refusals, 'E400', 'E401', 'E403', 'E405'];

/** What happened and what to do, by npm's code. */
const explanations = [
	[
		['ETARGET', 'E404'],
		'The package registry has no copy of a version that the lock file names, also after npm has ' +
			"asked it anew. 'npm config get registry' shows which registry npm uses: a mirror can lack " +
			'versions. Choose another registry, or run the same command again later.',
	],
	[
		['EINTEGRITY'],
		'A downloaded package differs from its checksum in the lock file, twice. The registry, or a ' +
			'proxy on the way, changes packages: use another one. Nothing of it was installed.',
	],
	[
		[
			'EAI_AGAIN',
			'ECONNREFUSED',
			'ECONNRESET',
			'EHOSTUNREACH',
			'ENETUNREACH',
			'ENOTFOUND',
			'EPIPE',
			'EPROTO',
			'ERR_SOCKET_TIMEOUT',
			'ETIMEDOUT',
			'E407',
			'E502',
			'E503',
			'E504',
		],
		"npm could not reach the package registry. Check the network and npm's proxy ('npm config get " +
			"https-proxy'), then run the same command again: it continues with what was downloaded.",
	],
	[
		['ENOTCACHED'],
		"npm works offline, because its setting 'offline' is on, and does not have all packages yet. Run " +
			'the same command again with npm_config_offline=false.',
	],
	[
		['E401', 'E403'],
		"The package registry does not let npm in. 'npm config get registry' shows which one it is.",
	],
	[['ENOSPC'], 'The disk is full. Free some space, then run the same command again.'],
	[
		['EACCES', 'EPERM', 'EROFS'],
		'A folder cannot be written, see below. npm_config_cache names another folder for the ' +
			'downloads of npm, and N8N_NODES_ENMESHED_CACHE another one for n8n.',
	],
];

const shownLines = 20;

/** npm's own advice, which is about its own packages or about a log that it deletes. */
const misleading = new RegExp(
	[
		'A complete log of this run',
		'Log files were not written',
		'You can rerun the command',
		'This is most likely not a problem with npm itself',
		'In most cases you or one of your dependencies are requesting',
		'Your cache folder contains root-owned files',
		'To permanently fix this problem',
		'sudo chown',
		'npm (warn|error) cleanup',
		'gyp info',
	].join('|'),
);

/**
 * Runs npm with the fixed settings. Prefers what is in npm's cache, so that it works without a network;
 * asks the registry anew when npm refuses a version, because cached package lists can be of any age.
 *
 * @throws Error that says what to do
 */
export async function npm(npmArguments, options) {
	try {
		await run([...npmArguments, '--prefer-offline'], options);
	} catch (error) {
		if (!hasCode(error, refusals)) throw explained(error, options);
		await askAnew(npmArguments, options);
	}
}

async function askAnew(npmArguments, options) {
	console.log('npm refused a version; asking the registry anew …');
	await npmWithNewLists(npmArguments, options);
}

/** The same with package lists that are not older than this moment, as an update needs them. */
export async function npmWithNewLists(npmArguments, options) {
	await run([...npmArguments, '--prefer-online'], options).catch((error) => {
		throw explained(error, options);
	});
}

/** Runs the install script of one installed package. */
export function runInstallScript(name, options) {
	return npm(['rebuild', name, '--ignore-scripts=false'], options);
}

/**
 * Installs exactly what a lock file names. npm is given the addresses of the packages, by the usual
 * scheme of registries, so it needs no package lists: that halves the time on an empty cache, and
 * outdated lists do no harm. A registry with another scheme is asked for its lists.
 *
 * @param place folder, which gets manifest, lock file and `node_modules`
 * @param manifest text of the manifest
 * @param lock text of the lock file, without addresses
 */
export async function installLocked(place, { manifest, lock }, options) {
	mkdirSync(place, { recursive: true });
	writeFileSync(join(place, 'package.json'), manifest);
	const inPlace = { ...options, cwd: place };
	const writeLock = (text) => writeFileSync(join(place, 'package-lock.json'), text);
	writeLock(withAddresses(lock, await registries(inPlace)));
	try {
		await run(['ci', '--prefer-offline'], inPlace);
	} catch (error) {
		if (!hasCode(error, refusedAddresses)) throw explained(error, options);
		writeLock(lock);
		await askAnew(['ci'], inPlace);
	}
}

/** Adds the addresses that registries give to their packages. */
export function withAddresses(lock, { registry, byScope }) {
	if (registry === undefined) return lock;
	const parsed = JSON.parse(lock);
	for (const [place, entry] of Object.entries(parsed.packages)) {
		if (place === '' || entry.resolved !== undefined) continue;
		const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13);
		const [base, scope] = name.split('/').toReversed();
		const host = byScope[scope] ?? registry;
		entry.resolved = `${host}${name}/-/${base}-${entry.version}.tgz`;
	}
	return `${JSON.stringify(parsed, undefined, '\t')}\n`;
}

/**
 * Registries of a person's npm configuration; some scopes may have their own. npm does not show an
 * address that contains a secret: then there is none, and npm itself finds the packages.
 */
async function registries(options) {
	const [command, commandArguments] = npmCommand([
		'config',
		'list',
		'--json',
		'--no-update-notifier',
	]);
	const config = JSON.parse(await runQuietly(command, commandArguments, options));
	const scoped = Object.entries(config).filter(([key]) => /^@[^:]+:registry$/.test(key));
	return {
		registry: withSlash(config.registry),
		byScope: Object.fromEntries(
			scoped.map(([key, url]) => [key.slice(0, key.indexOf(':')), withSlash(url)]),
		),
	};
}

const withSlash = (url) => (url === undefined ? undefined : `${url.replace(/\/+$/, '')}/`);

function run(npmArguments, options) {
	// Later settings win, so a caller may allow install scripts.
	const [first, ...rest] = npmArguments;
	const [command, commandArguments] = npmCommand([first, ...fixedSettings, ...rest]);
	return runQuietly(command, commandArguments, options);
}

/** Whether npm, or an npm that an install script has started, ended with one of the codes. */
const hasCode = ({ message }, codes) =>
	[...message.matchAll(/\bcode (E\w+)/g)].some(([, code]) => codes.includes(code));

/** @param options `hint` says what to do when no code is known */
function explained(error, { hint = 'npm failed.' } = {}) {
	const [, explanation = hint] = explanations.find(([codes]) => hasCode(error, codes)) ?? [];
	const said = error.message
		.split('\n')
		.filter((line) => /^npm (error|ERR!)/.test(line) && !misleading.test(line))
		.slice(-shownLines);
	if (said.length === 0) return error;
	return new Error([explanation, '', ...said].join('\n'), { cause: error });
}
