import { randomBytes } from 'node:crypto';
import type { Gateway, RequestDto, TemplateDto } from '../../../core';
import { openLog } from '../../support/log-lines';
import { relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

const consent = {
	'@type': 'ConsentRequestItem' as const,
	consent: 'May we?',
	mustBeAccepted: true,
};
const asked = { '@type': 'Request' as const, items: [consent] };
const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

let network: SandboxNetwork;
/** the account that asks */
let gateway: Gateway;
let anna: Gateway;
let bob: Gateway;
let ownAddress: string;
let annasAddress: string;
let bobsAddress: string;
const log = openLog();

beforeEach(async () => {
	network = await SandboxNetwork.open();
	log.lines.length = 0;
	gateway = await network.gateway(network.config(), { logger: log.logger });
	[anna, bob] = [await network.gateway(), await network.gateway()];
	({ addressA: ownAddress, addressB: annasAddress } = await relate(gateway, anna));
	({ addressB: bobsAddress } = await relate(gateway, bob));
});
afterEach(async () => {
	await network.close();
});

async function offer(more: object = {}, options: object = {}): Promise<TemplateDto> {
	const content = {
		'@type': 'RelationshipTemplateContent' as const,
		onNewRelationship: asked,
		onExistingRelationship: asked,
	};
	return await gateway.templates.create({ content, expiresAt: inOneHour(), ...more }, options);
}

const newRequestId = (): string =>
	`REQ${randomBytes(17).toString('base64url').replace(/[-_]/g, 'x').slice(0, 17)}`;

/** Sends an answer to a template of which the peer knows no more than the ID. */
async function claim(
	peer: Gateway,
	templateId: string,
	requestId = newRequestId(),
	type: 'Message' | 'RelationshipTemplate' = 'RelationshipTemplate',
): Promise<string> {
	const { id } = await peer.messages.send({
		recipients: [ownAddress],
		content: {
			'@type': 'ResponseWrapper',
			requestId,
			requestSourceReference: templateId,
			requestSourceType: type,
			response: {
				requestId,
				result: 'Accepted',
				items: [{ '@type': 'AcceptResponseItem', result: 'Accepted' }],
			},
		},
	});
	await settle(gateway);
	return id;
}

/** The person scans the code and accepts. */
async function scan(
	peer: Gateway,
	{ id, truncatedReference }: TemplateDto,
	pin?: string,
): Promise<void> {
	await peer.templates.loadPeer({
		reference: truncatedReference,
		...(pin === undefined ? {} : { password: pin }),
	});
	const [request] = await peer.incomingRequests.list({
		where: [{ field: 'sourceReference', op: 'eq', value: id }],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	await peer.incomingRequests.accept(request?.id ?? '', { items: [{ accept: true }] });
	await settle(peer);
	await settle(gateway);
}

async function requestsOf({ id }: TemplateDto): Promise<RequestDto[]> {
	return await gateway.outgoingRequests.list({
		where: [{ field: 'sourceReference', op: 'eq', value: id }],
	});
}

/** People whose answers to the template count. */
async function answeredBy(template: TemplateDto): Promise<string[]> {
	const requests = await requestsOf(template);
	return requests.filter(({ status }) => status === 'Completed').map(({ peer }) => peer);
}

async function refusals(): Promise<Array<Record<string, unknown>>> {
	const events = await gateway.events.recent({ names: ['gateway.answerRefused'] }, 10);
	return events.map(({ data }) => data);
}

const password = { passwordProtection: { password: '1234', passwordIsPin: true } } as const;

describe('an answer by message to a template', () => {
	it('counts once for each person, and a second one is stored as refused', async () => {
		const template = await offer();
		await claim(anna, template.id);
		const message = await claim(anna, template.id);
		await claim(bob, template.id);
		expect((await answeredBy(template)).sort()).toEqual([annasAddress, bobsAddress].sort());
		const refusal = {
			source: { type: 'Message', reference: message },
			code: 'error.gateway.requests.answeredAlready',
		};
		const asked = (await requestsOf(template)).find(({ peer }) => peer === annasAddress);
		expect(asked).toMatchObject({ refusedAnswers: [refusal] });
		expect(await refusals()).toMatchObject([
			{ ...refusal, requestId: asked?.id, templateId: template.id },
		]);
		const refused = log.lines.filter((line) => line.includes('an answer to a request was refused'));
		expect(refused).toHaveLength(1);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('is refused after an answer with a new relationship', async () => {
		const template = await offer();
		const lin = await network.gateway();
		await scan(lin, template);
		const [pending] = await lin.relationships.list();
		await gateway.relationships.accept(pending?.id ?? '');
		await settle(lin);
		await claim(lin, template.id);
		expect(await answeredBy(template)).toEqual([pending && (await addressOf(lin))]);
		expect(await refusals()).toMatchObject([{ code: 'error.gateway.requests.answeredAlready' }]);
	});

	it('under the ID of an earlier request is refused, and leaves that request as it is', async () => {
		const [first, second] = [await offer(), await offer()];
		const id = newRequestId();
		await claim(anna, first.id, id);
		await claim(anna, second.id, id);
		await claim(bob, second.id, id);
		expect(await answeredBy(first)).toEqual([annasAddress]);
		expect(await answeredBy(second)).toEqual([]);
		const sent = await gateway.outgoingRequests.get(id);
		expect(sent).toMatchObject({ peer: annasAddress, status: 'Completed' });
		expect(sent).not.toHaveProperty('refusedAnswers');
		expect(await refusals()).toHaveLength(2);
	});

	it.each<[string, () => Promise<TemplateDto>, string]>([
		[
			'for another person',
			() => offer({ forIdentity: annasAddress }),
			'error.gateway.requests.answerFromOther',
		],
		[
			'that was deleted',
			async () => {
				const template = await offer();
				await gateway.templates.delete(template.id);
				return template;
			},
			'error.gateway.requests.templateDeleted',
		],
		[
			'that has expired',
			async () => {
				const template = await offer();
				network.backbone.advanceClock(2 * 3_600_000);
				return template;
			},
			'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast',
		],
		[
			'that as many people have answered as it allows',
			async () => {
				const template = await offer({ maxNumberOfAllocations: 1 });
				await claim(anna, template.id);
				return template;
			},
			'error.gateway.requests.templateUsedUp',
		],
		['with a PIN', () => offer(password), 'error.gateway.requests.unprovenAnswer'],
	])('%s is refused, stored and never counts later', async (_which, offering, code) => {
		const template = await offering();
		const before = await answeredBy(template);
		const message = await claim(bob, template.id);
		await claim(bob, template.id);
		const [request, ...others] = (await requestsOf(template)).filter(
			({ peer }) => peer === bobsAddress,
		);
		expect(others).toEqual([]);
		expect(request).toMatchObject({ status: 'Expired', refusedAnswers: [{ code }, { code }] });
		expect(request).not.toHaveProperty('response');
		await claim(bob, message, request?.id, 'Message');
		expect(await answeredBy(template)).toEqual(before);
		expect((await refusals())[0]).toMatchObject({ code, requestId: request?.id });
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('to a template that is unknown here is reported without a request', async () => {
		const message = await claim(bob, 'RLT00000000000000001');
		expect(await refusals()).toEqual([
			{
				refusedAt: expect.any(String),
				source: { type: 'Message', reference: message },
				code: 'error.gateway.requests.responseMismatch',
				message: expect.any(String),
			},
		]);
	});

	it('that was given before the deletion counts', async () => {
		const template = await offer();
		await bob.templates.loadPeer({ reference: template.truncatedReference });
		const [request] = await bob.incomingRequests.list();
		await bob.incomingRequests.accept(request?.id ?? '', { items: [{ accept: true }] });
		await settle(bob);
		await gateway.templates.delete(template.id);
		await settle(gateway);
		expect(await answeredBy(template)).toEqual([bobsAddress]);
	});

	it('leaves no more than ten refusals in a request', async () => {
		const template = await offer(password);
		for (let count = 0; count < 12; count++) await claim(bob, template.id);
		const [request] = await requestsOf(template);
		expect(request?.refusedAnswers).toHaveLength(10);
	});

	it('is removed with the relationship', async () => {
		const template = await offer(password);
		await claim(bob, template.id);
		const [relationship] = await gateway.relationships.list({
			where: [{ field: 'peer', op: 'eq', value: bobsAddress }],
		});
		await gateway.relationships.terminate(relationship?.id ?? '');
		await gateway.relationships.decompose(relationship?.id ?? '');
		expect(await requestsOf(template)).toEqual([]);
		expect(await refusals()).toEqual([]);
	});
});

describe('a template with a PIN', () => {
	it('takes answers of connected people if it was made so', async () => {
		const template = await offer(password, { acceptUnprovenAnswers: true });
		const { truncatedReference: reference } = template;
		await gateway.templates.loadPeer({ reference, password: '1234' });
		await scan(anna, template, '1234');
		expect(await answeredBy(template)).toEqual([annasAddress]);
	});

	it('takes them if the gateway does, unless it was made otherwise', async () => {
		const config = network.config();
		gateway = await network.gateway({ ...config, acceptUnprovenAnswers: true });
		({ addressA: ownAddress } = await relate(gateway, anna));
		const [usual, strict] = [
			await offer(password),
			await offer(password, { acceptUnprovenAnswers: false }),
		];
		for (const template of [usual, strict]) await scan(anna, template, '1234');
		expect(await answeredBy(usual)).toEqual([annasAddress]);
		expect(await answeredBy(strict)).toEqual([]);
	});

	it('takes the answer of a new person, whom the Backbone asked for the PIN', async () => {
		const template = await offer(password);
		const lin = await network.gateway();
		await scan(lin, template, '1234');
		expect(await answeredBy(template)).toEqual([await addressOf(lin)]);
	});
});

describe('an answer to a request that was sent', () => {
	it('counts once, and a second one is stored as refused', async () => {
		const { id, content } = await gateway.outgoingRequests.create({
			content: { items: [consent] },
			peer: annasAddress,
		});
		const { id: message } = await gateway.messages.send({ recipients: [annasAddress], content });
		await claim(bob, message, id, 'Message');
		await claim(anna, message, id, 'Message');
		await claim(anna, message, id, 'Message');
		expect(await gateway.outgoingRequests.get(id)).toMatchObject({
			status: 'Completed',
			refusedAnswers: [{ code: 'error.gateway.requests.answeredAlready' }],
		});
		const codes = (await refusals()).map(({ code }) => code);
		expect(codes).toEqual([
			'error.gateway.requests.answerFromOther',
			'error.gateway.requests.answeredAlready',
		]);
		expect((await refusals())[0]).not.toHaveProperty('requestId');
	});
});

async function addressOf(person: Gateway): Promise<string> {
	return (await person.account.getIdentity()).address;
}
