import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventCatalogue } from '../../core/events/catalogue';
import { collectErrors } from '../../scripts/docs/error-reference';
import { generatedDocs } from '../../scripts/docs/generated-docs';
import { projectRoot, sourceFiles } from '../../scripts/docs/source-files';

const errors = collectErrors();

describe('the written references', () => {
	it.each(generatedDocs())('say what the sources say: $file', ({ file, text }) => {
		expect(readFileSync(join(projectRoot, file), 'utf8')).toBe(text);
	});

	it('name every event', () => {
		const page = readFileSync(join(projectRoot, 'docs/events.md'), 'utf8');
		const missing = Object.keys(eventCatalogue).filter((name) => !page.includes(`\`${name}\``));
		expect(missing).toEqual([]);
	});
});

describe('the error catalogues', () => {
	it('stand in files named after their noun, where the reference finds them', () => {
		const files = sourceFiles('core').filter(
			(file) => !file.endsWith('-errors.ts') && file !== 'core/base/errors.ts',
		);
		const hidden = files.filter((file) => readText(file).includes('defineErrors('));
		expect(hidden).toEqual([]);
		expect(errors.length).toBeGreaterThan(50);
	});

	it('promise codes of one form and end each remedy as a sentence', () => {
		const odd = errors.filter(
			({ code, remedy }) => !/^error(\.[A-Za-z0-9-]+){2,}$/.test(code) || !/[.!?]$/.test(remedy),
		);
		expect(odd.map(({ code }) => code)).toEqual([]);
	});
});

function readText(file: string): string {
	return readFileSync(join(projectRoot, file), 'utf8');
}
