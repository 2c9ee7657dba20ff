import { systemRandom } from '../../../../core/base/random';
import { generateSignatureKeyPair } from '../../../../core/crypto/signature-keys';
import { sealFile, type SealedFile } from '../../../../core/domain/file/file-envelope';
import { messageRecord, messageSecrets } from '../../../support/records';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { mailTo, own, peers, SendBench, type SendingProcess } from './send-bench';

const [bob] = peers as [string];
const ids = ['FIL00000000000000001', 'FIL00000000000000002'] as const;
const [first, second] = ids;

let bench: SendBench;
let started: SendingProcess;
let sealed: SealedFile;
/** Answers of the Backbone about the files. */
let answers: Record<string, Responder>;

beforeEach(async () => {
	answers = {};
	const routes = ids.flatMap((id) =>
		['metadata', ''].map((part): [string, Responder] => {
			const path = `/api/v2/Files/${id}${part === '' ? '' : `/${part}`}`;
			return [
				`GET ${path}`,
				(request, response) => (answers[`${id} ${part}`] ?? empty(404))(request, response),
			];
		}),
	);
	bench = await SendBench.open(Object.fromEntries(routes));
	started = await bench.start();
	const { privateKey } = generateSignatureKeyPair(systemRandom);
	const pieces = [new TextEncoder().encode('content')];
	const description = { filename: 'name.txt', mimetype: 'text/plain' };
	sealed = await sealFile({ size: 7, pieces }, description, privateKey, systemRandom);
	for (const id of ids) answers[`${id} metadata`] = result(metadataOf(id));
});
afterEach(() => bench.close());

const metadataOf = (id: string) => ({
	...{ id, createdAt: '2029-12-31T00:00:00.000Z', createdBy: bob, createdByDevice: 'DVCbob' },
	...{ owner: bob, cipherHash: sealed.cipherHash, expiresAt: '9999-12-31T00:00:00.000Z' },
	encryptedProperties: sealed.encryptedProperties,
});

const attachmentsOf = (...named: readonly string[]) =>
	named.map((id) => ({ id, key: sealed.metadataKey }));

const received = (...named: readonly string[]) => ({
	...bench.received('MSG1', { attachments: attachmentsOf(...named) as never }),
	attachments: named.map((id) => ({ id })),
});

/** Receives a message as a sync does. */
async function receive(...named: readonly string[]): Promise<string[]> {
	const wire = received(...named);
	const { messageReceipt: receipt } = started;
	const files = await receipt.loadAttachments(wire, {});
	await started.store.transact((tx) => receipt.receive(tx, wire, files));
	return files.map(({ record }) => record.id);
}

const calls = (): number[] => ids.map((id) => bench.callsTo(`Files/${id}/metadata`));

describe('the attachments of a received message', () => {
	it('are stored with it, each once', async () => {
		expect(await receive(first, second, first)).toEqual([first, second]);
		expect(calls()).toEqual([1, 1]);
		const listed = await started.messageAttachments.list('MSG1');
		expect(listed).toMatchObject([{ id: first, filename: 'name.txt' }, { id: second }]);
		expect(calls()).toEqual([1, 1]);
	});

	it('are not loaded again', async () => {
		await receive(first);
		await started.store.transact((tx) => tx.messages.delete('MSG1'));
		expect(await receive(first, second)).toEqual([second]);
		expect(calls()).toEqual([1, 1]);
	});

	it.each([
		['gone', () => problem(404, 'error.platform.recordNotFound')],
		['not readable', () => result({ ...metadataOf(first), encryptedProperties: 'AAAA' })],
	])('are loaded later if they are %s', async (_why, answer) => {
		answers[`${first} metadata`] = answer();
		expect(await receive(first, second)).toEqual([second]);
		answers[`${first} metadata`] = result(metadataOf(first));
		expect(await started.messageAttachments.get('MSG1', first)).toMatchObject({ id: first });
		expect(calls()).toEqual([2, 1]);
	});

	it('hold up the message if loading them is aborted', async () => {
		const abort = new AbortController();
		answers[`${first} metadata`] = () => abort.abort();
		const { signal } = abort;
		const loading = started.messageReceipt.loadAttachments(received(first), { signal });
		expect(await failureOf(loading)).toBe(signal.reason);
	});

	it('are downloaded', async () => {
		await receive(first);
		answers[`${first} `] = (_request, response) => response.end(Buffer.from(sealed.content));
		const { messageAttachments: attachments } = started;
		const { content, filename } = await attachments.download('MSG1', first);
		expect([Buffer.from(content).toString(), filename]).toEqual(['content', 'name.txt']);
		const other = await failureOf(attachments.download('MSG1', second));
		expect(other['code']).toBe('error.runtime.messages.fileNotFoundInMessage');
	});

	it('are loaded on demand if they were downloaded before they were known', async () => {
		const record = messageRecord('MSG1', { attachments: [first] });
		const secrets = {
			...messageSecrets,
			attachments: [...attachmentsOf(second), ...attachmentsOf(first)],
		};
		await started.store.transact((tx) => tx.messages.insert(record, secrets));
		answers[`${first} `] = (_request, response) => response.end(Buffer.from(sealed.content));
		const { content } = await started.messageAttachments.download('MSG1', first);
		expect(Buffer.from(content).toString()).toBe('content');
		expect(calls()).toEqual([1, 0]);
	});
});

describe('the attachments of a sent message', () => {
	beforeEach(async () => {
		await receive(first, second);
	});

	const send = (...attachments: readonly string[]) =>
		started.messages.send({ ...mailTo(bob), attachments });

	it('are named in its order, for the Backbone and for the recipient', async () => {
		const sent = await send(second, first);
		expect(sent).toMatchObject({ isOwn: true, createdBy: own, attachments: [second, first] });
		const { body } = bench.posts.at(-1) ?? { body: '{}' };
		expect(JSON.parse(body)).toMatchObject({ attachments: [{ id: second }, { id: first }] });
		const { metadataKey: key } = sealed;
		expect(bench.openedBy().attachments).toMatchObject([
			{ id: second, key, backboneBaseUrl: expect.stringContaining('http://') },
			{ id: first, key },
		]);
		const listed = await started.messageAttachments.list(sent.id);
		expect(listed.map(({ id }) => id)).toEqual([second, first]);
	});

	it('are all known to this account', async () => {
		const unknown = `FIL${'9'.repeat(17)}`;
		const error = await failureOf(send(first, unknown));
		expect(error['code']).toBe('error.runtime.recordNotFound');
		expect(error.message).toContain(unknown);
		expect(await bench.state()).toBe('absent');
	});
});
