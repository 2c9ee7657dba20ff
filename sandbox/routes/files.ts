import {
	BackboneError,
	forbidden,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import { checkedBytes } from '../http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { idsOf, paged } from '../http/paging';
import type { FileRow } from '../state/records';
import { requireActive } from './identities';

const maxFileBytes = 10 * 1024 * 1024;

/** docs/protocol/backbone-api.md 16 */
export const fileRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'files',
		handle: async (call, { state }) => {
			const caller = call.caller();
			requireActive(caller);
			const form = await readForm(call);
			const content = form.get('content');
			const bytes =
				content instanceof Blob ? Buffer.from(await content.arrayBuffer()) : Buffer.alloc(0);
			if (bytes.length < 1 || bytes.length > maxFileBytes) {
				throw new BackboneError(
					400,
					'InclusiveBetweenValidator',
					'The content has the wrong size.',
				);
			}
			const expiresAt = Date.parse(text(form, 'expiresAt'));
			if (!(expiresAt > state.now())) throw invalidProperty("'expiresAt' must be in the future.");
			const now = state.timestamp();
			const file: FileRow = {
				id: state.newId('FIL'),
				createdAt: now,
				createdBy: caller.identity.address,
				createdByDevice: caller.device.id,
				modifiedAt: now,
				owner: caller.identity.address,
				ownerSignature: checkedBytes(text(form, 'ownerSignature'), 'ownerSignature', 1, 512),
				ownershipToken: state.newId(''),
				ownershipIsLocked: false,
				cipherHash: checkedBytes(text(form, 'cipherHash'), 'cipherHash', 1, 128),
				cipherSize: bytes.length,
				expiresAt: new Date(expiresAt).toISOString(),
				encryptedProperties: checkedBytes(
					text(form, 'encryptedProperties'),
					'encryptedProperties',
					0,
					1024 * 1024,
				),
				content: bytes.toString('base64'),
			};
			state.files.set(file.id, file);
			return created({ ...metadata(file), ownershipToken: file.ownershipToken });
		},
	},
	{
		method: 'GET',
		path: 'files/{}',
		handle: (call, sandbox) => ({
			status: 200,
			raw: Buffer.from(find(call, sandbox).content, 'base64'),
			headers: { 'content-type': 'application/octet-stream' },
		}),
	},
	{
		method: 'GET',
		path: 'files/{}/metadata',
		handle: (call, sandbox) => ok(metadata(find(call, sandbox))),
	},
	{
		method: 'GET',
		path: 'files',
		handle: (call, { state }) => {
			const { address } = call.caller().identity;
			const rows = idsOf(call.query)
				.map((id) => state.files.get(id))
				.filter((file) => file?.createdBy === address)
				.map((file) => file as FileRow);
			return paged(rows, call.query, metadata);
		},
	},
	{
		method: 'DELETE',
		path: 'files/{}',
		handle: (call, sandbox) => {
			const file = find(call, sandbox);
			if (file.createdBy !== call.caller().identity.address) throw forbidden();
			sandbox.state.files.delete(file.id);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'files/{}/validateownershiptoken',
		handle: (call, sandbox) => {
			const file = find(call, sandbox);
			const isValid = !file.ownershipIsLocked && ownershipToken(call) === file.ownershipToken;
			if (!isValid && file.owner !== call.caller().identity.address) lock(file, sandbox);
			return ok({ isValid });
		},
	},
	{
		method: 'PATCH',
		path: 'files/{}/claimownership',
		handle: (call, sandbox) => {
			const { address } = call.caller().identity;
			const file = find(call, sandbox);
			if (file.owner === address) throw invalid('file.cannotClaimOwnershipOfOwnFile');
			if (file.ownershipIsLocked) throw forbidden();
			if (ownershipToken(call) !== file.ownershipToken) {
				lock(file, sandbox);
				throw forbidden();
			}
			const previous = file.owner;
			file.owner = address;
			file.ownershipToken = sandbox.state.newId('');
			sandbox.events.add(previous, 'FileOwnershipClaimed', {
				fileId: file.id,
				newOwnerAddress: address,
			});
			return ok({ newOwnershipToken: file.ownershipToken });
		},
	},
	{
		method: 'PATCH',
		path: 'files/{}/regenerateownershiptoken',
		handle: (call, sandbox) => {
			const file = find(call, sandbox);
			if (file.owner !== call.caller().identity.address) throw forbidden();
			file.ownershipToken = sandbox.state.newId('');
			file.ownershipIsLocked = false;
			return ok({ newOwnershipToken: file.ownershipToken });
		},
	},
];

async function readForm(call: Call): Promise<FormData> {
	const type = call.request.headers['content-type'] ?? '';
	try {
		return await new Response(new Uint8Array(call.body), {
			headers: { 'content-type': type },
		}).formData();
	} catch {
		throw new BackboneError(400, 'error.platform.inputCannotBeParsed', 'The form cannot be read.');
	}
}

function text(form: FormData, name: string): string {
	const value = form.get(name);
	if (typeof value === 'string') return value;
	throw new BackboneError(
		400,
		'error.platform.inputCannotBeParsed',
		`The part '${name}' is missing.`,
	);
}

function ownershipToken(call: Call): string {
	const token = call.json().text('ownershipToken');
	if (/^[A-Za-z0-9]{1,20}$/.test(token)) return token;
	throw invalidProperty('This is not an ownership token.');
}

function find(call: Call, { state }: Sandbox): FileRow {
	call.caller();
	const file = state.files.get(call.parameters[0] ?? '');
	if (file === undefined || Date.parse(file.expiresAt) <= state.now()) throw notFound('File');
	return file;
}

function lock(file: FileRow, { events }: Sandbox): void {
	if (file.ownershipIsLocked) return;
	file.ownershipIsLocked = true;
	events.add(file.owner, 'FileOwnershipLocked', { fileId: file.id });
}

function metadata(file: FileRow): object {
	const { content: _content, ownershipToken: _token, ...rest } = file;
	return {
		...rest,
		modifiedBy: file.owner,
		modifiedByDevice: file.createdByDevice,
		deletedAt: null,
		deletedBy: null,
		deletedByDevice: null,
	};
}
