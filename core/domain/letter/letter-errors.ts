import { defineErrors } from '../../base/errors';

/** Errors of letters and labels. */
export const letterErrors = defineErrors({
	characterNotInFont: {
		code: 'error.gateway.letters.characterNotInFont',
		kind: 'invalid',
		meaning:
			'A text contains a character that the font does not have, or writing from right to left, which is not supported.',
		remedy: 'Give a font file that has the character, or write the text in other letters.',
	},
	doesNotFit: {
		code: 'error.gateway.letters.doesNotFit',
		kind: 'invalid',
		meaning: 'A text is too long for its place on the page.',
		remedy: 'Shorten the named text, or choose larger labels.',
	},
	invalidPicture: {
		code: 'error.gateway.letters.invalidPicture',
		kind: 'invalid',
		meaning: 'The logo is not a PNG or JPEG picture, is damaged, or is too large.',
		remedy: 'Give a PNG or JPEG of at most 5 MB and 25 million pixels.',
	},
	invalidFont: {
		code: 'error.gateway.letters.invalidFont',
		kind: 'invalid',
		meaning: 'The font file cannot be read.',
		remedy: 'Give a font as TrueType, OpenType, WOFF or WOFF2 file of at most 30 MB.',
	},
});
