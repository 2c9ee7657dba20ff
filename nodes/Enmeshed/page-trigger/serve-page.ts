import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isGatewayError, toNodeError } from '../errors/to-node-error';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { textMember } from '../helpers/members';
import type { GatewayFacade, WaitDto } from '../../../core';
import { pageLanguage, showPage } from '../waiting/show-page';
import { renderEntrance } from '../waiting-page/entrance';
import type { PageResponse } from '../waiting-page/page-state';
import { CodeLimit } from './code-limit';
import { openVisit } from './open-visit';
import { pageAddress } from './page-address';
import { readPageSettings, type PageSettings } from './page-settings';
import { answeredVisit, visitItems } from './visit-answer';
import { isVisitor, visitId, visitorQuery } from './visits';

const codes = new CodeLimit();

/** time after the validity of a code in which the page still shows how it ended */
const shownMs = 600_000;

/**
 * Answers a visitor of the page. The address alone, which robots open, too, leads browsers on to a
 * code of their own: only that step makes a template. The address of the visitor shows the code,
 * and afterwards how it ended. Starts the workflow in a manual test only; for the published page
 * the trigger does it.
 *
 * @throws NodeOperationError if the page cannot be made as its fields say
 */
export async function servePage(functions: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query = functions.getQueryData();
	const visitor = textMember(query, 'visitor');
	const show = textMember(query, 'show');
	if (visitor !== undefined) return await serveVisit(functions, visitor, show === 'status');
	const settings = await readPageSettings(functions);
	const node = visitId(functions, '');
	const { codesPerMinute } = settings;
	if (show === 'ready') {
		return respond(functions, readiness(codes.hasRoom(node, codesPerMinute, Date.now())));
	}
	if (show !== 'code') return respond(functions, entrance(functions, settings));
	if (!codes.take(node, codesPerMinute, Date.now()))
		return later(functions, entrance(functions, settings));
	try {
		const created = await withGateway(functions, (gateway) =>
			openVisit(functions, gateway, settings),
		);
		return respond(functions, leadTo(functions, created));
	} catch (error) {
		const isTemporary = isGatewayError(error) && error.kind === 'unavailable';
		if (!isTemporary) throw toNodeError(functions.getNode(), error);
		functions.logger.warn(`The page could not show a code: ${String(error)}`);
		return later(functions, entrance(functions, settings));
	}
}

/** Shows the code of a visitor, or its state. Never throws: n8n would start the workflow. */
async function serveVisit(
	functions: IWebhookFunctions,
	visitor: string,
	isStatus: boolean,
): Promise<IWebhookResponseData> {
	try {
		return await withGateway(functions, async (gateway) => {
			const wait = isVisitor(visitor)
				? await gateway.waits.find(visitId(functions, visitor), visitor)
				: undefined;
			const acceptLanguage = textMember(functions.getHeaderData(), 'accept-language');
			const shown = isShown(wait) ? wait : undefined;
			const page = await showPage(gateway, shown, { isStatus, acceptLanguage });
			const items = wait === undefined ? undefined : await testItems(functions, gateway, wait);
			respond(functions, wait === undefined && !isStatus ? { ...page, statusCode: 404 } : page);
			return {
				noWebhookResponse: true,
				...(items === undefined ? {} : { workflowData: [items] }),
			};
		});
	} catch (error) {
		functions.logger.warn(`The page of a visitor could not be shown: ${String(error)}`);
		if (isStatus) return respond(functions, readiness(false));
		const status = { visitor, show: 'status' };
		return later(functions, leadOn(functions, { pageQuery: { visitor }, statusQuery: status }));
	}
}

function isShown(wait: WaitDto | undefined): boolean {
	return Date.parse(wait?.until ?? '') + shownMs > Date.now();
}

/** Items with which a manual test starts, once there is an answer. */
async function testItems(
	functions: IWebhookFunctions,
	gateway: GatewayFacade,
	wait: WaitDto,
): Promise<Awaited<ReturnType<typeof visitItems>> | undefined> {
	const { outcome, id, key, isTaken } = wait;
	if (functions.getMode() !== 'manual' || isTaken || outcome?.kind !== 'answered') return undefined;
	const visit = await answeredVisit(gateway, wait, outcome.reference);
	if (visit === undefined) return undefined;
	const items = await visitItems(gateway, visit);
	await gateway.waits.handOver(id, key);
	return items;
}

async function withGateway<Result>(
	functions: IWebhookFunctions,
	work: (gateway: GatewayFacade) => Promise<Result>,
): Promise<Result> {
	const credential = await functions.getCredentials(credentialName);
	const { gateway, release } = await leaseGateway(functions, toGatewayConfig(credential));
	try {
		return await work(gateway);
	} finally {
		release();
	}
}

/** Page that leads to a code as soon as there is room for one. */
function entrance(functions: IWebhookFunctions, { language }: PageSettings): PageResponse {
	const query = visitorQuery(functions.getQueryData());
	const [pageQuery, statusQuery] = [{ ...query, show: 'code' }, { show: 'ready' }];
	return leadOn(functions, { pageQuery, statusQuery, language });
}

/** Page that leads to another one as soon as its status is good. */
function leadOn(
	functions: IWebhookFunctions,
	to: {
		readonly pageQuery: Record<string, string>;
		readonly statusQuery: Record<string, string>;
		readonly language?: PageSettings['language'];
	},
): PageResponse {
	const acceptLanguage = textMember(functions.getHeaderData(), 'accept-language');
	const page = renderEntrance({
		pageUrl: pageAddress(functions, to.pageQuery),
		statusUrl: pageAddress(functions, to.statusQuery),
		language: pageLanguage(to.language, acceptLanguage),
	});
	const policy =
		"sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src http: https:; base-uri 'none'; form-action 'none'";
	return { ...page, headers: { ...page.headers, 'content-security-policy': policy } };
}

function later(
	functions: IWebhookFunctions,
	{ headers, body }: PageResponse,
): IWebhookResponseData {
	const waiting = { ...headers, 'retry-after': '10' };
	return respond(functions, { statusCode: 503, headers: waiting, body });
}

function leadTo(functions: IWebhookFunctions, visitor: string): PageResponse {
	return {
		statusCode: 303,
		headers: {
			location: pageAddress(functions, { visitor }),
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-robots-tag': 'noindex, nofollow',
		},
		body: '',
	};
}

function readiness(isReady: boolean): PageResponse {
	return {
		statusCode: isReady ? 200 : 503,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			'access-control-allow-origin': '*',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		},
		body: JSON.stringify({ state: isReady ? 'ready' : 'busy' }),
	};
}

function respond(functions: IWebhookFunctions, page: PageResponse): IWebhookResponseData {
	functions.getResponseObject().writeHead(page.statusCode, page.headers).end(page.body);
	return { noWebhookResponse: true };
}
