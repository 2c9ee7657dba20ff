import type { IDataObject } from 'n8n-workflow';
import type { OutputName } from '../schemas/output-schemas';

/** Members that have in full what other members of the same output say. */
const completeForms: Partial<Record<OutputName, readonly string[]>> = {
	awaitedAnswer: ['response'],
};

/** Output for an agent, which pays for every word that it reads: without complete forms. */
export function forAgent(output: OutputName, json: IDataObject): IDataObject {
	const complete = completeForms[output] ?? [];
	return Object.fromEntries(Object.entries(json).filter(([name]) => !complete.includes(name)));
}
