import { randomBytes } from 'node:crypto';
import type { GatewayFacade, WaitDto } from '../../../core';
import { isNotFound } from '../errors/not-found';
import { PeerProfiles } from '../gateway/peers';
import { resultOf } from '../output/simplify-request';
import { renderStatus, type PageResponse, type PageState } from '../waiting-page/page-state';
import { chooseLanguage } from '../waiting-page/page-texts';
import { renderWaitingPage, type Invitation } from '../waiting-page/waiting-page';
import { noteOf } from './answer-item';
import { newestRelationship } from './newest-relationship';
import type { PageNote } from './wait-note';

interface Visit {
	/** whether the page asks for its state */
	readonly isStatus: boolean;
	/** header of the visitor's request */
	readonly acceptLanguage: string | undefined;
}

/** Languages with texts of their own; the first one is for visitors who prefer none of them. */
const languages = ['en', 'de'] as const;

/**
 * Page of a waiting execution for its visitor, or the state that the page asks for. Shows the
 * answer to this wait only, and changes nothing.
 */
export async function showPage(
	gateway: GatewayFacade,
	wait: WaitDto | undefined,
	{ isStatus, acceptLanguage }: Visit,
): Promise<PageResponse> {
	const page = wait === undefined ? undefined : noteOf(wait).page;
	const state = await stateOf(gateway, wait, page);
	if (isStatus) return renderStatus(state);
	const language = pageLanguage(page?.language, acceptLanguage);
	return renderWaitingPage({
		title: page?.title ?? 'Enmeshed',
		state,
		language,
		...(page === undefined ? {} : { texts: page.texts }),
		nonce: newNonce(),
		now: Date.now(),
		...(state.state === 'waiting' && wait !== undefined && page !== undefined
			? { invitation: await invitationOf(gateway, wait, page) }
			: {}),
	});
}

export function newNonce(): string {
	return randomBytes(18).toString('base64');
}

/** Language of the page; by default the language that the visitor prefers. */
export function pageLanguage(
	language: PageNote['language'] | undefined,
	acceptLanguage: string | undefined,
): string {
	if (language !== undefined && language !== 'auto') return language;
	return chooseLanguage(acceptLanguage, [...languages]);
}

async function stateOf(
	gateway: GatewayFacade,
	wait: WaitDto | undefined,
	page: PageNote | undefined,
): Promise<PageState> {
	if (wait === undefined || page === undefined) return { state: 'gone' };
	const { outcome, answersWanted: wanted, answersSoFar: answers = 0 } = wait;
	if (outcome === undefined) {
		return { state: 'waiting', ...(wanted === undefined ? {} : { progress: { answers, wanted } }) };
	}
	if (outcome.kind === 'timedOut') return { state: 'expired' };
	if (outcome.kind === 'ended') return { state: 'gone' };
	// The page cannot tell which of several people looks at it.
	if (wanted !== undefined) return { state: 'answered', redirectTo: page.redirectUrl };
	const request = await gateway.outgoingRequests
		.get(outcome.reference)
		.catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
	if (request === undefined) return { state: 'gone' };
	if (resultOf(request) !== 'Accepted') return { state: 'rejected' };
	// New people cannot answer here, and get no thanks and no address of a next page.
	if (noteOf(wait).visit?.onlyConnected === true) {
		const relationship = await newestRelationship(gateway, request.peer);
		if (relationship?.template.id === wait.subject) return { state: 'gone' };
	}
	const { name } = await new PeerProfiles(gateway).ofAddress(request.peer);
	return {
		state: 'answered',
		name,
		redirectTo: page.redirectUrl?.replaceAll('{requestId}', request.id),
	};
}

async function invitationOf(
	gateway: GatewayFacade,
	{ subject }: WaitDto,
	{ text, statusUrl, qrCodeFormat }: PageNote,
): Promise<Invitation> {
	const { reference, expiresAt } = await gateway.templates.get(subject);
	const qrCodeSvg = await gateway.templates.qrCodeSvg(subject, qrCodeFormat);
	return { text, qrCodeSvg, link: reference.url, expiresAt, statusUrl };
}
