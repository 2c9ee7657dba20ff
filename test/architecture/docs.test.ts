import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventCatalogue } from '../../core/events/catalogue';
import { errorAnchor } from '../../nodes/Enmeshed/errors/error-reference';
import { collectErrors } from '../../scripts/docs/error-reference';
import { generatedDocs } from '../../scripts/docs/generated-docs';
import { repository } from '../../package.json';
import { projectRoot, sourceFiles } from '../../scripts/docs/source-files';

const errors = collectErrors();

describe('the written references', () => {
	it.each(generatedDocs())('say what the sources say: $file', ({ file, text }) => {
		expect(readFileSync(join(projectRoot, file), 'utf8')).toBe(text);
	});

	it('clone the repository that package.json names', () => {
		const [, address] = /^git clone (\S+)$/m.exec(readText('README.md')) ?? [];
		expect(`git+${address}`).toBe(repository.url);
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
		const others = files.filter((file) => readText(file).includes('defineErrors('));
		// One entry, which belongs to the schema beside it.
		expect(others).toEqual(['core/config.ts']);
		const documented = new Set(errors.map(({ file }) => file));
		expect(sourceFiles('core').filter((file) => file.endsWith('-errors.ts'))).toEqual(
			[...documented].filter((file) => !others.includes(file)),
		);
		expect(errors.length).toBeGreaterThan(50);
	});

	it('define each code once', () => {
		const byCode = Map.groupBy(errors, ({ code }) => code);
		const odd = [...byCode].filter(([, entries]) => {
			return new Set(entries.map(({ meaning }) => meaning)).size !== 1;
		});
		expect(odd.map(([code]) => code)).toEqual([]);
		const definitions = sourceFiles('core').flatMap((file) =>
			[...readText(file).matchAll(/^\t\tcode: '(error\.[^']+)'/gm)].map(([, code]) => code),
		);
		expect(definitions.length).toBeGreaterThan(250);
		expect(new Set(definitions).size).toBe(definitions.length);
	});

	it('define the codes for which the types promise facts, and no others', () => {
		const table = readText('core/base/error-codes.ts').matchAll(/^\t'(error\.[^']+)':/gm);
		const promised = [...table].map(([, code]) => code).toSorted();
		expect(promised).toEqual([...new Set(errors.map(({ code }) => code))].toSorted());
	});

	it('have one row for each code, to which errors in n8n link', () => {
		const page = readText('docs/errors.md');
		const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor]) => anchor);
		expect(anchors.toSorted()).toEqual([...new Set(errors.map(({ code }) => code))].toSorted());
		const headings = page.match(/(?<=^## ).+$/gm) ?? [];
		const slugs = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
		expect(slugs).toContain(errorAnchor('error.platform.unexpected'));
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
