/**
 * Text that somebody else wrote, for a place in the editor: n8n stores what it shows there, and takes every
 * stored text that begins with an equals sign for an expression. Characters that turn the direction
 * of the text or break it are left out: they could make a name look like another one.
 */
export function shownText(text: string): string {
	const plain = text
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/\p{Cc}+/gu, ' ')
		.trim();
	return plain.startsWith('=') ? `'${plain}` : plain;
}

/** The stored form of an answer that a peer offers to choose; different texts have different ones. */
export function choiceValue(text: string): string {
	return /^['=]/.test(text) ? `'${text}` : text;
}
