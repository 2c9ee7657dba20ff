import { decodedOrSame } from '../../base/encoding';

const maxReason = 200;

/** Reason for a failure, safe to log: credentials that the broker echoed are replaced. */
export function reasonOf(cause: unknown, url: string): string {
	const parsed = URL.parse(url);
	const secrets = [parsed?.password, parsed?.username].flatMap((secret) =>
		secret === undefined || secret === '' ? [] : [secret, decodedOrSame(secret)],
	);
	let text = textOf(cause).replaceAll(/[^ -~]+/g, ' ');
	for (const secret of secrets) text = text.replaceAll(secret, '***');
	return text.slice(0, maxReason);
}

function textOf(cause: unknown): string {
	if (cause instanceof AggregateError && cause.errors.length > 0) return textOf(cause.errors[0]);
	if (!(cause instanceof Error)) return String(cause);
	const { code } = cause as NodeJS.ErrnoException;
	return cause.message || (typeof code === 'string' ? code : cause.name);
}
