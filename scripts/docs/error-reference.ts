import { join } from 'node:path';

import type { ErrorDefinition } from '../../core/base/errors';
import { projectRoot, sourceFiles } from './source-files';

export interface DocumentedError extends ErrorDefinition {
	/** where the catalogue stands, from the project's root */
	readonly file: string;
}

/** Every entry of every catalogue: they stand in the files named `<noun>-errors.ts`. */
export function collectErrors(): DocumentedError[] {
	const files = sourceFiles('core').filter((file) => file.endsWith('-errors.ts'));
	return files.flatMap((file) => {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- the list is known at run time only
		const exported = require(join(projectRoot, file)) as Record<string, unknown>;
		return Object.values(exported)
			.flatMap((catalogue) => (isRecord(catalogue) ? Object.values(catalogue) : []))
			.filter(isDefinition)
			.map(({ code, kind, remedy }) => ({ code, kind, remedy, file }));
	});
}

const intro = `# Error codes

Written by \`npm run docs\` from the catalogues in \`core\`; a test fails when the two differ.

A failed call throws a \`GatewayError\` with \`code\`, \`kind\`, \`message\`, \`remedy\` and \`facts\`. Branch on
\`code\`; the message is for people and may change. Codes that the Backbone answers
(\`error.platform.*\`) are handed on as they came.

| Kind | Meaning |
| --- | --- |
| invalid | what was handed in cannot be used |
| notFound | the object does not exist or is not ours to see |
| conflict | the object is in a state that does not allow this |
| forbidden | the credentials or the ownership do not allow this |
| unavailable | something outside did not answer; trying again later can help |
| internal | a defect or a damaged store |
`;

export function renderErrors(errors: readonly DocumentedError[]): string {
	const files = [...new Set(errors.map((error) => error.file))];
	const sections = files.map((file) => {
		const rows = errors
			.filter((error) => error.file === file)
			.map((error) => `| \`${error.code}\` | ${error.kind} | ${cell(error.remedy)} |`);
		const noun = file.replace(/^.*\/|-errors\.ts$/g, '');
		const heading = `## ${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll('-', ' ')}`;
		return [heading, '', `\`${file}\``, '', '| Code | Kind | What to do |', '| --- | --- | --- |']
			.concat(rows)
			.join('\n');
	});
	return `${[intro, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
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
		typeof value.remedy === 'string'
	);
}
