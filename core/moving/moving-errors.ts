import { defineErrors } from '../base/errors';

/** What stops the copying of an account; every one of them leaves the account where it was. */
export const movingErrors = defineErrors({
	noAccount: {
		code: 'error.gateway.moving.noAccount',
		kind: 'notFound',
		remedy: 'Check the place and the account name; an account exists once n8n has used it.',
	},
	samePlace: {
		code: 'error.gateway.moving.samePlace',
		kind: 'invalid',
		remedy: 'Give another folder, database or account name as the place to go to.',
	},
	identityLivesHere: {
		code: 'error.gateway.moving.identityLivesHere',
		kind: 'conflict',
		remedy:
			'The account is there already, and there must not be two of it. Use the one that is there, or choose another store if that one is to be kept as it is.',
	},
	targetTaken: {
		code: 'error.gateway.moving.targetTaken',
		kind: 'conflict',
		remedy: 'Another account has this name there: choose another account name with --to-account.',
	},
	formerCopyHere: {
		code: 'error.gateway.moving.formerCopyHere',
		kind: 'conflict',
		remedy:
			'Use the account at the place it was moved to. Only if that place is lost for good, repeat with --replace-retired: two living copies would overwrite each other at the Backbone.',
	},
	copyDiffers: {
		code: 'error.gateway.moving.copyDiffers',
		kind: 'internal',
		remedy: 'The account stays where it was. Repeat the command; if it fails again, report it.',
	},
	keyDoesNotSign: {
		code: 'error.gateway.moving.keyDoesNotSign',
		kind: 'internal',
		remedy:
			'The private key of the identity does not belong to its public key: the store is damaged, restore it from a backup.',
	},
	contentInvalid: {
		code: 'error.gateway.moving.contentInvalid',
		kind: 'invalid',
		remedy:
			'The copy holds something that this version does not know. Use the version of this package that wrote it, or a newer one.',
	},
	weakPassword: {
		code: 'error.gateway.moving.weakPassword',
		kind: 'invalid',
		remedy:
			'The file holds the keys of the identity: choose a password of at least 12 characters that is used for nothing else.',
	},
	wrongPassword: {
		code: 'error.gateway.moving.wrongPassword',
		kind: 'forbidden',
		remedy: 'Enter the password that the file was written with.',
	},
	fileExists: {
		code: 'error.gateway.moving.fileExists',
		kind: 'conflict',
		remedy: 'Choose another file name: a file is never overwritten.',
	},
	fileNotUsable: {
		code: 'error.gateway.moving.fileNotUsable',
		kind: 'invalid',
		remedy: 'Check the path, the free space and the permissions.',
	},
	fileForeign: {
		code: 'error.gateway.moving.fileForeign',
		kind: 'invalid',
		remedy: "Give a file that 'account export' has written.",
	},
	fileNewer: {
		code: 'error.gateway.moving.fileNewer',
		kind: 'conflict',
		remedy: 'The file was written by a newer version of this package; update the package.',
	},
	fileDamaged: {
		code: 'error.gateway.moving.fileDamaged',
		kind: 'invalid',
		remedy: 'The file was cut off or altered; nothing of it was used. Take another copy of it.',
	},
});
