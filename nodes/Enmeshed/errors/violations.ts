import type { INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { isObject, ownMember } from '../helpers/members';

/** Violation of a schema, as far as its text depends on the form. */
interface Violation {
	readonly issue?: { readonly code?: string | undefined; readonly message: string } | undefined;
	/** text of the form about values of another form */
	readonly message?: string | undefined;
}

interface Place {
	readonly raw: Readonly<Record<string, unknown>>;
	readonly path: readonly PropertyKey[];
	/** path of the raw values in the parameters of the node */
	readonly base: readonly PropertyKey[];
	readonly properties: readonly INodeProperties[];
	readonly node: Pick<INode, 'parameters'>;
}

/** Sentence that says why the value of a field is not valid. */
export function reasonFor({ issue, message }: Violation, place: Place): string {
	const value = place.path.reduce<unknown>(ownMember, place.raw);
	if (value === undefined || value === null || value === '') {
		const missing = emptyExpression(place);
		if (missing !== undefined) return missing;
	}
	const choices = issue?.code === 'invalid_value' ? choicesOf(place) : undefined;
	const reason = choices ?? message ?? issue?.message ?? 'Unexpected value';
	return reason.replace(/^./, (first) => first.toUpperCase());
}

/** Finds a field through fields, collections and their entries. */
export function propertyAt(
	properties: readonly INodeProperties[],
	path: readonly PropertyKey[],
): INodeProperties | undefined {
	let inner: readonly INodeProperties[] = properties;
	let property: INodeProperties | undefined;
	for (const step of path) {
		const found = inner.find(({ name }) => name === step);
		if (found === undefined) continue;
		property = found;
		inner = (found.options ?? []).flatMap((option): INodeProperties[] => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
	}
	return property;
}

/**
 * Finds an ID or an address whose form the field does not accept; n8n checks only what is typed in.
 */
export function wrongLocator(
	raw: Readonly<Record<string, unknown>>,
	properties: readonly INodeProperties[],
): { readonly path: readonly string[]; readonly message: string } | undefined {
	for (const property of properties) {
		const { name } = property;
		const value = raw[name];
		if (property.type === 'collection' && isObject(value)) {
			const inner = (property.options ?? []).filter((option) => 'type' in option);
			const found = wrongLocator(value, inner);
			if (found !== undefined) return { ...found, path: [name, ...found.path] };
		}
		if (property.type !== 'resourceLocator' || typeof value !== 'string') continue;
		const message = formExpected(property, value.trim());
		if (message !== undefined) return { path: [name], message };
	}
	return undefined;
}

/** Text of the form about the expected form, if the value has another one. */
function formExpected({ modes = [] }: INodeProperties, value: string): string | undefined {
	if (value === '') return undefined;
	const rules = modes.flatMap(({ validation = [] }) => validation);
	const rule = rules.find((candidate) => typeof candidate !== 'function');
	const { regex, errorMessage } = (rule?.properties ?? {}) as Record<string, string | undefined>;
	if (regex === undefined || new RegExp(regex).test(value)) return undefined;
	return errorMessage;
}

/** Choices by their labels, with the values that expressions have to return. */
function choicesOf({ properties, path }: Place): string | undefined {
	const options = propertyAt(properties, path)?.options ?? [];
	const choices = options.filter((option): option is INodePropertyOptions => 'value' in option);
	if (choices.length === 0) return undefined;
	return `Expected one of ${choices.map(({ name, value }) => `'${String(value)}' (${name})`).join(', ')}`;
}

/** Names the member that the step before did not return, if the field has an expression. */
function emptyExpression({ node, base, path }: Place): string | undefined {
	const entered = [...base, ...path].reduce<unknown>(ownMember, node.parameters);
	const text = ownMember(entered, '__rl') === true ? ownMember(entered, 'value') : entered;
	if (typeof text !== 'string' || !text.startsWith('=')) return undefined;
	const [, dotted, quoted] =
		/\.?json\b(?:\.([A-Za-z_$][\w$.]*)|\[\s*["']([^"']+)["']\s*\])/.exec(text) ?? [];
	const member = dotted ?? quoted;
	return member === undefined
		? 'It is empty: the expression returned nothing'
		: `It is empty: did the step before return '${member}'?`;
}
