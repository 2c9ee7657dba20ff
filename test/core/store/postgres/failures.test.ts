import { storeErrors } from '../../../../core/store/store-errors';
import { asStoreError, isConnectionLost } from '../../../../core/store/postgres/postgres-failures';

type Name = Parameters<typeof storeErrors.create>[0];

/** What a person reads: a sentence. */
const sentence = expect.stringMatching(/^[A-Z].+\.$/) as string;

const failure = (code: unknown, message = 'failed') => Object.assign(new Error(message), { code });

describe('a failure of PostgreSQL', () => {
	it.each<readonly [string, Name, string | undefined]>([
		['ECONNREFUSED', 'postgresUnreachable', 'store.host'],
		['EHOSTUNREACH', 'postgresUnreachable', 'store.host'],
		['ENETUNREACH', 'postgresUnreachable', 'store.host'],
		['ETIMEDOUT', 'postgresUnreachable', 'store.host'],
		['ENOTFOUND', 'postgresHostNotFound', 'store.host'],
		['EAI_AGAIN', 'postgresHostNotFound', 'store.host'],
		['28P01', 'postgresRefused', 'store.password'],
		['28000', 'postgresRefused', 'store.user'],
		['3D000', 'postgresNoDatabase', 'store.database'],
		['42501', 'postgresForbidden', 'store.user'],
		['26000', 'postgresPooled', 'store.host'],
		['42P05', 'postgresPooled', 'store.host'],
		['53300', 'postgresOverloaded', undefined],
		['57P01', 'postgresLost', undefined],
		['57014', 'busy', undefined],
		['55P03', 'busy', undefined],
		['40P01', 'busy', undefined],
		['25P03', 'postgresLost', undefined],
		['25006', 'postgresOverloaded', undefined],
		['08006', 'postgresLost', undefined],
		['ECONNRESET', 'postgresLost', undefined],
		['EPIPE', 'postgresLost', undefined],
		['XX001', 'damagedFile', undefined],
		['XX002', 'damagedFile', undefined],
	])('with the code %s is named %s', (code, name, field) => {
		const cause = failure(code);
		const named = asStoreError(cause) as { facts: object };
		expect(named).toMatchObject({ code: storeErrors[name].code, message: sentence, cause });
		expect(named.facts).toStrictEqual({ ...(field && { field }), reason: code });
	});

	it.each<readonly [string, Name, string | undefined]>([
		['timeout expired', 'postgresUnreachable', 'store.host'],
		['The server does not support SSL connections', 'postgresTls', 'store.tls'],
		["Hostname/IP does not match certificate's altnames", 'postgresTls', 'store.tls'],
		['certificate has expired', 'postgresTls', 'store.tls'],
		['self-signed certificate in certificate chain', 'postgresTls', 'store.tls'],
		['unable to verify the first certificate', 'postgresTls', 'store.tls'],
		['SELF-SIGNED', 'postgresTls', 'store.tls'],
		['wrong version number of TLS', 'postgresTls', 'store.tls'],
		['SSL routines failed', 'postgresTls', 'store.tls'],
		['Connection terminated unexpectedly', 'postgresLost', undefined],
		['Client has encountered a connection error and is not queryable', 'postgresLost', undefined],
		['Query read timeout', 'postgresLost', undefined],
	])('of the driver is named by its message: %s', (message, name, field) => {
		const cause = new Error(message);
		const named = asStoreError(cause) as { facts: object };
		expect(named).toMatchObject({ code: storeErrors[name].code, message: sentence, cause });
		expect(named.facts).toStrictEqual({ ...(field && { field }) });
	});

	it('names the encryption that a server demands when it refuses the login', () => {
		const cause = failure('28000', 'no pg_hba.conf entry for host, no encryption');
		expect(asStoreError(cause)).toMatchObject({
			code: storeErrors.postgresTls.code,
			message: sentence,
			facts: { field: 'store.tls', reason: '28000' },
		});
		const other = failure('3D000', 'no encryption');
		expect(asStoreError(other)).toMatchObject({ code: storeErrors.postgresNoDatabase.code });
	});

	it('names a certificate whose code is not known by its message', () => {
		const cause = failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate');
		expect(asStoreError(cause)).toMatchObject({
			code: storeErrors.postgresTls.code,
			facts: { field: 'store.tls', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
		});
	});

	it.each([
		['a mistake in a statement', failure('42601')],
		['a longer code that begins like a class', failure('533000')],
		['a code that is not a text', failure(53_300)],
		['a message with other words before it', new Error('the timeout expired')],
		['a message with other words behind it', new Error('timeout expired already')],
		['an error without a code', new TypeError('mistake')],
		['a message that is not a text', { message: 7 }],
		['nothing', undefined],
		['no value', null],
	])('of another kind stays as it is: %s', (_name, error) => {
		expect(asStoreError(error)).toBe(error);
	});

	it('that has a name already keeps it', () => {
		const named = storeErrors.create('closed', { message: 'terminated' });
		expect(asStoreError(named)).toBe(named);
	});

	it.each<readonly [string, unknown, boolean]>([
		['a lost connection', failure('08006'), true],
		['a server that stops', failure('57P01'), true],
		['a server that does not answer', failure('ECONNREFUSED'), true],
		['a named loss', storeErrors.create('postgresLost', { message: '' }), true],
		['a named absence', storeErrors.create('postgresUnreachable', { message: '' }), true],
		['a statement that took too long', failure('57014'), false],
		['a mistake in a statement', failure('42601'), false],
		['a mistake', new TypeError('mistake'), false],
		['nothing', undefined, false],
	])('tells whether %s leaves the outcome open', (_name, error, expected) => {
		expect(isConnectionLost(error)).toBe(expected);
	});
});
