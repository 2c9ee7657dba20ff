import type { NewWait, RequestContentInput } from '../../../core';
import { defined } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import { readRequest } from '../requests/build-request';
import { sendNewRequest } from '../requests/send-new-request';
import { idempotencyKey } from '../sending/idempotency-key';
import type { People } from './people-fields';
import type { WaitOptions, WaitTimes } from './wait-fields';
import type { WaitNote } from './wait-note';

/** Entered question, to one person or to several. */
export interface Question extends People {
	readonly message: string;
	readonly responseType: 'approval' | 'choice' | 'freeText' | 'request';
	readonly choices: readonly string[];
	readonly title: string | undefined;
	readonly options: WaitOptions & {
		readonly escalation?: Escalated | undefined;
		readonly link?: string | undefined;
		readonly linkDisplayText?: string | undefined;
		readonly withdraw: boolean;
	};
}

/** Entered people who are asked after some time. */
export interface Escalated {
	readonly values: {
		readonly amount: number;
		readonly unit: 'minutes' | 'hours' | 'days';
		readonly people: readonly string[];
	};
}

/** Question in the form in which the wallet gets it. */
export type Phrased = Pick<WaitNote, 'answerAs'> &
	(
		| { readonly request: RequestContentInput; readonly mail?: undefined }
		| { readonly mail: Texts; readonly request?: undefined }
	);

interface Texts {
	readonly subject: string;
	readonly body: string;
}

/** Longest subject that is made from the text of a mail. */
const subjectLength = 80;

const mostChoices = 20;

/** Chooses the form of the question that the wallets of all these people support. */
export async function phrase(
	call: OperationCall,
	question: Question,
	times: WaitTimes,
	people: readonly string[] = [question.to],
): Promise<Phrased> {
	const { message, title, responseType, options } = question;
	const { withdraw } = options;
	const expiry = defined({ expiresAt: withdraw ? times.until : undefined });
	const titled = defined({ title });
	if (responseType === 'request') {
		const given = { description: message, ...titled, ...(await readRequest(call)) };
		const request = { ...('expiresAt' in given ? {} : expiry), ...given };
		return { answerAs: 'request', request };
	}
	if (responseType === 'approval') {
		const { link, linkDisplayText } = options;
		const item = consentTo(message, {
			mustBeAccepted: true,
			...defined({ link, linkDisplayText }),
		});
		return { answerAs: 'approval', request: { ...titled, ...expiry, items: [item] } };
	}
	const isKnown = await knowForms(call, people);
	if (responseType === 'choice') {
		const options = readChoices(call, question);
		const field = {
			'@type': 'FormFieldRequestItem' as const,
			mustBeAccepted: true,
			title: (title ?? message).slice(0, 200),
			settings: { '@type': 'SelectionFormFieldSettings' as const, options },
		};
		// Wallets without form fields show a consent for each choice.
		const items = isKnown
			? [field]
			: options.map((option) => consentTo(option, { mustBeAccepted: false }));
		const request = { description: message, ...titled, ...expiry, items };
		return { answerAs: 'choice', request };
	}
	if (!isKnown) {
		const subject = title ?? message.trim().slice(0, subjectLength);
		return { answerAs: 'mail', mail: { subject, body: message } };
	}
	const item = { '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText: message };
	return { answerAs: 'freeText', request: { ...titled, ...expiry, items: [item] } };
}

function consentTo(
	consent: string,
	more: {
		readonly mustBeAccepted: boolean;
		readonly link?: string;
		readonly linkDisplayText?: string;
	},
) {
	return { '@type': 'ConsentRequestItem' as const, consent, ...more };
}

/** True if the wallets of all are known to support free texts and form fields. */
async function knowForms(
	{ gateway, signal }: OperationCall,
	people: readonly string[],
): Promise<boolean> {
	for (const peer of people) {
		if (!(await gateway.waits.knowsFreeText(peer, { signal }))) return false;
	}
	return true;
}

/** @throws NodeOperationError */
function readChoices({ functions, itemIndex }: OperationCall, { choices }: Question): string[] {
	const unique = [...new Set(choices)];
	if (unique.length >= 2 && unique.length <= mostChoices) return unique;
	throw parameterError(functions.getNode(), "The field 'Choices' is not valid", {
		description: `Expected from 2 to ${mostChoices} different texts, one per line`,
		itemIndex,
	});
}

/** Puts a question to one person. */
export async function ask(
	call: OperationCall,
	{ peer, phrased, part }: { peer: string; phrased: Phrased; part?: string },
	wait: NewWait,
): Promise<void> {
	const { request, mail } = phrased;
	if (request !== undefined) {
		await sendNewRequest(call, { peer, content: { '@type': 'Request', ...request }, part }, wait);
		return;
	}
	const { gateway, signal } = call;
	const content = { '@type': 'Mail' as const, to: [peer], ...mail };
	const input = { recipients: [peer], content };
	const once = await idempotencyKey(call, () => input, { kind: 'question', ...defined({ part }) });
	await gateway.messages.send(input, { signal, ...once, wait });
}

/** Content of the question for people who are asked later. */
export function contentOf({ request, mail }: Phrased): object {
	return request === undefined ? { '@type': 'Mail', ...mail } : { '@type': 'Request', ...request };
}
