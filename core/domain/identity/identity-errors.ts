import { defineErrors } from '../../base/errors';

/**
 * Coded errors of this account's identity and device (docs/protocol/crypto-and-identity.md 8, 12).
 */
export const identityErrors = defineErrors({
	noIdentityFound: {
		code: 'error.transport.general.noIdentityFound',
		kind: 'notFound',
		meaning: 'The account does not exist yet, and creating one is not allowed here.',
		remedy: 'Allow the creation of an identity, or check the account name and the store folder.',
	},
	anotherBackbone: {
		code: 'error.gateway.identity.belongsToAnotherBackbone',
		kind: 'conflict',
		meaning: 'The account was created at another Backbone.',
		remedy:
			"Enter the Backbone URL with which this account was created, or choose another 'Account Name' for the new Backbone.",
	},
	downgraded: {
		code: 'error.gateway.backbone.downgraded',
		kind: 'forbidden',
		meaning:
			'The account was created over an encrypted connection, and the Backbone address is now unencrypted.',
		remedy:
			"Enter the address with https://. Only if the connection is protected in another way, switch on 'Allow Unencrypted Connection' (transportLibrary.allowPlainHttp).",
	},
	addressMismatch: {
		code: 'error.gateway.identity.addressMismatch',
		kind: 'invalid',
		meaning: 'The Backbone gave the new identity an address with another host name than expected.',
		remedy:
			"The Backbone uses another host name in addresses than the one in its URL: enter that name in 'Address Hostname'.",
	},
	creationBusy: {
		code: 'error.gateway.identity.creationBusy',
		kind: 'unavailable',
		meaning: 'Another process has been creating the identity of this account for over a minute.',
		remedy: 'Another process is creating the identity of this account; repeat in a moment.',
	},
	activeProcessExists: {
		code: 'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists',
		kind: 'conflict',
		meaning: 'A deletion of the identity is under way already.',
		remedy: 'Wait for the deletion in progress, or cancel it before you start another one.',
	},
	noActiveProcess: {
		code: 'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess',
		kind: 'conflict',
		meaning: 'The identity is not being deleted.',
		remedy: 'Start the deletion of the identity first, if that is what you want.',
	},
	noApprovedProcess: {
		code: 'error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess',
		kind: 'conflict',
		meaning: 'No deletion of the identity is approved.',
		remedy: 'There is nothing to cancel: see the list of deletion processes.',
	},
	noWaitingProcess: {
		code: 'error.runtime.identityDeletionProcess.noWaitingForApprovalIdentityDeletionProcess',
		kind: 'conflict',
		meaning: 'No deletion of the identity waits for approval.',
		remedy:
			'Only a deletion that the operator has started waits for approval, on Backbones up to 6.56.',
	},
	processNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the ID of the deletion process, or run a sync first.',
	},
	deleted: {
		code: 'error.gateway.identity.deleted',
		kind: 'forbidden',
		remedy:
			"Enter another 'Account Name' for a new identity; the data that is stored here can still be read.",
	},
	toBeDeleted: {
		code: 'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
		kind: 'conflict',
		meaning: 'The Backbone starts no sync, because the identity is to be deleted.',
		remedy:
			'To keep the identity, cancel its deletion; messages that peers send in the meantime arrive then.',
	},
	stillRefused: {
		code: 'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
		kind: 'unavailable',
		remedy: 'The deletion was cancelled a moment ago: the next sync will work.',
	},
	unexpectedProcess: {
		code: 'error.gateway.backbone.unexpectedAnswer',
		kind: 'unavailable',
		remedy: 'The Backbone violates the protocol; report this to its operator.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	newerDatawallet: {
		code: 'error.transport.datawallet.insufficientSupportedDatawalletVersion',
		kind: 'conflict',
		remedy: 'Newer software has used this identity; update this package.',
	},
});
