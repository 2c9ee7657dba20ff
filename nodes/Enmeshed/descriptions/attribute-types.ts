import type { INodePropertyOptions } from 'n8n-workflow';

/** Types of attributes that people can pick, in the words of a form. */
export const attributeTypes: INodePropertyOptions[] = [
	{ name: 'Display Name', value: 'DisplayName' },
	{ name: 'Email Address', value: 'EMailAddress' },
	{ name: 'First Name', value: 'GivenName' },
	{ name: 'Last Name', value: 'Surname' },
];

export function attributeTypeLabel(type: string): string {
	return attributeTypes.find(({ value }) => value === type)?.name ?? type;
}
