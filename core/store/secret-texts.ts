/*
 * Texts that open something, wherever people and protocol put them: references of files, tokens and
 * templates, which contain keys, and members of JSON that hold a password, a PIN, a token or a key.
 * Quantifiers are bounded or have one class: a hostile text takes no longer than 400 times its length.
 */
const references = '(?:RklM|VE9L|UkxU)[\\w-]{80,}';
const links = '/r/(?:FIL|TOK|RLT)[^#\\s"]{1,400}#[\\w-]{20,}';
const names = 'ownershipToken|[Pp]assword|[Pp]in|PIN|secretKey|privateKey';
/** JSON may stand as text inside JSON. */
const members = `"(?:${names})\\\\*"\\s*:\\s*(?:\\\\*"(?:[^"\\\\]|\\\\.)*|\\d+)`;
const secrets = new RegExp(`${references}|${links}|${members}`);
const allSecrets = new RegExp(secrets, 'g');

export function containsSecret(text: string): boolean {
	return secrets.test(text);
}

export function replaceSecrets(text: string, replacement: (secret: string) => string): string {
	return text.replace(allSecrets, replacement);
}
