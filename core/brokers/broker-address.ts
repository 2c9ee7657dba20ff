import type { SupportedBroker } from './broker-config';

/**
 * Where events go, without user name, password and options: it names the stored cursor, which survives
 * a new password, and stands in logs.
 */
export function brokerAddress({ type, configuration }: SupportedBroker): string {
	const { protocol, host, pathname } = new URL(configuration.url);
	const path = pathname === '/' ? '' : pathname;
	const exchange = type === 'AMQP' && configuration.exchange !== '' ? configuration.exchange : '';
	return `${type}:${protocol}//${host}${path}${exchange === '' ? '' : `#${exchange}`}`;
}

const maxReason = 200;

/** What went wrong, in words that may be logged: brokers may repeat what they were sent. */
export function reasonOf(cause: unknown, url: string): string {
	const parsed = URL.parse(url);
	const secrets = [parsed?.password, parsed?.username].flatMap((secret) =>
		secret === undefined || secret === '' ? [] : [secret, decoded(secret)],
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

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
