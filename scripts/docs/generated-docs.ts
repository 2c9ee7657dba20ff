import { collectCoverage, renderCoverage } from './coverage';
import { collectErrors, renderErrors } from './error-reference';
import { renderEvents } from './event-reference';
import { interfacePage, version7Page } from './statements';

export interface GeneratedDoc {
	/** path from the project's root */
	readonly file: string;
	readonly text: string;
}

/** Generated documents with their expected content. */
export function generatedDocs(): GeneratedDoc[] {
	const coverage = collectCoverage();
	return [
		{ file: 'docs/errors.md', text: renderErrors(collectErrors()) },
		{ file: 'docs/events.md', text: renderEvents() },
		...[interfacePage, version7Page].map((file) => ({
			file,
			text: renderCoverage(coverage, file),
		})),
	];
}
