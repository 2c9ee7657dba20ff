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
	const names = namesOfTypes(program);
	const parts = memoized((file) =>
		spellOut(
			{ program, outDir, left, names },
			file,
			emitted.get(file) ?? fail(`No types in ${file}`),
		),
	);
	for (const [file, text] of neededTexts(path.join(outDir, 'index.d.ts'), parts)) {
		const foreign = foreignImport(text);
		if (foreign !== undefined) fail(`The types in ${file} need the package '${foreign}'`);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		const shown = withAddresses(text, file);
		fs.writeFileSync(file, await prettier.format(shown, { parser: 'typescript', useTabs: true }));
	}
};

function memoized(make) {
	const made = new Map();
	return (key) => {
		if (!made.has(key)) made.set(key, make(key));
		return made.get(key);
	};
}

/**
 * Texts of the files, with the statements that the entry needs.
 *
 * @param parts statements of a file
 */
function neededTexts(entry, parts) {
	/* Statements by file, and of lists of imports and exports the names. */
	const needed = new Map();
	const namesIn = (file, statement) => {
		if (!needed.has(file)) needed.set(file, new Map());
		const kept = needed.get(file);
		if (!kept.has(statement)) kept.set(statement, new Set());
		return kept.get(statement);
	};
	const need = (file, name) => {
		for (const statement of parts(file)) {
			const specifier = statement.moduleSpecifier?.text;
			// Modules of Node have no file here.
			const isOwn = specifier !== undefined && !specifier.startsWith('node:');
			const from = isOwn ? fileAt(file, specifier) : undefined;
			if (ts.isExportDeclaration(statement) && statement.exportClause === undefined) {
				if (!exports(from).has(name)) continue;
				namesIn(file, statement);
				need(from, name);
			} else if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
				const element = elementsOf(statement).find((one) => one.name.text === name);
				if (element === undefined || namesIn(file, statement).has(name)) continue;
				namesIn(file, statement).add(name);
				const original = (element.propertyName ?? element.name).text;
				if (from !== undefined) need(from, original);
				else if (original !== name) need(file, original);
			} else if (declaredNames(statement).includes(name)) {
				if (needed.get(file)?.has(statement)) continue;
				namesIn(file, statement);
				for (const [module, used] of namesUsed(statement)) {
					need(module === undefined ? file : fileAt(file, module), used);
				}
			}
		}
	};
	const exports = memoized((file) => {
		const found = parts(file).flatMap((statement) => {
			if (!ts.isExportDeclaration(statement)) return declaredNames(statement);
			if (statement.exportClause !== undefined) {
				return elementsOf(statement).map(({ name }) => name.text);
			}
			return [...exports(fileAt(file, statement.moduleSpecifier.text))];
		});
		return new Set(found);
	});
	for (const name of exports(entry)) need(entry, name);
	return [...needed].map(([file, kept]) => {
		const statements = parts(file).filter((statement) => kept.has(statement));
		const texts = statements.map((statement) => textWith(statement, kept.get(statement)));
		return [file, `${texts.join('\n').trim()}\n`];
	});
}

function elementsOf({ importClause, exportClause }) {
	return (importClause?.namedBindings ?? exportClause)?.elements ?? [];
}

/** Text of a statement; a list of imports or exports has the given names only. */
function textWith(statement, names) {
	if (names.size === 0) return statement.getFullText();
	const elements = elementsOf(statement).filter(({ name }) => names.has(name.text));
	const list = elements.map((element) => element.getText()).join(', ');
	const from = statement.moduleSpecifier && ` from ${statement.moduleSpecifier.getText()}`;
	const { importClause = statement } = statement;
	const kind = `${importClause === statement ? 'export' : 'import'}${importClause.isTypeOnly ? ' type' : ''}`;
	return `${kind} { ${list} }${from ?? ''};`;
}

function declaredNames(statement) {
	const declared = statement.declarationList?.declarations ?? [statement];
	return declared.flatMap(({ name }) => (name === undefined ? [] : [name.text]));
}

/** Names that the types of a statement refer to, each with the module of an `import()`. */
function namesUsed(statement) {
	const used = [];
	const outermost = (name) =>
		ts.isIdentifier(name) ? name : outermost(name.left ?? name.expression);
	const visit = (node) => {
		const { typeName, exprName, qualifier } = node;
		if (ts.isImportTypeNode(node)) {
			used.push([node.argument.literal.text, outermost(qualifier).text]);
		} else if (typeName !== undefined || exprName !== undefined) {
			if (!ts.isImportTypeNode(exprName ?? typeName)) {
				used.push([undefined, outermost(typeName ?? exprName).text]);
			}
		} else if (ts.isExpressionWithTypeArguments(node) || ts.isComputedPropertyName(node)) {
			used.push([undefined, outermost(node.expression).text]);
		}
		ts.forEachChild(node, visit);
	};
	visit(statement);
	return used;
}

function emitAll(program, outDir) {
	const emitted = new Map();
	program.emit(undefined, (file, text) => emitted.set(path.normalize(file), text), undefined, true);
	if (emitted.size === 0) fail(`Nothing was emitted for ${outDir}`);
	return emitted;
}

/** Drops schema constants and spells out aliases that are derived from values. */
function spellOut({ program, outDir, left, names }, file, text) {
	const checker = program.getTypeChecker();
	const sourceName = path.join(root, path.relative(outDir, file).replace(/\.d\.ts$/, '.ts'));
	const source = program.getSourceFile(sourceName) ?? fail(`No source for ${file}`);
	const declaration = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	const kept = declaration.statements.flatMap((statement) => {
		const own = statement.getText();
		if (isAboutSchemas(statement)) return [];
		if (ts.isExportDeclaration(statement)) return exportWithout(left, statement);
		if (ts.isImportDeclaration(statement)) return [];
		if (!ts.isTypeAliasDeclaration(statement) || !isInferred.test(own)) {
			return [statement.getFullText()];
		}
		// What is built with it is spelled out.
		if (!isExported(statement) || statement.typeParameters !== undefined) return [];
		const name = statement.name.text;
		const original = source.statements.find(
			(candidate) => ts.isTypeAliasDeclaration(candidate) && candidate.name.text === name,
		);
		const type = checker.getTypeAtLocation(original.name);
		const printed = printedType({ checker, names, place: original }, type);
		const shown = relativeImports(printed, file, outDir);
		const comment = text.slice(statement.getFullStart(), statement.getStart());
		return [`${comment}export type ${name} = ${shown};`];
	});
	// Spelled out types may need names that the emitted ones do not.
	const imports = source.statements.filter(ts.isImportDeclaration).map((one) => one.getText());
	const whole = [...imports, ...kept].join('\n');
	return ts.createSourceFile(file, whole, ts.ScriptTarget.ES2023, true).statements;
}

/**
 * Text of a type that schemas infer, with the comments of the schemas' members. Types that have an
 * exported name are shown by it.
 */
function printedType({ checker, names, place }, outermost) {
	const plain = (type) =>
		checker.typeToString(
			type,
			place,
			type === outermost ? flags | ts.TypeFormatFlags.InTypeAlias : flags,
		);
	const print = (type) => {
		const name = names.get(type);
		if (name !== undefined) return name;
		if (type.aliasSymbol !== undefined && type !== outermost && hasText(type)) return plain(type);
		return printWhole(type);
	};
	const printWhole = (type) => {
		if (type.isUnion() && (type.aliasSymbol || !type.types.every(isSimple)))
			return printUnion(type);
		if (type.isIntersection() && type.types.some(isPlainObject)) {
			return type.types.map((part) => `(${print(part)})`).join(' & ');
		}
		if (checker.isArrayType(type)) {
			const readonly = type.symbol?.name === 'ReadonlyArray' ? 'readonly ' : '';
			return `${readonly}(${print(checker.getTypeArguments(type)[0])})[]`;
		}
		return isPlainObject(type) ? printObject(type) : plain(type);
	};
	const printUnion = (union) => {
		const { types, found } = withoutNamed(union);
		const simple = types.filter(isSimple);
		const shown = types.filter((type) => !isSimple(type)).map((type) => `(${print(type)})`);
		const booleans = simple.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
		const others = booleans.length < 2 ? simple : simple.filter((type) => !booleans.includes(type));
		if (booleans.length === 2) shown.push('boolean');
		return [...found, ...shown, ...others.map(plain)].join(' | ');
	};
	// The compiler forgets the names of unions within a union.
	const withoutNamed = (union) => {
		const found = [];
		let { types } = union;
		for (const [type, name] of names) {
			if (!type.isUnion() || type === outermost) continue;
			if (!type.types.every((member) => types.includes(member))) continue;
			types = types.filter((member) => !type.types.includes(member));
			found.push(name);
		}
		return { types, found };
	};
	/** True if the declarations contain the alias by which the type is shown. */
	const hasText = ({ aliasSymbol }) => {
		const [alias] = aliasSymbol.declarations ?? [];
		return isExported(alias) && !(alias.typeParameters && isInferred.test(alias.getText()));
	};
	const printObject = (type) => {
		const indexed = checker.getIndexInfosOfType(type).map((info) => {
			const readonly = info.isReadonly ? 'readonly ' : '';
			return `${readonly}[name: ${plain(info.keyType)}]: ${print(info.type)};`;
		});
		const members = checker.getPropertiesOfType(type).map((member) => {
			const isReadonly = ts.getCheckFlags(member) & ts.CheckFlags.Readonly;
			const readonly = isReadonly ? 'readonly ' : '';
			const optional = member.flags & ts.SymbolFlags.Optional ? '?' : '';
			const name = /^[A-Za-z_$][\w$]*$/.test(member.name) ? member.name : `'${member.name}'`;
			const shown = print(checker.getTypeOfSymbolAtLocation(member, place));
			return `${commentOf(checker, member)}${readonly}${name}${optional}: ${shown};`;
		});
		return `{\n${[...indexed, ...members].join('\n')}\n}`;
	};
	const isSimple = (type) =>
		!isPlainObject(type) && !type.isIntersection() && !checker.isArrayType(type);
	const isPlainObject = (type) =>
		(type.flags & ts.TypeFlags.Object) !== 0 &&
		(type.objectFlags & (ts.ObjectFlags.Anonymous | ts.ObjectFlags.Mapped)) !== 0 &&
		type.getCallSignatures().length === 0;
	return printWhole(outermost);
}

/** Comment of a member as its schema has it; the schema of another member brings the other's. */
function commentOf(checker, member) {
	const [declaration] = member.declarations ?? [];
	if (declaration === undefined) return '';
	const own = docComment(declaration);
	if (own !== '' || !ts.isPropertyAssignment(declaration)) return own;
	const when = textMember(declaration.initializer, 'when');
	if (when !== undefined) return `\n/** ${when} */\n`;
	const schema = withoutCalls(declaration.initializer);
	const [other] = checker.getSymbolAtLocation(schema)?.declarations ?? [];
	return other !== undefined && ts.isPropertyAssignment(other) ? docComment(other) : '';
}

function docComment(declaration) {
	const comment = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1);
	return comment === undefined ? '' : `\n${comment.getText()}\n`;
}

/** Text of a member of an object literal, for example what a catalogue says about an event. */
function textMember(expression, name) {
	if (!ts.isObjectLiteralExpression(expression)) return undefined;
	const member = expression.properties.find((property) => property.name?.getText() === name);
	return member !== undefined && ts.isStringLiteralLike(member.initializer)
		? member.initializer.text
		: undefined;
}

/** The schema to which `.optional()` and the like are applied. */
function withoutCalls(expression) {
	return ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression)
		? withoutCalls(expression.expression.expression)
		: expression;
}

/** Exported names of the types that schemas infer, as `import('…').Name`. */
function namesOfTypes(program) {
	const checker = program.getTypeChecker();
	const names = new Map();
	for (const source of program.getSourceFiles()) {
		if (!source.fileName.startsWith(root) || source.fileName.includes('node_modules')) continue;
		for (const statement of source.statements) {
			if (!ts.isTypeAliasDeclaration(statement) || !isNamed.test(statement.getText())) continue;
			if (!isExported(statement)) continue;
			const type = checker.getTypeAtLocation(statement.name);
			const module = source.fileName.replace(/\.ts$/, '');
			const { Intersection, Object, Union } = ts.TypeFlags;
			if ((type.flags & (Intersection | Object | Union)) !== 0 && !names.has(type)) {
				names.set(type, `import("${module}").${statement.name.text}`);
			}
		}
	}
	const size = (type) => (type.isUnion() ? type.types.length : 1);
	return new Map([...names].sort(([a], [b]) => size(b) - size(a)));
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

function isExported({ modifiers }) {
	return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
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
		(ts.isVariableStatement(statement) && /typeof |\bContent(?:Kinds|Type)\b/.test(text)) ||
		(!ts.isTypeAliasDeclaration(statement) && /\bz\.|\bimport\("zod"\)/.test(text))
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
	return type.replace(/import\((["'])(.*?)\1\)\./g, (_match, _quote, target) => {
		const placed = path.join(outDir, path.relative(root, target));
		if (`${placed}.d.ts` === file) return '';
		const relative = path.relative(path.dirname(file), placed).replaceAll(path.sep, '/');
		return `import('${relative.startsWith('.') ? relative : `./${relative}`}').`;
	});
}

const specifiers = /(?:from|import\()\s*['"]([^'"]+)['"]/g;

/** Text of a type by whose name others show it. */
const isNamed = /\bz\.|typeof |\b(?:ContentOf|MembersOf|MembersOfShape|Flat|Written)</;

/** Text of a type that schemas or content types infer. */
const isInferred = /\bz\.|typeof |\b(?:ContentOf|MembersOf|MembersOfShape|Flat)</;

/** File of declarations that a specifier names. */
function fileAt(file, specifier) {
	const target = path.join(path.dirname(file), specifier);
	const source = path.join(root, path.relative(distOf(file), target));
	return fs.existsSync(path.join(source, 'index.ts'))
		? path.join(target, 'index.d.ts')
		: `${target}.d.ts`;
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
