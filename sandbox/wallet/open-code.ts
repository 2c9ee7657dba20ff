import { codeOf, isGatewayError, type LoadedItemDto, type TemplateDto } from '../../core';
import { WalletError } from './http/wallet-error';
import { Names } from './names';
import type { Person } from './person';
import type { OpenedCode } from './shown/state';

export interface CodeInput {
	readonly reference: string;
	readonly password?: string | undefined;
}

/** Opens the content of a code, and says what the person can do with it. */
export async function openCode(person: Person, input: CodeInput): Promise<OpenedCode> {
	const loaded = await load(person, input);
	switch (loaded.type) {
		case 'RelationshipTemplate':
			return await openTemplate(person, loaded.value);
		case 'File':
			return { text: `The file '${loaded.value.filename}' is now among your files.` };
		case 'DeviceOnboardingInfo':
			return {
				text: 'This code sets up a device of an identity. The demo wallet creates people by itself: choose New person.',
			};
		case 'Token':
			return {
				text: 'This code is neither an invitation nor a file, so the wallet can do nothing with it.',
			};
	}
}

async function load({ gateway }: Person, input: CodeInput): Promise<LoadedItemDto> {
	const { reference, password } = input;
	try {
		return await gateway.account.loadItemFromReference({
			reference,
			...(password === undefined || password === '' ? {} : { password }),
		});
	} catch (error) {
		throw inWords(error, password !== undefined && password !== '');
	}
}

const unreadable = new Set([
	'error.core-types.invalidTruncatedReference',
	'error.runtime.requestDeserialization',
	'error.runtime.validation.invalidPropertyValue',
	'error.runtime.invalidReference',
	'error.runtime.unknown',
]);

function inWords(error: unknown, hadPassword: boolean): unknown {
	if (!isGatewayError(error)) return error;
	const code = codeOf(error) ?? '';
	if (code === 'error.transport.noPasswordProvided') {
		return new WalletError(400, 'This code is protected. Enter its password or PIN.', 'password');
	}
	if (code === 'error.transport.general.notIntendedForYou') {
		return new WalletError(400, 'This code is for another person. Ask for a code of your own.');
	}
	if (error.kind === 'notFound' || code === 'error.platform.recordNotFound') {
		return hadPassword
			? new WalletError(
					400,
					'The password is wrong, or the code has expired. Try again, or ask for a new code.',
					'password',
				)
			: new WalletError(
					400,
					'There is nothing behind this code any more: it has expired, was used up or deleted, or is for another person. Ask for a new code.',
				);
	}
	if (unreadable.has(code)) {
		return new WalletError(
			400,
			'This is not a complete code. Copy the whole reference or link again, or drop the picture of the QR code.',
		);
	}
	return error;
}

/** The request of a template, or the reason why there is nothing to answer. */
async function openTemplate(person: Person, template: TemplateDto): Promise<OpenedCode> {
	const { gateway } = person;
	if (template.isOwn) return { text: 'This is a code of your own. Another person has to open it.' };
	const contacts = await gateway.contacts.list();
	const contact = contacts.find(({ address }) => address === template.createdBy);
	const name = new Names(gateway, contacts).of(template.createdBy);
	const request = await openRequestOf(person, template);
	if (request !== undefined) {
		const isConnected = contact?.status === 'Active';
		const text = isConnected ? `You are connected with ${name} already, and are asked this:` : '';
		return { requestId: request, text };
	}
	switch (contact?.status) {
		case 'Active':
			return { text: `You are connected with ${name} already. This code asks for nothing more.` };
		case 'Pending':
			return { text: `You have answered already. ${name} has to accept the connection now.` };
		case 'Terminated':
		case 'DeletionProposed':
			return {
				text: `You are no longer connected with ${name}. Open the contact to connect again, or remove it there and open this code again.`,
			};
		case 'Rejected':
		case 'Revoked':
		case undefined:
			break;
	}
	if (await hasExpiredRequest(person, template)) {
		return { text: 'This code has expired. Ask for a new one.' };
	}
	if (template.content['@type'] === 'RelationshipTemplateContent') {
		return { text: 'This code has no question that the wallet could show. Ask for a new code.' };
	}
	return { text: 'This code asks for nothing. You can connect at once.', templateId: template.id };
}

/** Request from the template, or another one of its creator, which has to be decided first. */
async function openRequestOf(
	{ gateway }: Person,
	template: TemplateDto,
): Promise<string | undefined> {
	const open = await gateway.incomingRequests.list({
		where: [
			{ field: 'peer', op: 'eq', value: template.createdBy },
			{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] },
			{ field: 'sourceType', op: 'eq', value: 'RelationshipTemplate' },
		],
	});
	const fromThis = open.find(({ source }) => source?.reference === template.id);
	return (fromThis ?? open[0])?.id;
}

async function hasExpiredRequest({ gateway }: Person, template: TemplateDto): Promise<boolean> {
	const [expired] = await gateway.incomingRequests.list({
		where: [
			{ field: 'sourceReference', op: 'eq', value: template.id },
			{ field: 'status', op: 'eq', value: 'Expired' },
		],
	});
	const { onNewRelationship } = template.content as { onNewRelationship?: { expiresAt?: string } };
	const expiresAt = template.expiresAt ?? onNewRelationship?.expiresAt;
	const isPast = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
	return expired !== undefined || isPast;
}
