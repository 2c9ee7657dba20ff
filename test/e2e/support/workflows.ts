import type { Workflow } from '../../support/n8n/n8n-host';

const position = (column: number): [number, number] => [column * 220, 0];

const enmeshed = (credentialId: string) => ({
	type: 'n8n-nodes-enmeshed.enmeshed',
	typeVersion: 1,
	credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
});

function chain(...names: string[]): object {
	const links = names
		.slice(0, -1)
		.map((name, index) => [name, { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] }]);
	return Object.fromEntries(links) as object;
}

/** A webhook that makes an onboarding template with its QR code. */
export function makeTemplate(credentialId: string, path: string): Workflow {
	return {
		name: 'Make template',
		nodes: [
			{
				id: 'w1',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: position(0),
				webhookId: path,
				parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
			},
			{
				id: 'w2',
				name: 'Template',
				...enmeshed(credentialId),
				position: position(1),
				parameters: {
					resource: 'relationshipTemplate',
					operation: 'create',
					contentMode: 'fields',
					title: 'Onboarding',
					requestItems: {
						items: [{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true }],
					},
					expires: 'afterDays',
					expiresInDays: 2,
					binaryPropertyName: 'data',
					options: { maxNumberOfAllocations: 1 },
				},
			},
		],
		connections: chain('Webhook', 'Template'),
	};
}

/** Accepts pending relationships and welcomes the peer by its shared name. */
export function onboard(credentialId: string): Workflow {
	return {
		name: 'Onboard',
		nodes: [
			{
				id: 'o1',
				name: 'Relationship',
				type: 'n8n-nodes-enmeshed.enmeshedTrigger',
				typeVersion: 1,
				credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
				position: position(0),
				parameters: {
					events: ['transport.relationshipChanged'],
					filters: { statuses: ['Pending'] },
					options: { startFrom: 'now', syncIntervalSeconds: 10 },
				},
			},
			{
				id: 'o2',
				name: 'Accept',
				...enmeshed(credentialId),
				position: position(1),
				parameters: {
					resource: 'relationship',
					operation: 'accept',
					relationship: { __rl: true, mode: 'id', value: '={{ $json.relationshipId }}' },
				},
			},
			{
				id: 'o3',
				name: 'Welcome',
				...enmeshed(credentialId),
				position: position(2),
				parameters: {
					resource: 'message',
					operation: 'sendMail',
					to: { __rl: true, mode: 'address', value: "={{ $('Relationship').item.json.peer }}" },
					subject: "=Welcome {{ $('Relationship').item.json.peerName }}",
					body: 'Nice to meet you.',
					additionalFields: {},
				},
			},
		],
		connections: chain('Relationship', 'Accept', 'Welcome'),
	};
}

/** Runs once per received mail. */
export function onMail(
	credentialId: string,
	seconds = 0,
	sync: { readonly seconds?: number; readonly push?: boolean } = {},
): Workflow {
	const wait =
		seconds === 0
			? []
			: [
					{
						id: 'm2',
						name: 'Work',
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						position: position(1),
						parameters: {
							jsCode: `await new Promise((done) => setTimeout(done, ${seconds * 1_000})); return $input.all();`,
						},
					},
				];
	const last = {
		id: 'm3',
		name: 'Done',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: position(2),
		parameters: {},
	};
	return {
		name: 'On mail',
		nodes: [
			{
				id: 'm1',
				name: 'Mail',
				type: 'n8n-nodes-enmeshed.enmeshedTrigger',
				typeVersion: 1,
				credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
				position: position(0),
				parameters: {
					events: ['transport.messageReceived'],
					options: {
						startFrom: 'oldest',
						syncIntervalSeconds: sync.seconds ?? 10,
						maxAttempts: 5,
						push: sync.push ?? true,
					},
				},
			},
			...wait,
			last,
		],
		connections: wait.length === 0 ? chain('Mail', 'Done') : chain('Mail', 'Work', 'Done'),
	};
}
