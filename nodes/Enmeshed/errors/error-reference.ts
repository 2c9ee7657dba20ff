import { repository } from '../../../package.json';

/** Address of the published `docs/errors.md`. */
const page = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/errors.md`;

/** Anchor that GitHub generates for the heading 'Codes of the Backbone'. */
const backboneAnchor = 'codes-of-the-backbone';

/** Form of the codes in the catalogues; a Backbone may send any text as a code. */
const form = /^error(\.[A-Za-z0-9-]+)+$/;

const escapes: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

/**
 * Anchor of a code's row in `docs/errors.md`, or of the section about codes
 * that only a Backbone defines.
 */
export function errorAnchor(code: string): string {
	return code.startsWith('error.platform.') ? backboneAnchor : code;
}

/** Link to the code's row, for descriptions, which the editor shows as HTML. */
export function linkedCode(code: string): string {
	if (!form.test(code)) return code.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
	return `<a href="${page}#${errorAnchor(code)}" target="_blank">${code}</a>`;
}
