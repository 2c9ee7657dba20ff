/**
 * Makes untrusted text safe to show in the editor: n8n stores what it shows there, and treats every
 * stored text that begins with an equals sign as an expression. Removes characters that change the
 * direction of the text or break it, because they could make one name look like another.
 */
export function shownText(text: string): string {
	const plain = text
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/\p{Cc}+/gu, ' ')
		.trim();
	return plain.startsWith('=') ? `'${plain}` : plain;
}

/** Stored form of a choice that a peer offers; different texts have different stored forms. */
export function choiceValue(text: string): string {
	return /^['=]/.test(text) ? `'${text}` : text;
}
