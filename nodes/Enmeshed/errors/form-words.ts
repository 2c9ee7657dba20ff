import type { INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../operation/operation';
import { itemFields } from '../requests/item-fields';
import { entryAt } from '../requests/request-entries';

/** Names of members that fields of the forms call otherwise. */
const fieldNames: Readonly<Record<string, string>> = {
	queryString: 'expression',
	recipients: 'to',
	schemaURL: 'schemaUrl',
};

/** Members that contain what fields of the forms are about. */
const containers: ReadonlySet<string> = new Set([
	'attribute',
	'attributeCreationHints',
	'content',
	'items',
	'onExistingRelationship',
	'onNewRelationship',
	'query',
	'settings',
	'value',
	'valueHints',
]);

/** A field of a form in a message, or an entry if its field is unknown. */
export interface FormPlace {
	/** subject of the message, for example "The field 'Link' in entry 1" */
	readonly subject: string;
	/** place within a field that takes JSON */
	readonly at?: string;
}

/**
 * Finds the field of an operation's form from which a value came.
 *
 * @param path of the value in what the operation gave to the core
 */
export function formPlace(
	call: OperationCall,
	properties: readonly INodeProperties[],
	path: string,
): FormPlace | undefined {
	const json = jsonField(call, properties);
	if (json !== undefined && isInContent(path)) {
		return { subject: `The field '${json}'`, at: path.replace(/^content\./, '') };
	}
	const entry = entryAt(call, path);
	if (entry === undefined) {
		const label = labelIn(properties, path);
		return label === undefined ? undefined : { subject: `The field '${label}'` };
	}
	const label = labelIn(itemFields, path);
	return label === undefined
		? { subject: entry.replace(/^./, (first) => first.toUpperCase()) }
		: { subject: `The field '${label}' in ${entry}` };
}

/** Replaces quoted names of parameters by the labels that the editor shows. */
export function withLabels(text: string, properties: readonly INodeProperties[]): string {
	return text.replace(/'([a-z][A-Za-z]+)'/g, (quoted, name: string) => {
		const label = findProperty(properties, name)?.displayName;
		return label === undefined ? quoted : `'${label}'`;
	});
}

/** Label of the field for JSON, if the form is in the mode that shows it. */
function jsonField(
	{ functions, itemIndex }: OperationCall,
	properties: readonly INodeProperties[],
): string | undefined {
	const field = properties.find(({ name, type }) => name === 'content' && type === 'json');
	if (field === undefined) return undefined;
	const hasModes = properties.some(({ name }) => name === 'contentMode');
	const mode = hasModes ? functions.getNodeParameter('contentMode', itemIndex, 'json') : 'json';
	return mode === 'json' ? field.displayName : undefined;
}

function isInContent(path: string): boolean {
	return containers.has(path.split('.')[0] ?? '') || path.startsWith('@type');
}

/** Label of the innermost member of a path that has a field. */
function labelIn(properties: readonly INodeProperties[], path: string): string | undefined {
	const steps = path.split('.').reverse();
	const named = steps.filter((step) => !containers.has(step) && !/^\d+$/.test(step));
	const names = named.length === 0 && steps.includes('value') ? ['value'] : named;
	for (const name of names) {
		const found = findProperty(properties, fieldNames[name] ?? name);
		if (found !== undefined) return found.displayName;
	}
	return undefined;
}

/** Looks for a field at any depth. */
function findProperty(
	properties: readonly INodeProperties[],
	name: string,
): INodeProperties | undefined {
	const found = properties.find((property) => property.name === name);
	if (found !== undefined) return found;
	for (const { options = [] } of properties) {
		const inner = options.flatMap((option): INodeProperties[] => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		const deep = inner.length === 0 ? undefined : findProperty(inner, name);
		if (deep !== undefined) return deep;
	}
	return undefined;
}
