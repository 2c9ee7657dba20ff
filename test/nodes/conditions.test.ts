import type { INodeProperties } from 'n8n-workflow';
import { EnmeshedBackboneApi } from '../../credentials/EnmeshedBackboneApi.credentials';
import { actionProperties } from '../../nodes/Enmeshed/actions/properties';
import { EnmeshedPageTrigger } from '../../nodes/Enmeshed/EnmeshedPageTrigger.node';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';

/** Conditions that name no field of their own level, with the path of their field. */
function conditionsIn(fields: readonly INodeProperties[], path: string): string[] {
	const names = new Set(fields.map(({ name }) => name));
	return fields.flatMap((field) => {
		const place = `${path} ${field.name}`;
		const rules: object[] = [field.displayOptions?.show ?? {}, field.displayOptions?.hide ?? {}];
		const unknown = rules
			.flatMap((rule) => Object.keys(rule))
			.filter((name) => !/^[/@]/.test(name) && !names.has(name));
		return [...unknown.map((name) => `${place}: ${name}`), ...conditionsBelow(field, place)];
	});
}

function conditionsBelow({ type, options = [] }: INodeProperties, place: string): string[] {
	if (type === 'collection') return conditionsIn(options as INodeProperties[], place);
	return options.flatMap((option) =>
		'values' in option ? conditionsIn(option.values, place) : [],
	);
}

describe('the condition of a field', () => {
	// Otherwise n8n 2.20 ends with 'Could not resolve parameter dependencies'.
	it.each<[string, () => readonly INodeProperties[]]>([
		['the action node', actionProperties],
		['the trigger', () => new EnmeshedTrigger().description.properties],
		['the page trigger', () => new EnmeshedPageTrigger().description.properties],
		['the credential', () => new EnmeshedBackboneApi().properties],
	])('names a field beside it, or begins with a slash, in %s', (_name, fields) => {
		expect(conditionsIn(fields(), '')).toEqual([]);
	});
});
