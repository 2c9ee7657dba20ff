import { collectCoverage, renderCoverage } from './coverage';
import { collectErrors, renderErrors } from './error-reference';
import { renderEvents } from './event-reference';

export interface GeneratedDoc {
	/** path from the project's root */
	readonly file: string;
	readonly text: string;
}

/** Generated documents with their expected content. */
export function generatedDocs(): GeneratedDoc[] {
	return [
		{ file: 'docs/errors.md', text: renderErrors(collectErrors()) },
		{ file: 'docs/events.md', text: renderEvents() },
		{ file: 'docs/interface-coverage.md', text: renderCoverage(collectCoverage()) },
	];
}
