import { collectCoverage, renderCoverage } from './coverage';
import { collectErrors, renderErrors } from './error-reference';
import { renderEvents } from './event-reference';

export interface GeneratedDoc {
	/** from the project's root */
	readonly file: string;
	readonly text: string;
}

/** The documents that are written from sources, as they should be now. */
export function generatedDocs(): GeneratedDoc[] {
	return [
		{ file: 'docs/errors.md', text: renderErrors(collectErrors()) },
		{ file: 'docs/events.md', text: renderEvents() },
		{ file: 'docs/interface-coverage.md', text: renderCoverage(collectCoverage()) },
	];
}
