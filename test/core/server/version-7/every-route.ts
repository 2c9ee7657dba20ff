import { inOneHour, relate, settle } from '../../../support/gateways';
import type { Answer, HttpGateway } from '../support/http-gateway';

const prefix = '/api/core/v1';

/** Call of one route, with the names that the document has. */
export interface Call {
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, string | readonly string[]>>;
	readonly json?: object;
	readonly form?: Readonly<Record<string, string>>;
	/** status, if the call fails as things are */
	readonly refused?: number;
}

/** Objects that the calls name. */
export async function prepare(a: HttpGateway, b: HttpGateway) {
	const { relationshipId } = await relate(a.gateway, b.gateway);
	const peer = (await b.gateway.account.getIdentity()).address;
	const own = (await a.gateway.account.getIdentity()).address;
	const post = async (http: HttpGateway, path: string, json: object): Promise<Answer['result']> =>
		(await http.ask(`POST ${prefix}${path}`, { json })).result;
	const upload = async (http: HttpGateway): Promise<Answer['result']> => {
		const body = new FormData();
		body.append('file', new File(['Hello'], 'note.txt', { type: 'text/plain' }));
		return (await http.ask(`POST ${prefix}/Files/Own`, { body })).result;
	};
	const template = (http: HttpGateway) => post(http, '/RelationshipTemplates/Own', newTemplate());
	const token = (http: HttpGateway) => post(http, '/Tokens/Own', newToken());
	const request = async (): Promise<string> => {
		const { id, content } = await post(b, '/Requests/Outgoing', { content: consent, peer: own });
		await post(b, '/Messages', { recipients: [own], content });
		await settle(a.gateway);
		return id;
	};
	const file = await upload(a);
	return {
		...{ relationshipId, peer, file: file.id },
		key: (await post(a, '/Keys', { name: 'first', scopes: ['core:*'] })).id,
		webhook: (await post(a, '/Webhooks', newWebhook)).id,
		attribute: (await post(a, '/Attributes', givenName('Ada'))).id,
		incoming: [await request(), await request()] as const,
		outgoing: (await post(a, '/Requests/Outgoing', { content: consent, peer })).id,
		message: (await post(a, '/Messages', { ...mail(peer), attachments: [file.id] })).id,
		template: (await template(a)).id,
		token: (await token(a)).id,
		challenge: await post(b, '/Challenges', { challengeType: 'Identity' }),
		peers: {
			file: (await upload(b)).reference.truncated,
			template: (await template(b)).reference.truncated,
			token: (await token(b)).reference.truncated,
		},
	};
}
export type Prepared = Awaited<ReturnType<typeof prepare>>;

const consent = {
	items: [{ '@type': 'ConsentRequestItem', mustBeAccepted: false, consent: 'You agree.' }],
};
const givenName = (value: string) => ({ content: { value: { '@type': 'GivenName', value } } });
const mail = (peer: string) => ({
	recipients: [peer],
	content: { '@type': 'Mail', to: [peer], subject: 'S', body: 'B' },
});
const newTemplate = () => ({
	content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
	expiresAt: inOneHour(),
});
const newWebhook = { url: 'https://crm.invalid', events: ['consumption.*'] };
const newToken = () => ({ content: { a: 1 }, expiresAt: inOneHour(), ephemeral: false });
const identityQuery = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
const keyQuery = {
	key: 'k',
	owner: '',
	attributeCreationHints: {
		title: 'K',
		valueType: 'ProprietaryString',
		confidentiality: 'public',
	},
};

/** A call of every route, in an order in which each finds what it needs. */
export const callsWith = (given: Prepared): Readonly<Record<string, Call>> => ({
	'get /health': {},
	'get /health/live': {},
	'get /health/ready': {},
	'get /Monitoring/Version': {},
	'get /Monitoring/Requests': {},
	'get /Monitoring/Support': {},
	'get /Events': { query: { after: '0' } },
	...below('Account', {
		'get IdentityInfo': {},
		'post Sync': {},
		'post Reconcile': { json: { full: true } },
		'get SyncInfo': {},
		'get SyncStatus': {},
		'get Problems': {},
		'post Problems/Retry': { json: { all: true } },
		'post Problems/Discard': { json: { all: true, kind: 'delivery' } },
	}),
	...below('Announcements', { 'get ': { query: { language: 'en' } } }),
	...below('Attributes', {
		'put CanCreate': { json: givenName('Eve') },
		'post ': { json: { content: { ...givenName('Eve').content, tags: ['x:one'] } } },
		'get ': { query: { 'content.value.@type': ['GivenName', 'Surname'] } },
		'post {predecessorId}/Succeed': {
			path: { predecessorId: given.attribute },
			json: { successorContent: givenName('Bea').content },
		},
		'post {attributeId}/NotifyPeer': {
			path: { attributeId: given.attribute },
			json: { peer: given.peer },
			refused: 400,
		},
		'get {attributeId}': { path: { attributeId: given.attribute } },
		'get Own/Identity': { query: { onlyLatestVersions: 'false' } },
		'get Own/Shared/{peer}': { path: { peer: given.peer }, query: { hideTechnical: 'true' } },
		'get Peer/{peer}': { path: { peer: given.peer } },
		'get TagCollection': {},
		'get {attributeId}/ForwardingDetails': { path: { attributeId: given.attribute } },
		'get {attributeId}/Versions': { path: { attributeId: given.attribute } },
		'get {attributeId}/Versions/Shared': {
			path: { attributeId: given.attribute },
			query: { peer: given.peer },
		},
		'post ExecuteIdentityAttributeQuery': { json: { query: identityQuery } },
		'post ExecuteRelationshipAttributeQuery': {
			json: { query: { '@type': 'RelationshipAttributeQuery', ...keyQuery } },
			refused: 404,
		},
		'post ExecuteThirdPartyRelationshipAttributeQuery': {
			json: {
				query: {
					'@type': 'ThirdPartyRelationshipAttributeQuery',
					key: 'k',
					owner: 'recipient',
					thirdParty: [given.peer],
				},
			},
		},
		'post ExecuteIQLQuery': { json: { query: { '@type': 'IQLQuery', queryString: 'GivenName' } } },
		'post ValidateIQLQuery': { json: { query: { '@type': 'IQLQuery', queryString: '&' } } },
		'delete {attributeId}': { path: { attributeId: given.attribute } },
	}),
	...below('BackboneNotifications', {
		'post ': { json: { recipients: [given.peer], code: 'test' } },
	}),
	...below('Challenges', {
		'post ': { json: { challengeType: 'Relationship', relationship: given.relationshipId } },
		'post Validate': {
			json: {
				challengeString: given.challenge.challengeString,
				signature: given.challenge.signature,
			},
		},
	}),
	...below('Files', {
		'post Own': { form: { file: 'Hello', title: 'Note' } },
		'get Own': {},
		'post Peer': { json: { reference: given.peers.file } },
		'get Peer': {},
		'get ': { query: { mimetype: 'text/plain' } },
		'get {idOrReference}': { path: { idOrReference: given.file } },
		'get {id}/Download': { path: { id: given.file } },
		'post {id}/Token': { path: { id: given.file }, json: { ephemeral: true } },
		'patch {id}/RegenerateOwnershipToken': { path: { id: given.file }, refused: 400 },
	}),
	...below('IdentityMetadata', {
		'put ': { json: { reference: given.peer, value: { a: 1 } } },
		'get ': { query: { reference: given.peer } },
		'delete ': { query: { reference: given.peer } },
	}),
	...below('Requests/Incoming', {
		'get ': { query: { status: 'ManualDecisionRequired' } },
		'get {id}': { path: { id: given.incoming[0] } },
		...decision('CanAccept', given.incoming[0], true),
		...decision('Accept', given.incoming[0], true),
		...decision('CanReject', given.incoming[1], false),
		...decision('Reject', given.incoming[1], false),
	}),
	...below('Requests/Outgoing', {
		'post Validate': { json: { content: consent, peer: given.peer } },
		'post ': { json: { content: consent, peer: given.peer } },
		'get ': {},
		'get {id}': { path: { id: given.outgoing } },
	}),
	...below('Messages', {
		'post ': { json: mail(given.peer) },
		'get ': { query: { 'content.bodyFormat': 'PlainText' } },
		'get {id}': { path: { id: given.message } },
		'get {id}/Attachments/{attachmentId}': {
			path: { id: given.message, attachmentId: given.file },
		},
		'get {id}/Attachments/{attachmentId}/Download': {
			path: { id: given.message, attachmentId: given.file },
		},
	}),
	...below('RelationshipTemplates', {
		'post Own': { json: newTemplate() },
		'get Own': {},
		'post Peer': { json: { reference: given.peers.template } },
		'get Peer': {},
		'get ': {},
		'get {id}': { path: { id: given.template } },
		'post Own/{id}/Token': { path: { id: given.template }, json: {} },
		'delete {id}': { path: { id: given.template } },
	}),
	...below('Tokens', {
		'post Own': { json: newToken() },
		'get Own': {},
		'post Peer': { json: { reference: given.peers.token } },
		'get Peer': {},
		'get {id}': { path: { id: given.token } },
		'delete {id}': { path: { id: given.token } },
	}),
	...below('Contacts', {
		'get ': { query: { status: 'Active', limit: '10' } },
		'post Find': { json: { name: 'Ada' } },
		'get {address}': { path: { address: given.peer } },
		'get {address}/History': {
			path: { address: given.peer },
			query: { kind: ['relationship', 'message'] },
		},
		'get {address}/Export': { path: { address: given.peer } },
		'post {address}/Erase': { path: { address: given.peer }, json: {}, refused: 400 },
	}),
	...below('Events', {
		'get ': { query: { after: '0', event: 'consumption.*' } },
		'post Acknowledge': { json: { consumer: 'crm', position: 0 } },
		'delete Consumers/{consumer}': { path: { consumer: 'crm' } },
	}),
	...below('Waits', {
		'get ': {},
		'get {id}': { path: { id: 'unknown' }, refused: 404 },
		'get {id}/Members': { path: { id: 'unknown' }, refused: 404 },
		'delete {id}': { path: { id: 'unknown' }, refused: 404 },
	}),
	...below('Audit', {
		'get ': { query: { limit: '10' } },
		'get Export': { query: { route: '/Keys' } },
		'get Verification': { query: { head: `1:${'a'.repeat(43)}` } },
	}),
	...below('Keys', {
		'post ': { json: { name: 'second', scopes: ['core:*'] } },
		'get ': {},
		'post {id}/Rotate': { path: { id: given.key }, json: { overlapHours: 1 } },
		'delete {id}': { path: { id: given.key } },
	}),
	...below('Webhooks', {
		'post ': { json: newWebhook },
		'get ': {},
		'get {id}': { path: { id: given.webhook } },
		'patch {id}': { path: { id: given.webhook }, json: { events: ['**'] } },
		'post {id}/Test': { path: { id: given.webhook } },
		'get {id}/Parked': { path: { id: given.webhook } },
		'post {id}/Parked/Retry': { path: { id: given.webhook }, json: {} },
		'post {id}/Parked/Discard': { path: { id: given.webhook }, json: {} },
		'delete {id}': { path: { id: given.webhook } },
	}),
	...below('Relationships', {
		'put CanCreate': { json: { templateId: given.template } },
		'post ': { json: { templateId: given.template, creationContent: {} }, refused: 404 },
		'get ': { query: { templateId: given.template } },
		'get {id}': { path: { id: given.relationshipId } },
		'get {id}/Attributes': { path: { id: given.relationshipId } },
		...change(given, 'Accept', 400),
		...change(given, 'Reject', 400),
		...change(given, 'Revoke', 400),
		...change(given, 'Terminate'),
		...change(given, 'Reactivate'),
		...change(given, 'Reactivate/Accept', 400),
		...change(given, 'Reactivate/Reject', 400),
		...change(given, 'Reactivate/Revoke'),
		'delete {id}': { path: { id: given.relationshipId } },
	}),
	[`delete ${prefix}/Files/{idOrReference}`]: { path: { idOrReference: given.file } },
	...below('IdentityDeletionProcess', { 'post ': {}, 'get ': {}, 'delete ': {} }),
});

const below = (name: string, calls: Readonly<Record<string, Call>>): Record<string, Call> =>
	Object.fromEntries(
		Object.entries(calls).map(([call, given]) => {
			const [method, rest] = call.split(' ');
			return [`${method} ${[prefix, name, rest].filter(Boolean).join('/')}`, given];
		}),
	);
const decision = (tail: string, id: string, accept: boolean) => ({
	[`put {id}/${tail}`]: { path: { id }, json: { items: [{ accept }] } },
});
const change = ({ relationshipId: id }: Prepared, tail: string, refused?: number) => ({
	[`put {id}/${tail}`]: { path: { id }, ...(refused === undefined ? {} : { refused }) },
});
