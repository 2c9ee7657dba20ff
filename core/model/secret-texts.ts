/*
 * Patterns for texts that grant access, wherever people or the protocol put them: references of
 * files, tokens and templates, which contain keys, and JSON members that hold a password, a PIN, a
 * token or a key. Quantifiers are bounded or repeat one character class: a hostile text takes at
 * most 400 steps per character.
 */
const references = '(?:RklM|VE9L|UkxU)[\\w-]{80,}';
const links = '/r/(?:FIL|TOK|RLT)[^#\\s"]{1,400}#[\\w-]{20,}';
const names = 'ownershipToken|[Pp]assword|[Pp]in|PIN|secretKey|privateKey';
/** Matches members of JSON, including JSON stored as text inside JSON. */
const members = `"(?:${names})\\\\*"\\s*:\\s*(?:\\\\*"(?:[^"\\\\]|\\\\.)*|\\d+)`;
const secrets = new RegExp(`${references}|${links}|${members}`);
const allSecrets = new RegExp(secrets, 'g');

export function containsSecret(text: string): boolean {
	return secrets.test(text);
}

export function replaceSecrets(text: string, replacement: (secret: string) => string): string {
	return text.replace(allSecrets, replacement);
}

const member = /^("[^"\\]+\\*"\s*:\s*)(\\*"|)/;
const removed = '[removed]';

/** Copy of JSON data without references, links with keys, passwords, PINs, tokens and keys in it. */
export function withoutSecrets<Data extends object>(data: Data): Data {
	const text = replaceSecrets(JSON.stringify(data), (secret) => {
		const [, name, quote] = member.exec(secret) ?? [];
		if (name === undefined) return removed;
		// A number has no quotation marks.
		return quote === '' ? `${name}0` : `${name}${quote ?? ''}${removed}`;
	});
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- texts and numbers are replaced by texts and numbers
	return JSON.parse(text) as Data;
}
