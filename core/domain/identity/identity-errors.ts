import { general } from '../../base/error-definitions';
import type { ErrorFacts } from '../../base/error-codes';
import { defineErrors, type GatewayError } from '../../base/errors';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';

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
		meaning:
			'The host name in the addresses of this Backbone is another one than expected, or addresses cannot contain the expected one.',
		remedy:
			"The Backbone uses another host name in addresses than the one in its URL: enter that name in 'Address Hostname' (transportLibrary.addressGenerationHostnameOverride).",
	},
	foreignAddress: general.unexpectedAnswer,
	attributesHaveOneId: {
		code: 'error.gateway.identity.attributesHaveOneId',
		kind: 'conflict',
		meaning:
			'The account is served as version 7, whose attributes have one id, and cannot be served as version 6 any more.',
		remedy:
			"Serve the account as version 7: 'infrastructure.httpServer.connectorVersion' of 'serve', 'oneAttributeId' of the library. Or use another account.",
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
	notByAgent: {
		code: 'error.gateway.identity.notByAgent',
		kind: 'forbidden',
		meaning:
			'An AI agent wanted to start the deletion of the identity. A tool cannot tell whether a person has agreed.',
		remedy:
			"Start the deletion in a workflow of its own, with the node 'Enmeshed' and not with its tool.",
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
		...general.recordNotFound,
		remedy: 'Check the ID of the deletion process, or run a sync first.',
	},
	toBeDeleted: general.noSyncBeforeDeletion,
	nothingNew: {
		code: 'error.gateway.identity.toBeDeleted',
		kind: 'unavailable',
		meaning:
			'The identity is to be deleted, so the Backbone accepts nothing new from it: no message, file, template, token or relationship. Nothing was sent or created.',
		remedy: 'To keep the identity, cancel its deletion; then repeat the call.',
	},
	stillRefused: {
		...general.noSyncBeforeDeletion,
		kind: 'unavailable',
		remedy: 'The deletion was cancelled a moment ago: the next sync will work.',
	},
	unexpectedProcess: general.unexpectedAnswer,
	newerDatawallet: {
		...general.insufficientDatawalletVersion,
		remedy: 'Newer software has used this identity; update this package.',
	},
});

/** Error for a sync during the grace period. */
export function toBeDeleted(
	process: DeletionProcessRecord | undefined,
	cause?: unknown,
): GatewayError {
	return identityErrors.create('toBeDeleted', {
		message: `This identity is to be deleted${endOf(process)}. Nothing is synced or sent, unless the deletion is cancelled.`,
		facts: factsOf(process),
		cause,
	});
}

/** Error for a call that creates something; the Backbone has not carried it out. */
export function nothingNew(process: DeletionProcessRecord, cause?: unknown): GatewayError {
	return identityErrors.create('nothingNew', {
		message: `This identity is to be deleted${endOf(process)}, so it can send and create nothing.`,
		facts: { ...factsOf(process), sent: false },
		cause,
	});
}

/** The end may have passed, because the Backbone deletes identities some time after it. */
function endOf({ gracePeriodEndsAt }: Partial<DeletionProcessRecord> = {}): string {
	return gracePeriodEndsAt === undefined ? '' : ` (its grace period ends at ${gracePeriodEndsAt})`;
}

function factsOf({ id, gracePeriodEndsAt }: Partial<DeletionProcessRecord> = {}): ErrorFacts {
	return {
		...(id === undefined ? {} : { deletionProcessId: id }),
		...(gracePeriodEndsAt === undefined ? {} : { gracePeriodEndsAt }),
	};
}

/** Error for a deletion that begins while another one is under way. */
export function alreadyExists(process: DeletionProcessRecord, cause?: unknown): Error {
	const { id, status, gracePeriodEndsAt } = process;
	const until =
		gracePeriodEndsAt === undefined ? '' : `, whose grace period ends ${gracePeriodEndsAt}`;
	return identityErrors.create('activeProcessExists', {
		message: `The deletion process '${id}' is in the status '${status}'${until}.`,
		facts: { deletionProcessId: id, status },
		cause,
	});
}
