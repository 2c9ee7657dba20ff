import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context, Hono } from 'hono';
import { safeParse } from '../../base/schema-parse';
import { ownText } from '../../model/json';
import { requiredRoles, requireRole } from '../authentication/roles';
import { hostedAccountNameSchema } from '../config/hosted-account-settings';
import { jsonAnswer } from '../route-answer';
import { accountGroup } from '../routes/accounts';
import type { ServerEnvironment } from '../server-environment';
import { invalidPart, serverErrors } from '../server-errors';
import type { AccountHost } from './account-host';

/** Largest export that is received. */
const maxBytes = 4 * 1024 * 1024 * 1024;
/** Header with the password of a received export, percent-encoded. */
const passwordHeader = 'x-export-password';

/** Tells whether the body of a request is an exported account, which is not read into memory. */
export function isAccountFile(path: string, { headers }: IncomingMessage): boolean {
	return (
		/^\/accounts\/[^/]+\/Import$/i.test(path) &&
		headers['content-type']?.toLowerCase() === 'application/octet-stream'
	);
}

/**
 * Registers the export and the import of accounts, whose files are sent while they are read and
 * written. They are encrypted with a password of the caller, and kept in a folder of their own only
 * until the answer is sent.
 */
export function addAccountFiles(app: Hono<ServerEnvironment>, host: AccountHost): void {
	const required = requiredRoles(accountGroup);
	app.post('/accounts/:name/Export', async (context) => {
		const trace = context.get('audit');
		trace?.enter({ method: 'POST', path: '/accounts/:name/Export' });
		requireRole(context.get('roles'), required);
		const password = ownText(context.get('body'), 'password');
		if (password === undefined) throw missing('password', 'Send {"password": "…"} as JSON.');
		const name = context.req.param('name');
		await trace?.begin({ name });
		const folder = await newFolder();
		try {
			const file = join(folder, 'account');
			await host.export(name, file, password);
			const { size } = await stat(file);
			const bytes = createReadStream(file);
			bytes.once('close', () => void remove(folder));
			context.set('isStreamed', true);
			return new Response(Readable.toWeb(bytes) as ReadableStream, {
				headers: {
					'content-type': 'application/octet-stream',
					'content-length': String(size),
					'content-disposition': `attachment;filename=${encodeURIComponent(name)}.enmeshed`,
				},
			});
		} catch (error) {
			await remove(folder);
			throw error;
		}
	});
	app.post('/accounts/:name/Import', async (context) => {
		const trace = context.get('audit');
		trace?.enter({ method: 'POST', path: '/accounts/:name/Import' });
		requireRole(context.get('roles'), required);
		const name = nameOf(context);
		const password = passwordOf(context.env.incoming);
		if (!isAccountFile(context.req.path, context.env.incoming)) {
			const expected = 'Expected an exported account as application/octet-stream.';
			throw invalidPart('unsupportedBody', 'content-type', expected);
		}
		await trace?.begin({ name });
		const folder = await newFolder();
		try {
			const file = join(folder, 'account');
			await receive(context.env.incoming, file);
			const created = await host.create(name, {}, { from: { file, password } });
			return jsonAnswer({ result: created }, 201);
		} finally {
			await remove(folder);
		}
	});
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'enmeshed-account-'));

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

function nameOf(context: Context<ServerEnvironment>): string {
	const parsed = safeParse(hostedAccountNameSchema, context.req.param('name'));
	if (parsed.success) return parsed.data;
	throw missing('name', parsed.error.issues[0]?.message ?? '');
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
function passwordOf({ headers }: IncomingMessage): string {
	const text = headers[passwordHeader];
	try {
		if (typeof text === 'string' && text !== '') return decodeURIComponent(text);
	} catch {
		// Answered below.
	}
	throw missing(passwordHeader, 'Send the password of the file there, percent-encoded.');
}

/** @throws `error.gateway.http.bodyTooLarge` */
async function receive(incoming: IncomingMessage, file: string): Promise<void> {
	let length = 0;
	const limit = new Transform({
		transform(chunk: Buffer, _encoding, done) {
			length += chunk.length;
			if (length <= maxBytes) return done(null, chunk);
			const message = `The file is larger than ${maxBytes} bytes.`;
			done(serverErrors.create('bodyTooLarge', { message, facts: { field: 'body', maxBytes } }));
		},
	});
	await pipeline(incoming, limit, createWriteStream(file, { mode: 0o600 }));
}

const missing = (field: string, message: string): Error =>
	invalidPart('invalidInput', field, `${field}: ${message}`);
