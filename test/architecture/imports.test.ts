import type { ImportLine } from './import-lines';
import { readImportLines } from './import-lines';
import { mayImport, partOf } from './layers';

const lines = readImportLines();
const published = /^(core|nodes|credentials|sandbox|index)\b/;

describe('the arrows between the parts of the project', () => {
	it('point one way', () => {
		const wrong = lines.filter((line) => !line.external && !isAllowed(line));
		expect(wrong.map(shown)).toEqual([]);
	});

	it('keep n8n out of the core, the sandbox and the library', () => {
		const wrong = outside(/^(core|sandbox|index)\b/, /^(n8n-|@n8n\/)/);
		expect(wrong).toEqual([]);
	});

	it('leave nodes and credentials with n8n-workflow, schemas and hashes', () => {
		const allowed = ['n8n-workflow', 'node:crypto', 'zod'];
		const wrong = lines.filter(
			(line) =>
				/^(nodes|credentials)\//.test(line.from) && line.external && !allowed.includes(line.to),
		);
		// The generator of output schemas is a build tool that lives beside the nodes it describes.
		const ours = wrong.filter((line) => !line.from.startsWith('nodes/Enmeshed/schemas/'));
		expect(ours.map(shown)).toEqual([]);
	});

	it('let nodes load the core on first use only', () => {
		const wrong = lines.filter(
			(line) =>
				line.from.startsWith('nodes/') &&
				!line.from.startsWith('nodes/Enmeshed/schemas/') &&
				line.to.startsWith('core/') &&
				!line.typeOnly &&
				!line.lazy,
		);
		expect(wrong.map(shown)).toEqual([]);
	});

	it('keep the official runtime out of everything that is published', () => {
		expect(outside(published, /^(@nmshd\/|nmshd-|@js-soft\/)/)).toEqual([]);
	});

	it('let the program entry, tests, benchmarks and scripts alone use the sandbox', () => {
		const wrong = lines.filter(
			(line) => /^(core|nodes|credentials|index)\b/.test(line.from) && /^sandbox\b/.test(line.to),
		);
		expect(wrong.map(shown)).toEqual([]);
	});

	it('were read from the sources', () => {
		expect(lines.filter((line) => line.from.startsWith('core/')).length).toBeGreaterThan(100);
	});
});

function isAllowed(line: ImportLine): boolean {
	return mayImport(partOf(line.from), line.to);
}

function outside(from: RegExp, to: RegExp): string[] {
	return lines
		.filter((line) => from.test(line.from) && line.external && to.test(line.to))
		.map(shown);
}

function shown(line: ImportLine): string {
	return `${line.from}:${line.line} imports ${line.to}`;
}
