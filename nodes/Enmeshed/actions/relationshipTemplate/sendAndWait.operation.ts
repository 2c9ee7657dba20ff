import type { INodeProperties } from 'n8n-workflow';
import type { NewWait } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { protectionOptions } from '../../descriptions/protection';
import { purpose } from '../../descriptions/purpose';
import { qrCodeFormat } from '../../descriptions/qr-code';
import { defined, objectMember, textMember } from '../../helpers/members';
import { withHints, type Operation, type OperationCall } from '../../operation/operation';
import { parameterError } from '../../errors/parameter-error';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { protectionOf } from '../../fields/protection';
import { toRecord } from '../../output/to-items';
import { newWait, putToWait, requireOneWait } from '../../waiting/begin-wait';
import {
	pageOptions,
	pageOptionSchemas,
	pageSchemas,
	pageText,
	pageTexts,
} from '../../waiting/page-fields';
import { resumeAddress } from '../../waiting/resume-address';
import { pageLanguage } from '../../waiting/show-page';
import {
	limitWaitTime,
	noAnswer,
	readTimes,
	restartNotice,
	waitOptionSchemas,
} from '../../waiting/wait-fields';
import type { PageNote, WaitNote } from '../../waiting/wait-note';
import { byLabel } from '../../requests/entry-options';
import { requestOptions } from '../../requests/request-fields';
import { renderEntrance } from '../../waiting-page/entrance';
import { acceptUnprovenAnswers, contentFields } from './create-fields';
import { readContent, requireQuestion, requireTitle } from './template-content';

const webhookNotice: INodeProperties = {
	displayName:
		'Start the workflow with a \'Webhook\' node (method GET) that responds using a \'Respond to Webhook\' node, and put one behind the error output of this node. This node sends the visitor to the page itself. <a href="https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/waiting.md" target="_blank">More info</a>.',
	name: 'webhookNotice',
	type: 'notice',
	default: '',
};

const accept: INodeProperties = {
	displayName: 'Accept Automatically',
	name: 'acceptAutomatically',
	type: 'boolean',
	default: true,
	description: 'Whether the relationship is accepted when a new person has accepted the request',
};

const numberOfPeople: INodeProperties = {
	displayName: 'Number of People',
	name: 'numberOfPeople',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 1,
	description:
		'How many people can answer this code. The execution goes on when all have answered, or with the answers that there are when the time is up, with one item per person.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel([
		{
			...limitWaitTime,
			description:
				'How long the execution waits and the QR code is valid; one hour without this option',
			default: {
				values: { limitType: 'afterTimeInterval', resumeAmount: 15, resumeUnit: 'minutes' },
			},
		},
		noAnswer,
		numberOfPeople,
		...protectionOptions,
		acceptUnprovenAnswers,
		qrCodeFormat,
		...pageOptions,
		...requestOptions,
	]),
};

const content = contentFields.map((field) =>
	field.name === 'askConnectedPeers' ? { ...field, default: true } : field,
);

const ownFields = [purpose, pageText, accept, options, pageTexts];

const inputSchema = parameterSchema((z, fields) => {
	const { limitWaitTime: limit, noAnswer: without } = waitOptionSchemas(z, fields);
	const { optionalText } = fields;
	return z.object({
		...pageSchemas(z),
		purpose: optionalText,
		acceptAutomatically: z.boolean(),
		options: z.object({
			...pageOptionSchemas(z, fields),
			limitWaitTime: limit,
			noAnswer: without,
			numberOfPeople: fields.limit.pipe(z.number().max(100, 'At most 100')).default(1),
			forIdentity: optionalText,
			password: optionalText,
			passwordLocationIndicator: optionalText,
			acceptUnprovenAnswers: z.boolean().default(false),
			qrCodeFormat: z.enum(['reference', 'link']).default('link'),
		}),
	});
});

const usualTimeMs = 3_600_000;
/** An answer that was given in the last seconds of the template may still be on its way. */
const onItsWayMs = 10_000;

/** Has the name that n8n requires for the signature of the address that resumes an execution. */
export const sendAndWait: Operation = {
	properties: forOperation('relationshipTemplate', 'sendAndWait', [
		webhookNotice,
		...content,
		...ownFields,
		restartNotice,
	]),
	output: 'awaitedAnswer',

	async execute(call) {
		const { functions, gateway } = call;
		await requireOneWait(functions);
		const entered = await parseParameters(call, ownFields, inputSchema);
		const { options: chosen, pageText: text, pageTexts: texts } = entered;
		const template = await readContent(call, content);
		await requireQuestion(template);
		const title = chosen.pageTitle ?? requireTitle(call, template);
		const { until } = await readTimes(call, chosen);
		const expiresAt = until ?? new Date(Date.now() + usualTimeMs).toISOString();
		const { language, noAnswer: without, redirectUrl, qrCodeFormat: format } = chosen;
		const people = chosen.numberOfPeople;
		if (people > 1) requireRedirectForSeveral(call, redirectUrl);
		const { pageUrl, statusUrl, wait } = waitWithPage(
			call,
			{ answerAs: 'template', noAnswer: without, accept: entered.acceptAutomatically },
			{ title, text, language, texts, qrCodeFormat: format, ...defined({ redirectUrl }) },
			new Date(Date.parse(expiresAt) + onItsWayMs).toISOString(),
		);
		const created = await gateway.templates.create(
			{
				content: template,
				expiresAt,
				maxNumberOfAllocations: people,
				...defined({ purpose: entered.purpose }),
				...protectionOf(chosen),
			},
			{
				...withHints(call),
				acceptUnprovenAnswers: chosen.acceptUnprovenAnswers,
				wait: {
					...wait,
					holdMs: chosen.secondsToShow * 1_000,
					...(people === 1 ? {} : { answersWanted: people }),
				},
			},
		);
		await putToWait(call);
		const entrance = renderEntrance({
			pageUrl,
			statusUrl,
			language: pageLanguage(language, acceptLanguage(call)),
		});
		await functions.sendResponse(entrance);
		// n8n returns this to a caller that waits for the output of the last node, and drops it
		// afterwards.
		const { id: templateId, reference, truncatedReference } = created;
		return [toRecord({ pageUrl, templateId, link: reference.url, truncatedReference, expiresAt })];
	},
};

/**
 * Refuses the ID of a request in an address to which several people are sent: none of them may get
 * the ID of another one.
 *
 * @throws NodeOperationError
 */
function requireRedirectForSeveral(
	{ functions, itemIndex }: OperationCall,
	redirectUrl: string | undefined,
): void {
	if (redirectUrl?.includes('{requestId}') !== true) return;
	throw parameterError(
		functions.getNode(),
		"'Redirect URL' cannot contain {requestId} for several people",
		{
			itemIndex,
			description:
				"All visitors of the page are sent to the same address. Remove {requestId} from it, or set 'Number of People' to 1.",
		},
	);
}

function waitWithPage(
	call: OperationCall,
	note: WaitNote,
	entered: Omit<PageNote, 'statusUrl'>,
	until: string,
): { pageUrl: string; statusUrl: string; wait: NewWait } {
	const wait = newWait(call, note, { until });
	const { id, key } = wait;
	const signed = (show: string) => resumeAddress(call.functions, { wait: id, key, show });
	const [pageUrl, statusUrl] = [signed('page'), signed('status')];
	const whole: WaitNote = { ...note, page: { ...entered, statusUrl } };
	return { pageUrl, statusUrl, wait: { ...wait, note: whole } };
}

/** Header of the visitor's request, if the workflow begins with it. */
function acceptLanguage({ functions, itemIndex }: OperationCall): string | undefined {
	const json = functions.getInputData()[itemIndex]?.json ?? {};
	return textMember(objectMember(json, 'headers'), 'accept-language');
}
