import { defineErrors } from '../../base/errors';

/** Coded errors of executions that wait for a person (docs/adr/0028). */
export const waitErrors = defineErrors({
	severalItems: {
		code: 'error.gateway.waits.severalItems',
		kind: 'invalid',
		meaning: 'A node that sends and waits got several items; an execution waits for one person.',
		remedy:
			"Choose 'The Person of Each Item' under 'Ask', where the node has this field: all are asked at once. Otherwise put a 'Loop Over Items' node with batch size 1 before this node, and lead its output back to the loop. Do not call a sub-workflow for each item: n8n goes on after the first answer.",
	},
	cannotWaitHere: {
		code: 'error.gateway.waits.cannotWaitHere',
		kind: 'invalid',
		meaning:
			'An agent that cannot let the execution wait has called the node: an AI Agent before version 3, an agent that is a tool of another one, or an MCP Server Trigger.',
		remedy:
			"Connect the tool to an AI Agent node of version 3 or later that is not a tool itself, or use 'Message: Send Request' and receive the answer with an 'Enmeshed Trigger'.",
	},
	deadlinePassed: {
		code: 'error.gateway.waits.deadlinePassed',
		kind: 'invalid',
		meaning: 'The wait would end before it begins.',
		remedy: "Choose a later time under 'Limit Wait Time'.",
	},
	nothingAsked: {
		code: 'error.gateway.waits.nothingAsked',
		kind: 'invalid',
		meaning: 'The content of the template asks for nothing, so no answer can be waited for.',
		remedy: "Give a 'RelationshipTemplateContent', or use Create and an Enmeshed Trigger.",
	},
	emptyExpression: {
		code: 'error.gateway.waits.emptyExpression',
		kind: 'invalid',
		meaning:
			'An expression in a text that an agent sends has no value, so the person would read an incomplete sentence. Nothing was sent.',
		remedy:
			'Compare the names in the expressions of the field with the parameters of the tool, and let the agent fill them in.',
	},
	timeIsUp: {
		code: 'error.gateway.waits.timeIsUp',
		kind: 'conflict',
		meaning: 'The person did not answer in time.',
		remedy:
			"Give more time under 'Limit Wait Time', or let the workflow continue without an answer.",
	},
	noAnswerPossible: {
		code: 'error.gateway.waits.noAnswerPossible',
		kind: 'conflict',
		meaning:
			'The person can no longer answer: the relationship has ended, the identity was deleted, or the question was never sent.',
		remedy: 'Ask another person, or let the workflow continue without an answer.',
	},
	notResumed: {
		code: 'error.gateway.waits.notResumed',
		kind: 'unavailable',
		meaning: 'The answer of a person is here, but n8n did not continue the waiting execution.',
		remedy:
			'Check that n8n runs, and that the webhook address of n8n (WEBHOOK_URL) leads to it, or that its local address is reachable. The gateway keeps trying; Get Problems can discard the execution.',
	},
	notAccepted: {
		code: 'error.gateway.waits.notAccepted',
		kind: 'conflict',
		meaning:
			'The waiting node does not find the answer, because it uses another account than when it asked.',
		remedy:
			'Choose the former credential in the node and try again, or stop the execution and discard it with Get Problems.',
	},
});
