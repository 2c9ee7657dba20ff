import { defineErrors } from '../base/errors';

/** Errors that stop a transfer; every one leaves the account at its place. */
export const transferErrors = defineErrors({
	noAccount: {
		code: 'error.gateway.moving.noAccount',
		kind: 'notFound',
		meaning: 'The place that was named holds no account with a complete identity.',
		remedy: 'Check the place and the account name; an account exists once n8n has used it.',
	},
	samePlace: {
		code: 'error.gateway.moving.samePlace',
		kind: 'invalid',
		meaning: 'Source and target of the move are the same place.',
		remedy: 'Choose another folder, database or account name as the destination.',
	},
	identityLivesHere: {
		code: 'error.gateway.moving.identityLivesHere',
		kind: 'conflict',
		meaning: 'The target holds a living account of the same identity.',
		remedy:
			'The account exists there already, and must not exist twice. Use the existing one, or choose another store to keep it unchanged.',
	},
	targetTaken: {
		code: 'error.gateway.moving.targetTaken',
		kind: 'conflict',
		meaning: 'The target holds an account of another identity under the same name.',
		remedy: 'Another account has this name there: choose another account name with --to-account.',
	},
	formerCopyHere: {
		code: 'error.gateway.moving.formerCopyHere',
		kind: 'conflict',
		meaning: 'The account was moved away from this place; only its former copy is left.',
		remedy:
			'Use the account at the place it was moved to. Only if that place is lost permanently, repeat with --replace-retired: two copies in use would overwrite each other at the Backbone.',
	},
	copyDiffers: {
		code: 'error.gateway.moving.copyDiffers',
		kind: 'internal',
		meaning:
			'The copy was compared with the original and differs from it. The disk or the database may have failed to write.',
		remedy: 'The account stays where it was. Repeat the command; if it fails again, report it.',
	},
	keyDoesNotSign: {
		code: 'error.gateway.moving.keyDoesNotSign',
		kind: 'internal',
		meaning:
			'The keys of the account were tried before the copy, and a signature made with them is not accepted.',
		remedy:
			'The private key of the identity does not belong to its public key: the store is damaged, restore it from a backup.',
	},
	contentInvalid: {
		code: 'error.gateway.moving.contentInvalid',
		kind: 'invalid',
		meaning: 'A record of the account cannot be read by this version.',
		remedy:
			'The copy contains data that this version does not know. Use the version of this package that wrote it, or a newer one.',
	},
	weakPassword: {
		code: 'error.gateway.moving.weakPassword',
		kind: 'invalid',
		meaning: 'The password for the exported file has fewer than 12 characters.',
		remedy:
			'The file holds the keys of the identity: choose a password of at least 12 characters that is used for nothing else.',
	},
	wrongPassword: {
		code: 'error.gateway.moving.wrongPassword',
		kind: 'forbidden',
		meaning: 'The password does not open the exported file, or the header of the file was altered.',
		remedy: 'Enter the password with which the file was written.',
	},
	fileExists: {
		code: 'error.gateway.moving.fileExists',
		kind: 'conflict',
		meaning: 'The file to write exists already.',
		remedy: 'Choose another file name: a file is never overwritten.',
	},
	fileNotUsable: {
		code: 'error.gateway.moving.fileNotUsable',
		kind: 'invalid',
		meaning: 'The operating system refused to read or write the file.',
		remedy: 'Check the path, the free space and the permissions.',
	},
	fileForeign: {
		code: 'error.gateway.moving.fileForeign',
		kind: 'invalid',
		meaning: 'The file is not an exported account.',
		remedy: "Choose a file that 'account export' has written.",
	},
	fileNewer: {
		code: 'error.gateway.moving.fileNewer',
		kind: 'conflict',
		meaning: 'The format of the file is newer than this version of the package.',
		remedy: 'The file was written by a newer version of this package; update the package.',
	},
	fileDamaged: {
		code: 'error.gateway.moving.fileDamaged',
		kind: 'invalid',
		meaning: 'The content of the file does not fit its checksums or its end is missing.',
		remedy:
			'The file is incomplete or was altered, so nothing in it was used. Use another copy of the file.',
	},
});
