import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { FormFieldSettings, RequestItem } from '../../../core';
import { attributeTypeLabel } from '../descriptions/attribute-types';
import { compositeTypes, specialTypes } from '../descriptions/identity-value';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { parameterError } from '../errors/parameter-error';
import { choiceValue, shownText } from '../helpers/shown-text';
import { toNodeError } from '../errors/to-node-error';
import { isPlain } from '../requests/build-answer';
import { flatItems, nameItems, valueTypeOf, type NamedItem } from '../requests/request-items';

/** Returns one field per item of the selected incoming request. */
export async function mapAnswers(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const id = this.getNodeParameter('request', undefined, { extractValue: true });
	if (typeof id !== 'string' || id === '') {
		throw parameterError(this.getNode(), 'No request is chosen', {
			description: "Choose one in the field 'Request'; then its entries are listed here",
		});
	}
	try {
		const config = toGatewayConfig(await this.getCredentials(credentialName));
		const lease = await leaseGateway(this, config);
		try {
			const { content } = await lease.gateway.incomingRequests.get(id);
			return { fields: flatItems(nameItems(content)).map(fieldOf) };
		} finally {
			lease.release();
		}
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

function fieldOf({ name, item, mustBeAccepted }: NamedItem): ResourceMapperField {
	return {
		id: name,
		displayName: `${shownText(labelOf(name, item))}${mustBeAccepted ? ' (required)' : ''}`,
		defaultMatch: false,
		required: false,
		display: true,
		...kindOf(item),
	};
}

/** Label of an item for the person: its title, otherwise what the item asks for. */
function labelOf(name: string, item: RequestItem): string {
	const { title } = item;
	if (typeof title === 'string' && title !== '') return title;
	if (item['@type'] === 'ConsentRequestItem') return item.consent.slice(0, 60);
	const type = valueTypeOf(item);
	return type === undefined ? name : name.replace(type, attributeTypeLabel(type));
}

interface FieldKind {
	readonly type: FieldType;
	readonly options?: INodePropertyOptions[];
}

function kindOf(item: RequestItem): FieldKind {
	if (isPlain(item)) return { type: 'boolean' };
	if (item['@type'] === 'DeleteAttributeRequestItem') return { type: 'dateTime' };
	if (item['@type'] === 'FormFieldRequestItem') return formFieldKind(item.settings);
	const type = valueTypeOf(item) ?? '';
	if ((specialTypes.date as readonly string[]).includes(type)) return { type: 'dateTime' };
	if (Object.hasOwn(compositeTypes, type)) return { type: 'object' };
	if (type === 'ProprietaryBoolean') return { type: 'boolean' };
	const numbers: readonly string[] = [
		...specialTypes.number,
		'ProprietaryFloat',
		'ProprietaryInteger',
	];
	return { type: numbers.includes(type) ? 'number' : 'string' };
}

function formFieldKind(settings: FormFieldSettings): FieldKind {
	switch (settings['@type']) {
		case 'BooleanFormFieldSettings':
			return { type: 'boolean' };
		case 'DoubleFormFieldSettings':
		case 'IntegerFormFieldSettings':
		case 'RatingFormFieldSettings':
			return { type: 'number' };
		case 'DateFormFieldSettings':
			return { type: 'dateTime' };
		case 'SelectionFormFieldSettings': {
			if (settings.allowMultipleSelection === true) return { type: 'array' };
			return {
				type: 'options',
				options: settings.options.map((choice) => ({
					name: shownText(choice),
					value: choiceValue(choice),
				})),
			};
		}
		case 'StringFormFieldSettings':
			return { type: 'string' };
	}
}
