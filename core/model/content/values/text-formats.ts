/** Format that a whole text must match (docs/protocol/content.md 7.5). */
export interface TextFormat {
	/** for messages, as in 'not an e-mail address' */
	readonly name: string;
	readonly pattern: RegExp;
}

/*
 * The texts come from peers, so no pattern may backtrack: each repetition ends at a character that
 * it cannot contain, or a look-ahead makes it possessive.
 */
const domainLetter = 'A-Za-z0-9ÄäÖöÜüß';
const label = `[${domainLetter}](?:[${domainLetter}-]{0,61}[${domainLetter}])?`;
const lastLabel = `[${domainLetter}][${domainLetter}-]{0,61}[${domainLetter}]`;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_{|}~`-]+";
const labels = `${label}(?:\\.${label})+`;

const all = (characters: string): string => `[${characters}]*(?![${characters}])`;
const user = '[-;:&=+$,\\w]+@';
const host = `[A-Za-z0-9.-]${all('A-Za-z0-9.-')}`;
const queryAndFragment = `\\??${all('-+=&;%@.\\w')}#?[.!/\\\\\\w]*`;

function linkPattern({ www, path }: { www: string; path: string }): string {
	const start = `(?:[A-Za-z]{3,9}:(?://)?(?:${user})?|${www}\\.|${user})`;
	return `^${start}${host}(?:/${all(path)})?${queryAndFragment}$`;
}

/** Defines a format whose pattern is compiled on first use. */
function format(name: string, source: () => string): TextFormat {
	let pattern: RegExp | undefined;
	return {
		name,
		get pattern() {
			pattern ??= new RegExp(source());
			return pattern;
		},
	};
}

export const textFormats = {
	email: format('an e-mail address', () => `^${atom}(?:\\.${atom})*@(?:${label}\\.)+${lastLabel}$`),
	/** A leading `www.` does not count as one of the two labels that a host needs. */
	url: format(
		'a URL',
		() =>
			`^(?:[A-Za-z]+://)?(?:www\\.|(?!www\\.))${labels}(?::[0-9]+)?` +
			`(?:/[${domainLetter}/?#@!$&'()*+,;=%-]*)?$`,
	),
	phone: format('a phone number', () => '^[0-9+\\-x#*()/[\\] ]{3,100}$'),
	hexColor: format('a colour in hexadecimal form', () => '^#(?:[0-9A-Fa-f]{3}){1,2}$'),
	link: format('a link', () => linkPattern({ www: '[Ww]{3}', path: '+~%/.\\-\\w' })),
	schemaUrl: format('a URL of a schema', () =>
		linkPattern({ www: 'w{3}', path: '+~%/.\\-\\w\\\\' }),
	),
} as const satisfies Record<string, TextFormat>;
