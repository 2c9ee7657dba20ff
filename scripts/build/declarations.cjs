/**
 * Writes the type declarations of the library: only the files that `index.d.ts` needs, with types
 * inferred from schemas spelled out, so that programs need none of the bundled packages.
 */
const fs = require('node:fs');
const path = require('node:path');
const prettier = require('prettier');
const ts = require('typescript');

const root = path.join(__dirname, '..', '..');

const { repository } = require('../../package.json');
const filesAddress = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`;

const flags =
	ts.TypeFormatFlags.NoTruncation |
	ts.TypeFormatFlags.InTypeAlias |
	ts.TypeFormatFlags.UseFullyQualifiedType |
	ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
	ts.TypeFormatFlags.MultilineObjectLiterals;

exports.writeDeclarations = async (outDir) => {
	const config = ts.getParsedCommandLineOfConfigFile(
		path.join(root, 'tsconfig.json'),
		{ noEmit: false, declaration: true, emitDeclarationOnly: true, outDir, rootDir: root },
		{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
	);
	const entry = path.join(root, 'index.ts');
	const program = ts.createProgram([entry], config.options);
	const emitted = emitAll(program, outDir);
	const left = new Set([
		...[...emitted.values()].flatMap(schemaNames),
		...valuesBehindTypes(program.getTypeChecker(), program.getSourceFile(entry)),
	]);
	const files = new Map();
	const waiting = [path.join(outDir, 'index.d.ts')];
	for (const file of waiting) {
		if (files.has(file)) continue;
		const text = spellOut(
			{ program, outDir, left },
			file,
			emitted.get(file) ?? fail(`No types in ${file}`),
		);
		files.set(file, withAddresses(text, file));
		waiting.push(...importedFiles(file, text));
	}
	for (const [file, text] of files) {
		const foreign = foreignImport(text);
		if (foreign !== undefined) fail(`The types in ${file} need the package '${foreign}'`);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, await prettier.format(text, { parser: 'typescript', useTabs: true }));
	}
};

function emitAll(program, outDir) {
	const emitted = new Map();
	program.emit(undefined, (file, text) => emitted.set(path.normalize(file), text), undefined, true);
	if (emitted.size === 0) fail(`Nothing was emitted for ${outDir}`);
	return emitted;
}

/** Drops schema constants and spells out aliases that are derived from values. */
function spellOut({ program, outDir, left }, file, text) {
	const checker = program.getTypeChecker();
	const sourceName = path.join(root, path.relative(outDir, file).replace(/\.d\.ts$/, '.ts'));
	const source = program.getSourceFile(sourceName) ?? fail(`No source for ${file}`);
	text = text.replace(/z\.\$brand<('[^']*')>/g, '{ readonly __brand?: $1 }');
	const declaration = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	const kept = declaration.statements.flatMap((statement) => {
		const own = statement.getText();
		if (isAboutSchemas(statement)) return [];
		if (ts.isExportDeclaration(statement)) return exportWithout(left, statement);
		if (ts.isImportDeclaration(statement)) return [statement.getFullText()];
		if (!ts.isTypeAliasDeclaration(statement) || !/\bz\.|typeof /.test(own)) {
			return [statement.getFullText()];
		}
		const name = statement.name.text;
		const original = source.statements.find(
			(candidate) => ts.isTypeAliasDeclaration(candidate) && candidate.name.text === name,
		);
		const type = checker.getTypeAtLocation(original.name);
		const shown = relativeImports(checker.typeToString(type, original, flags), file, outDir);
		const comment = text.slice(statement.getFullStart(), statement.getStart());
		return [`${comment}export type ${name} = ${shown};`];
	});
	return dropUnusedImports(`${kept.join('').trim()}\n`);
}

/** Replaces files that comments cite by their addresses, because the package does not contain them. */
function withAddresses(text, file) {
	return text.replace(/`?\b((?:docs|test)\/[\w./-]*\w)`?/g, (_match, cited) => {
		const existing = existingFile(cited) ?? fail(`${file} cites '${cited}', which does not exist`);
		return `${filesAddress}/${existing}`;
	});
}

function existingFile(cited) {
	if (fs.existsSync(path.join(root, cited))) return cited;
	// Decisions are cited by their number.
	const [, folder, number] = /^(docs\/adr)\/(\d{4})$/.exec(cited) ?? [];
	if (number === undefined) return undefined;
	const name = fs.readdirSync(path.join(root, folder)).find((entry) => entry.startsWith(number));
	return name === undefined ? undefined : `${folder}/${name}`;
}

function schemaNames(text) {
	const file = ts.createSourceFile('x.d.ts', text, ts.ScriptTarget.ES2023, true);
	return file.statements
		.filter(isAboutSchemas)
		.flatMap((statement) => statement.declarationList?.declarations ?? [statement])
		.map(({ name }) => name.text);
}

function isAboutSchemas(statement) {
	const text = statement.getText();
	return (
		(ts.isVariableStatement(statement) && /\bz\.|typeof /.test(text)) ||
		((ts.isInterfaceDeclaration(statement) || ts.isFunctionDeclaration(statement)) &&
			/\bz\./.test(text))
	);
}

/**
 * Values of modules whose types alone the entry exports. Tools for packages take the values for
 * exports too, which the program does not have.
 */
function valuesBehindTypes(checker, entry) {
	const exported = entry.statements.filter(ts.isExportDeclaration);
	const names = exported.flatMap(({ exportClause }) => exportClause?.elements ?? []);
	const programs = new Set(names.map(({ name }) => name.text));
	return exported
		.filter(({ exportClause }) => exportClause === undefined)
		.flatMap(({ moduleSpecifier }) =>
			checker.getExportsOfModule(checker.getSymbolAtLocation(moduleSpecifier)),
		)
		.filter((symbol) => !programs.has(symbol.name) && !isType(checker, symbol))
		.map(({ name }) => name);
}

function isType(checker, symbol) {
	const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
	const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
	return (flags & ts.SymbolFlags.Type) !== 0;
}

/** Exports of a file without the names that are left out, and without packages. */
function exportWithout(left, statement) {
	const from = statement.moduleSpecifier?.text;
	if (from !== undefined && !from.startsWith('.')) return [];
	if (statement.exportClause === undefined) return [statement.getFullText()];
	// A namespace export belongs to the package that builds schemas.
	if (ts.isNamespaceExport(statement.exportClause)) return [];
	const kept = statement.exportClause.elements.filter(({ name }) => !left.has(name.text));
	if (kept.length === 0) return [];
	const names = kept.map((element) => element.getText()).join(', ');
	const kind = statement.isTypeOnly ? 'export type' : 'export';
	return [`\n${kind} { ${names} }${from === undefined ? '' : ` from '${from}'`};`];
}

/** Makes `import("/checkout/core/model/json").JsonObject` relative to the file. */
function relativeImports(type, file, outDir) {
	return type.replace(/import\((["'])(.*?)\1\)/g, (_match, _quote, target) => {
		const placed = path.join(outDir, path.relative(root, target));
		const relative = path.relative(path.dirname(file), placed).replaceAll(path.sep, '/');
		return `import('${relative.startsWith('.') ? relative : `./${relative}`}')`;
	});
}

function dropUnusedImports(text) {
	const file = ts.createSourceFile('x.d.ts', text, ts.ScriptTarget.ES2023, true);
	const imports = file.statements.filter(ts.isImportDeclaration);
	const rest = file.statements
		.filter((statement) => !ts.isImportDeclaration(statement))
		.map((statement) => statement.getText())
		.join('\n');
	const unused = imports.filter((statement) => {
		const names = importedNames(statement);
		return !names.some((name) => new RegExp(`\\b${name}\\b`).test(rest));
	});
	return unused.reduce((left, statement) => left.replace(statement.getFullText(), ''), text);
}

function importedNames({ importClause }) {
	const bindings = importClause?.namedBindings;
	const named = bindings === undefined ? [] : (bindings.elements ?? [bindings]);
	const first = importClause?.name === undefined ? [] : [importClause.name.text];
	return [...first, ...named.map(({ name }) => name.text)];
}

const specifiers = /(?:from|import\()\s*['"]([^'"]+)['"]/g;

function importedFiles(file, text) {
	return [...text.matchAll(specifiers)]
		.filter(([, specifier]) => specifier.startsWith('.'))
		.map(([, specifier]) => {
			const target = path.join(path.dirname(file), specifier);
			const source = path.join(root, path.relative(distOf(file), target));
			return fs.existsSync(path.join(source, 'index.ts'))
				? path.join(target, 'index.d.ts')
				: `${target}.d.ts`;
		});
}

function distOf(file) {
	return path.join(root, path.relative(root, file).split(path.sep)[0]);
}

function foreignImport(text) {
	const found = [...text.matchAll(specifiers)].map(([, specifier]) => specifier);
	return found.find((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'));
}

function fail(reason) {
	throw new Error(typeof reason === 'string' ? reason : 'The TypeScript settings cannot be read');
}
