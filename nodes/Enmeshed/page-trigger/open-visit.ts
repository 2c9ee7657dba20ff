import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import {
	readContent,
	requireQuestion,
	requireTitle,
} from '../actions/relationshipTemplate/template-content';
import { defined } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import type { WaitNote } from '../waiting/wait-note';
import { pageAddress } from './page-address';
import { asOperation, type PageSettings } from './page-settings';
import { pageContentFields } from './page-trigger-fields';
import { newVisitor, visitId, visitorQuery } from './visits';

/** An answer that was given in the last seconds of the template may still be on its way. */
const onItsWayMs = 10_000;
/**
 * time for which a visit is remembered after its end, so that an answer that arrives late starts
 * the workflow: n8n or the Backbone may have been away
 */
const rememberedMs = 86_400_000;
const testRememberedMs = 600_000;

/**
 * Makes a code for a new visitor, which can be used once.
 *
 * @returns the ID of the visitor
 * @throws NodeOperationError, and the errors of the creation of a template
 */
export async function openVisit(
	functions: IWebhookFunctions,
	gateway: GatewayFacade,
	settings: PageSettings,
): Promise<string> {
	const reading = asOperation(functions);
	const call: OperationCall = {
		functions: reading,
		gateway,
		itemIndex: 0,
		signal: undefined,
		uploads: new Map(),
	};
	const content = await readContent(call, pageContentFields);
	await requireQuestion(content);
	const title = settings.pageTitle ?? requireTitle(call, content);
	const { pageText: text, language, texts, qrCodeFormat, redirectUrl } = settings;
	const onlyConnected = settings.whoCanAnswer === 'connected';
	const isTest = functions.getMode() === 'manual';
	const visitor = newVisitor();
	const expiresMs = Date.now() + settings.minutesValid * 60_000;
	const note: WaitNote = {
		answerAs: 'template',
		noAnswer: 'continue',
		accept: settings.acceptAutomatically && !onlyConnected,
		page: {
			...{ title, text, language, texts, qrCodeFormat },
			statusUrl: pageAddress(functions, { visitor, show: 'status' }),
			...defined({ redirectUrl }),
		},
		visit: {
			query: visitorQuery(functions.getQueryData()),
			...{ isTest, onlyConnected },
			startWhenDeclined: settings.startWhenDeclined,
		},
	};
	await gateway.templates.create(
		{
			content,
			expiresAt: new Date(expiresMs).toISOString(),
			maxNumberOfAllocations: 1,
			...defined({ purpose: settings.purpose }),
		},
		{
			wait: {
				id: visitId(functions, visitor),
				key: visitor,
				note,
				resumeUrl: '',
				until: new Date(expiresMs + onItsWayMs).toISOString(),
				holdMs: isTest ? testRememberedMs : rememberedMs,
			},
		},
	);
	return visitor;
}
