/**
 * Makes untrusted text safe for one line of a message: bounded, without control characters and
 * secrets.
 */
export function plainText(text: string, secrets: Iterable<string> = [], maxLength = 300): string {
	let safe = text;
	for (const secret of secrets) {
		if (secret.length > 3) safe = safe.replaceAll(secret, '[redacted]');
	}
	// eslint-disable-next-line no-control-regex
	safe = safe.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
	return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
}
