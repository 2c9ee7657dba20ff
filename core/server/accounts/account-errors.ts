import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of the accounts of the HTTP gateway. */
export const accountErrors = defineErrors({
	exists: general.accountExists,
	unknown: {
		code: 'error.gateway.accounts.unknown',
		kind: 'notFound',
		meaning: 'The HTTP gateway has no account of this name.',
		remedy: 'List the accounts with GET /accounts, and use one of their names.',
	},
	notRunning: {
		code: 'error.gateway.accounts.notRunning',
		kind: 'unavailable',
		meaning: 'The account is paused, is just starting or being deleted, or could not be opened.',
		remedy:
			'Look at GET /accounts: resume a paused account; if an account could not be opened, its failure says what to correct, and it is tried again by itself.',
	},
	fromConfiguration: {
		code: 'error.gateway.accounts.fromConfiguration',
		kind: 'conflict',
		meaning: 'The account is named by the configuration, so it cannot be deleted over HTTP.',
		remedy:
			'Remove the account from the configuration and restart the gateway; its data stays in the store. Pause it to stop it now.',
	},
	notHosted: {
		code: 'error.gateway.accounts.notHosted',
		kind: 'invalid',
		meaning: 'The default account is not managed over HTTP: the gateway ends with it.',
		remedy: "Use the command 'n8n-nodes-enmeshed account' for the default account.",
	},
	wrongConfirmation: {
		code: 'error.gateway.accounts.wrongConfirmation',
		kind: 'invalid',
		meaning: 'An account is deleted only if its name is sent along, because this cannot be undone.',
		remedy:
			"Send the name of the account in the query 'confirm'. Export the account before if its identity is to be used again.",
	},
	noFreePlace: {
		code: 'error.gateway.accounts.noFreePlace',
		kind: 'conflict',
		meaning: 'The store has an account of this name already, which the gateway does not open.',
		remedy:
			"Choose another name; or add the account to the configuration to open it, or send 'openExisting' to do so.",
	},
});
