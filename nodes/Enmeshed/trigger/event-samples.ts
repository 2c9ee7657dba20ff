import type { NodeHint } from 'n8n-workflow';
import type { EventOutput } from '../schemas/event-output';
import { anyEvent, eventNames, relationshipChanged } from './trigger-events';

/** Members of the items of one kind of event, beside the members of every event. */
type Sample = Partial<EventOutput>;

const person = {
	peer: 'did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
	peerName: 'Ada Lovelace',
};
const relationshipId = 'RELa1B2c3D4e5F6g7H8i';
const template = {
	templateId: 'RLTa1B2c3D4e5F6g7H8i',
	templateTitle: 'Our newsletter',
	purpose: 'newsletter',
};
const told = {
	sharedAttributes: { PhoneNumber: '+49 6221 123456' },
	answers: { GivenName: 'Ada', EMailAddress: 'ada@example.com', Consent: true },
};
const attribute = {
	...person,
	attributeId: 'ATTa1B2c3D4e5F6g7H8i',
	attributeType: 'EMailAddress',
	value: 'ada@example.com',
};
const request = { requestId: 'REQa1B2c3D4e5F6g7H8i', requestTitle: 'About you' };

const mail: Sample = {
	...person,
	messageId: 'MSGa1B2c3D4e5F6g7H8i',
	messageType: 'Mail',
	subject: 'A question',
	body: 'When do you open?',
	bodyFormat: 'PlainText',
	attachments: ['FILa1B2c3D4e5F6g7H8i'],
};

const relationship = (status: string, more: Sample = {}): Sample => ({
	...person,
	relationshipId,
	status,
	...more,
	...template,
	...told,
});

/** Samples of items by the events that a person can choose. */
export const eventSamples: Readonly<Record<string, Sample>> = {
	[anyEvent]: { ...person },
	[relationshipChanged]: relationship('Active'),
	'relationship.requested': relationship('Pending'),
	'relationship.accepted': relationship('Active'),
	'relationship.ended': relationship('Terminated'),
	'relationship.reactivation': relationship('Terminated'),
	'peer.deletion': relationship('Active', { peerDeletionDate: '2030-02-01T00:00:00.000Z' }),
	'transport.relationshipDecomposedBySelf': { relationshipId, data: { relationshipId } },
	'transport.relationshipTemplateAllocationsExhausted': template,
	'peer.mailReceived': mail,
	'transport.messageReceived': mail,
	'gateway.answerRefused': {
		...person,
		requestId: request.requestId,
		data: {
			refusedAt: '2030-01-01T00:00:00.000Z',
			source: { type: 'Message', reference: 'MSGa1B2c3D4e5F6g7H8i' },
			code: 'error.gateway.requests.answeredAlready',
			message: 'The peer has answered the template already.',
			requestId: request.requestId,
			templateId: template.templateId,
		},
	},
	'peer.outgoingRequestAnswered': {
		...person,
		relationshipId,
		status: 'Completed',
		templateId: template.templateId,
		...request,
		result: 'Accepted',
		answers: told.answers,
	},
	'peer.attributeShared': attribute,
	'peer.attributeChanged': { ...attribute, previousValue: 'lovelace@example.com' },
	'peer.attributeDeleted': attribute,
	'consumption.incomingRequestReceived': {
		...person,
		status: 'ManualDecisionRequired',
		messageId: 'MSGa1B2c3D4e5F6g7H8i',
		...request,
		content: { items: [] },
	},
	'consumption.incomingRequestStatusChanged': {
		...person,
		status: 'Completed',
		messageId: 'MSGa1B2c3D4e5F6g7H8i',
		...request,
		result: 'Accepted',
		content: { items: [] },
	},
};

/**
 * Hints that show what the chosen events give, in the output of the trigger and in the input of the
 * next node, until the trigger has run. The editor shows no output schema of a trigger: it refuses
 * to ask for one.
 */
export const sampleHints: NodeHint[] = Object.entries(eventSamples).map(([event, sample]) => ({
	message: `Each event gives items like this:${toHtml({ event: '…', eventName: labelOf(event), id: 'EVT000000000042', createdAt: '2030-01-01T12:00:00.000Z', ...sample })}`,
	type: 'info',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ $parameter["events"].includes(${JSON.stringify(event)}) }}`,
}));

function labelOf(event: string): string {
	return event === anyEvent ? '…' : (eventNames[event] ?? event);
}

function toHtml(sample: object): string {
	const members = Object.entries(sample).map(
		([name, value]) => `<li><code>${name}</code>: ${textOf(value)}</li>`,
	);
	return `<ul>${members.join('')}</ul>`;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
