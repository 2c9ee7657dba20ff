import {
	BackboneError,
	cannotParse,
	forbidden,
	invalid,
	invalidProperty,
	notFound,
} from '../http/backbone-error';
import { checkedBytes, futureDate, requireId } from '../http/body';
import {
	created,
	done,
	ok,
	type Call,
	type Caller,
	type Route,
	type Sandbox,
} from '../http/context';
import { byCreation, idsOf, paged } from '../http/paging';
import { randomText, tokenCharacters } from '../random';
import type { FileRow } from '../state/records';

const maxFileBytes = 10 * 1024 * 1024;
const maxPropertiesBytes = 1024 * 1024;
const tokenLength = 20;

/** @see docs/protocol/backbone-api.md 16 */
export const fileRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'files',
		handle: async (call, { state, quotas }) => {
			const caller = call.caller();
			quotas.require(caller.identity, 'NumberOfFiles', 'UsedFileStorageSpace');
			const form = await readForm(call);
			const content = await readContent(form);
			const file = readFile(form, caller, state, content.length);
			state.addFile(file);
			state.contents.set(file.id, content);
			return created(shownToUploader(file));
		},
	},
	{
		method: 'GET',
		path: 'files/{}',
		handle: (call, sandbox) => ({
			status: 200,
			raw: sandbox.state.contents.get(find(call, sandbox).id) ?? Buffer.alloc(0),
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
		handle: (call, { state, settings }) => {
			const { address } = call.caller().identity;
			const rows = idsOf(call.query, 'FIL')
				.map((id) => state.files.get(id))
				.filter((file) => file !== undefined)
				.filter((file) => holderOf(file, settings) === address && !isExpired(file, state));
			return paged(rows.sort(byCreation), call.query, metadata);
		},
	},
	{
		method: 'DELETE',
		path: 'files/{}',
		handle: (call, sandbox) => {
			const file = find(call, sandbox);
			const { address } = call.caller().identity;
			if (holderOf(file, sandbox.settings) !== address) throw forbidden();
			sandbox.state.removeFile(file);
			sandbox.quotas.release('NumberOfFiles', file.createdBy, file);
			sandbox.quotas.release('UsedFileStorageSpace', file.createdBy, file, file.cipherSize);
			return done;
		},
	},
	{
		method: 'POST',
		path: 'files/{}/validateownershiptoken',
		handle: (call, sandbox) => {
			const token = ownershipToken(call);
			const file = find(call, sandbox);
			const isValid = !file.ownershipIsLocked && token === file.ownershipToken;
			if (!isValid && file.owner !== call.caller().identity.address) lock(file, sandbox, 1);
			return ok({ isValid });
		},
	},
	{
		method: 'PATCH',
		path: 'files/{}/claimownership',
		handle: (call, sandbox) => {
			const { address } = call.caller().identity;
			const token = ownershipToken(call);
			const file = find(call, sandbox);
			if (file.owner === address) throw invalid('file.cannotClaimOwnershipOfOwnFile');
			if (file.ownershipIsLocked) throw forbidden();
			if (token !== file.ownershipToken) {
				// The server checks the token twice, and notifies the owner each time.
				lock(file, sandbox, 2);
				throw forbidden();
			}
			const previous = file.owner;
			file.owner = address;
			renewToken(file, call.caller(), sandbox);
			sandbox.events.add(previous, 'FileOwnershipClaimed', {
				fileId: file.id,
				newOwnerAddress: address,
			});
			return ok({ newOwnershipToken: file.ownershipToken });
		},
	},
	{
		method: 'PATCH',
		// The new token is not stored: the former token stays valid, and a locked file stays locked.
		path: 'files/{}/regenerateownershiptoken',
		handle: (call, sandbox) => {
			const file = find(call, sandbox);
			if (file.owner !== call.caller().identity.address) throw forbidden();
			return ok({ newOwnershipToken: newOwnershipToken() });
		},
	},
];

async function readForm(call: Call): Promise<FormData> {
	const type = call.request.headers['content-type'] ?? '';
	try {
		return await new Response(call.body as Uint8Array<ArrayBuffer>, {
			headers: { 'content-type': type },
		}).formData();
	} catch {
		throw cannotParse('The form cannot be read.');
	}
}

async function readContent(form: FormData): Promise<Buffer> {
	const content = form.get('content');
	const bytes =
		content instanceof Blob ? Buffer.from(await content.arrayBuffer()) : Buffer.alloc(0);
	if (bytes.length >= 1 && bytes.length <= maxFileBytes) return bytes;
	throw new BackboneError(
		400,
		'InclusiveBetweenValidator',
		`The content must have 1 to ${maxFileBytes} bytes, but has ${bytes.length}.`,
	);
}

function readFile(
	form: FormData,
	{ identity, device }: Caller,
	state: Sandbox['state'],
	cipherSize: number,
): FileRow {
	const bytes = (name: string, min: number, max: number): string =>
		checkedBytes(text(form, name), name, min, max);
	const now = state.timestamp();
	return {
		id: state.newId('FIL'),
		createdAt: now,
		createdBy: identity.address,
		createdByDevice: device.id,
		modifiedAt: now,
		modifiedBy: identity.address,
		modifiedByDevice: device.id,
		owner: identity.address,
		ownerSignature: bytes('ownerSignature', 1, 512),
		ownershipToken: newOwnershipToken(),
		ownershipIsLocked: false,
		cipherHash: bytes('cipherHash', 1, 128),
		cipherSize,
		expiresAt: futureDate(text(form, 'expiresAt'), 'expiresAt', state.now()),
		encryptedProperties: bytes('encryptedProperties', 0, maxPropertiesBytes),
	};
}

function text(form: FormData, name: string): string {
	const value = form.get(name);
	if (typeof value === 'string') return value;
	throw cannotParse(`The part '${name}' is missing.`);
}

function ownershipToken(call: Call): string {
	const token = call.json().text('ownershipToken');
	const isToken =
		token.length >= 1 &&
		token.length <= tokenLength &&
		[...token].every((character) => tokenCharacters.includes(character));
	if (isToken) return token;
	throw invalidProperty('This is not an ownership token.');
}

/** Identity that may list and delete a file: its creator, on later Backbones its owner. */
function holderOf(file: FileRow, { majorVersion }: Sandbox['settings']): string {
	return majorVersion === 6 ? file.createdBy : file.owner;
}

function newOwnershipToken(): string {
	return randomText(tokenLength, tokenCharacters);
}

function find(call: Call, { state }: Sandbox): FileRow {
	const file = state.files.get(requireId('FIL', call.parameters[0]));
	if (file === undefined || isExpired(file, state)) throw notFound('File');
	return file;
}

function isExpired({ expiresAt }: FileRow, state: Sandbox['state']): boolean {
	return Date.parse(expiresAt) <= state.now();
}

function lock(file: FileRow, { state, events }: Sandbox, times: number): void {
	if (file.ownershipIsLocked) return;
	file.ownershipIsLocked = true;
	state.files.save(file);
	for (let time = 0; time < times; time++) {
		events.add(file.owner, 'FileOwnershipLocked', { fileId: file.id });
	}
}

function renewToken(file: FileRow, { identity, device }: Caller, { state }: Sandbox): void {
	file.ownershipToken = newOwnershipToken();
	file.ownershipIsLocked = false;
	file.modifiedAt = state.timestamp();
	file.modifiedBy = identity.address;
	file.modifiedByDevice = device.id;
	state.files.save(file);
}

function metadata({ ownershipToken: _token, ...file }: FileRow): object {
	return { ...file, deletedAt: null, deletedBy: null, deletedByDevice: null };
}

/** View for the uploader: fewer members than for others, but with the token. */
function shownToUploader(file: FileRow): object {
	const { modifiedByDevice: _device, ownershipIsLocked: _isLocked, ...shown } = file;
	const { encryptedProperties: _properties, ...rest } = shown;
	return { ...rest, deletedAt: null, deletedBy: null };
}
