/** Collects the licences of all bundled packages from esbuild's descriptions of the bundles. */
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..', '..');
const keptTexts = path.join(__dirname, 'licences');

/** Sources of others that a package contains in compiled form, with licences of their own. */
const contained = {
	undici: [{ name: 'llhttp', from: /\/lib\/llhttp\/.*wasm\.js$/ }],
};

/**
 * Returns each bundled package once per version, with its licence and the notices in its bundled
 * files, which the bundles themselves omit. A package without a whole licence text fails.
 */
exports.licencesOf = (metafiles) => {
	const packages = new Map();
	for (const input of metafiles.flatMap(({ inputs }) => Object.keys(inputs))) {
		const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(
			input.replace(/^\(disabled\):/, ''),
		);
		if (match === null) continue;
		const files = packages.get(match[1]) ?? new Set();
		packages.set(match[1], files.add(match.input));
	}
	const texts = [...packages].map(([folder, files]) => licenceOf(folder, [...files]));
	return [...new Set(texts)].sort().join(`\n${'-'.repeat(78)}\n\n`);
};

function licenceOf(folder, files) {
	const manifestFile = path.join(root, folder, 'package.json');
	const { name, version, license } = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
	const text = licenceText(name, path.join(root, folder));
	const notices = files
		.sort()
		.flatMap(noticesIn)
		.filter((notice) => !text.includes(notice));
	const others = (contained[name] ?? [])
		.filter(({ from }) => files.some((file) => from.test(file)))
		.map((other) => `It contains ${other.name}:\n\n${keptText(other.name)}`);
	const parts = [`${name} ${version} (${license})`, text, ...new Set(notices), ...others];
	return `${parts.join('\n\n')}\n`;
}

/** Terms that occur in whole licence texts only, not in references to them. */
const terms = /Permission (is hereby granted|to use)|Redistribution and use|Apache License/;

function licenceText(name, folder) {
	const files = fs.readdirSync(folder).filter((entry) => /^licen[cs]e([.-]|$)/i.test(entry));
	const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
	return terms.test(texts.join('\n')) ? texts.join('\n\n') : keptText(name);
}

/** Returns a text that this repository keeps, for what ships without its whole text. */
function keptText(name) {
	const file = path.join(keptTexts, `${name.replace('/', '-')}.txt`);
	if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
	throw new Error(
		`The bundled package '${name}' has no whole licence text. Put the text that it states into ` +
			`${path.relative(root, file)}.`,
	);
}

/** Returns the comments of a file that state a copyright or a licence. */
function noticesIn(file) {
	const comments = fs.readFileSync(path.join(root, file), 'utf8').match(/\/\*[^]*?\*\//g) ?? [];
	return comments.filter((comment) => /copyright|@license|licen[cs]ed? /i.test(comment));
}
