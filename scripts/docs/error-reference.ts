import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ErrorDefinition } from '../../core/base/errors';
import { errorAnchor } from '../../nodes/Enmeshed/errors/error-reference';
import { projectRoot, sourceFiles } from './source-files';

export interface DocumentedError extends ErrorDefinition {
	/** path of the catalogue from the project's root */
	readonly file: string;
}

/** Every entry of every catalogue: they stand in files named after their noun. */
export function collectErrors(): DocumentedError[] {
	const files = sourceFiles('core').filter((file) =>
		readFileSync(join(projectRoot, file), 'utf8').includes('= defineErrors('),
	);
	return files.flatMap((file) => {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- the list is known at run time only
		const exported = require(join(projectRoot, file)) as Record<string, unknown>;
		return Object.values(exported)
			.flatMap((catalogue) => (isRecord(catalogue) ? Object.values(catalogue) : []))
			.filter(isDefinition)
			.map((definition) => ({ ...definition, file }));
	});
}

const intro = `# Error codes

Written by \`npm run docs\` from the catalogues in \`core\`; a test fails when the two differ.

A failed call throws a \`GatewayError\` with \`code\`, \`kind\`, \`message\`, \`remedy\` and \`facts\`. Branch on
\`code\`; the message is for people and may change. Errors in n8n link to the row of their code. The row
of a code that is thrown in several situations lists the remedy for each; an error shows the remedy for its own
situation only.

| Kind | Meaning |
| --- | --- |
| invalid | the input cannot be used |
| notFound | the object does not exist, or this account may not see it |
| conflict | the object is in a state that does not allow this |
| forbidden | the credentials or the ownership do not allow this |
| unavailable | something outside did not answer; trying again later can help |
| internal | a defect or a damaged store |
`;

const backboneSection = `## Codes of the Backbone

Codes that begin with \`error.platform.\` come from the Backbone and are passed on unchanged, so this list is
not complete. The message says what the Backbone objected to. If it is not clear, run a sync, look at
the object again, and ask the operator of the Backbone with the code and the time of the error.
`;

interface Row {
	readonly code: string;
	readonly section: string;
	readonly definitions: readonly ErrorDefinition[];
}

export function renderErrors(errors: readonly DocumentedError[]): string {
	const rows = rowsOf(errors);
	const sections = [...new Set(rows.map(({ section }) => section))].sort(bySection);
	const rendered = sections.map((section) =>
		[
			section === backboneSection ? section : `## ${section}\n`,
			'| Code | What happened, and the likely cause | What to do |',
			'| --- | --- | --- |',
			...rows.filter((row) => row.section === section).map(renderRow),
		].join('\n'),
	);
	return `${[intro, ...rendered].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const generalSection = 'General';

/** Codes of several nouns come first, codes of the Backbone last. */
function bySection(one: string, other: string): number {
	const rank = (section: string): number =>
		section === generalSection ? 0 : section === backboneSection ? 2 : 1;
	return rank(one) - rank(other);
}

function rowsOf(errors: readonly DocumentedError[]): Row[] {
	const byCode = Map.groupBy(errors, ({ code }) => code);
	return [...byCode].map(([code, definitions]) => {
		const nouns = [...new Set(definitions.map(({ file }) => nounOf(file)))];
		const ofNoun = nouns.length > 1 ? generalSection : (nouns[0] ?? generalSection);
		return {
			code,
			definitions,
			section: errorAnchor(code) === code ? ofNoun : backboneSection,
		};
	});
}

function nounOf(file: string): string {
	const noun = file.replace(/^.*\/|(-errors)?\.ts$/g, '').replaceAll('-', ' ');
	return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

function renderRow({ code, definitions }: Row): string {
	const distinct = (values: readonly string[]): string => [...new Set(values)].join('<br>');
	const kinds = [...new Set(definitions.map(({ kind }) => kind))].join(', ');
	const meanings = distinct(definitions.map(({ meaning }) => meaning));
	const remedies = distinct(definitions.map(({ remedy }) => remedy));
	const anchor = `<a id="${code}"></a>`;
	return `| ${anchor}\`${code}\`<br>${kinds} | ${cell(meanings)} | ${cell(remedies)} |`;
}

function cell(text: string): string {
	return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isDefinition(value: unknown): value is ErrorDefinition {
	return (
		isRecord(value) &&
		typeof value.code === 'string' &&
		typeof value.kind === 'string' &&
		typeof value.meaning === 'string' &&
		typeof value.remedy === 'string'
	);
}
