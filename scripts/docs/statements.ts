import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './source-files';

/** Statement of a protocol document that needs a test. */
export interface Statement {
	/** `interface 2.1: owner`: the document, the section, and the first cell or the number */
	readonly name: string;
	readonly section: string;
	readonly text: string;
}

export interface StatedDocument {
	/** prefix of the names of its statements */
	readonly title: string;
	readonly file: string;
	/** page that lists its statements with their tests */
	readonly page: string;
	/** sections whose statements need a test, in the order of the document */
	readonly sections: RegExp;
	/**
	 * header of the first column of tables whose cells hold several statements, separated by
	 * semicolons
	 */
	readonly dividedBelow?: string;
	/** paragraphs about the document or its context, which state no behaviour */
	readonly remarks?: RegExp;
	/**
	 * Names rows by the first words of their first cell and a number if the section has them again,
	 * for documents with long captions. A caption of several sentences is a statement then.
	 */
	readonly hasShortNames?: boolean;
}

export const interfacePage = 'docs/interface-coverage.md';
export const version7Page = 'docs/version-7-coverage.md';

export const statedDocuments: readonly StatedDocument[] = [
	{
		title: 'interface',
		file: 'docs/protocol/interface-summary.md',
		page: interfacePage,
		sections: /^[1-9](\.|$)/,
	},
	{
		title: 'http-api',
		file: 'docs/protocol/http-api.md',
		page: interfacePage,
		sections: /^18(\.|$)/,
		dividedBelow: 'File',
		// Sources of the text, and the set-up of the official tests.
		remarks: /^\[|^Environment of/,
	},
	{
		title: 'connector-7',
		file: 'docs/protocol/connector-7.md',
		page: version7Page,
		sections: /^([1-9]|1[0-2])(\.|$)/,
		// Pointers to other sections.
		remarks: /^(G 2 to 7|Complete rules)/,
		hasShortNames: true,
	},
	{
		title: 'generation-7',
		file: 'docs/protocol/generation-7.md',
		page: version7Page,
		sections: /^([2-9]|1[0-3])(\.|$)/,
		// Examples, definitions, and pointers to other sections.
		remarks: /^(`\{|The kinds, DTOs|Deletion marks when|RI = |"Shared with P")/,
		hasShortNames: true,
	},
];

/** True for a sentence that only says that the document leaves something open. */
const isSilent = (sentence: string): boolean =>
	/\bnot (shown|listed|named|stated)\b/.test(sentence);

export function collectStatements(): Statement[] {
	return statedDocuments.flatMap((document) =>
		readStatements(document, readFileSync(join(projectRoot, document.file), 'utf8')),
	);
}

/** @throws if two statements have the same name */
export function readStatements(document: StatedDocument, text: string): Statement[] {
	const reader = new StatementReader(document);
	for (const line of text.split('\n')) reader.read(line);
	const found = reader.found.filter(({ section }) => document.sections.test(section));
	const names = new Set<string>();
	for (const { name } of found) {
		if (names.has(name)) throw new Error(`${document.file} states '${name}' twice`);
		names.add(name);
	}
	return found;
}

class StatementReader {
	readonly found: Statement[] = [];

	private section = '';

	/** caption of the table or list that follows */
	private caption = '';

	/** first cell of the table's header */
	private header: string | undefined;

	/** how often each short name has been given, by section */
	private readonly names: Record<string, Map<string, number>> = {};

	/** numbers of points and paragraphs so far in the section */
	private prose = { point: 0, paragraph: 0 };

	constructor(private readonly document: StatedDocument) {}

	read(line: string): void {
		const heading = /^##+ (?:(\d+(?:\.\d+)*)\.?|.*)/.exec(line);
		if (heading !== null) this.begin(heading[1] ?? '');
		else if (line.startsWith('|')) this.readRow(line);
		else if (line.trim() !== '') {
			this.header = undefined;
			this.readText(line);
		} else this.header = undefined;
	}

	private begin(section: string): void {
		this.section = section;
		this.caption = '';
		this.prose = { point: 0, paragraph: 0 };
	}

	private readRow(line: string): void {
		const cells = line.split('|').slice(1, -1).map(plain);
		const [first = '', ...rest] = cells;
		if (this.header === undefined) this.header = first;
		else if (!/^-+$/.test(first)) {
			if (this.header === this.document.dividedBelow) {
				const parts = rest.join(' ').split(/;\s+/);
				parts.forEach((part, index) => this.add(`${first} ${index + 1}`, part));
			} else this.add(this.below(first || (rest.find((cell) => cell !== '') ?? '')), rest.filter((cell) => cell !== '').join(' · '));
		}
	}

	private readText(line: string): void {
		const [, number, item] = /^\s*(\d+)\.\s+(.*)/.exec(line) ?? [];
		const [, point] = /^- (.*)/.exec(line) ?? [];
		if (number !== undefined) this.add(this.below(number), plain(item ?? ''));
		else if (line.endsWith(':')) {
			this.caption = plain(point ?? line).slice(0, -1);
			const isStatement = this.document.hasShortNames === true && line.includes('. ');
			if (isStatement && this.document.remarks?.test(line) !== true) {
				this.addProse('paragraph', this.caption);
			}
		} else if (point !== undefined) this.addProse('point', plain(point));
		else {
			this.caption = '';
			if (this.document.remarks?.test(line) !== true) this.addProse('paragraph', plain(line));
		}
	}

	private addProse(kind: 'point' | 'paragraph', text: string): void {
		if (text.split(/(?<=\.)\s+/).every(isSilent)) return;
		this.add(`${kind} ${++this.prose[kind]}`, text);
	}

	private below(id: string): string {
		if (this.document.hasShortNames === true) return this.shortened(id);
		return this.caption === '' ? id : `${this.caption}.${id}`;
	}

	private shortened(id: string): string {
		const name = shortName(id);
		const names = (this.names[this.section] ??= new Map<string, number>());
		const times = (names.get(name) ?? 0) + 1;
		names.set(name, times);
		return times === 1 ? name : `${name} (${times})`;
	}

	private add(id: string, text: string): void {
		const name = `${this.document.title} ${this.section}: ${id}`;
		this.found.push({ name, section: this.section, text });
	}
}

/** First words, without what divides names in tests. */
const shortName = (cell: string): string =>
	cell.replaceAll(';', ',').replace(/^(.{1,40})(?<=\S)(?= |$).*/, '$1').replace(/[,:]$/, '');

/** Text of a cell or paragraph, without marks of code and addresses of links. */
const plain = (text: string): string =>
	text
		.replaceAll('`', '')
		.replaceAll(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1')
		.trim();
