import type { AuditEntryDto } from '../../../../core';
import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { SandboxNetwork } from '../../../support/gateways';
import { HttpGateway, type Answer } from '../support/http-gateway';

/* docs/adr/0051, docs/http-gateway.md 'Audit' */
let network: SandboxNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	http = await HttpGateway.open(network, { audit: { reads: false } });
});
afterAll(async () => {
	await http.close();
	await network.close();
});

/** Rows that the work has added. */
async function rowsOf(work: () => Promise<unknown>, of = http): Promise<AuditEntryDto[]> {
	const after = (await of.gateway.audit.head())?.number ?? 0;
	await work();
	return (await of.gateway.audit.page({ after, limit: 1_000 })).entries;
}

async function keyWith(
	scopes: readonly string[],
	name: string,
): Promise<{ id: string; key: string }> {
	return await http.gateway.accessKeys.create({ name, scopes: [...scopes] });
}

const setting = { key: 'colour', value: { is: 'secret-content' } };
const upload = (): { readonly body: FormData } => {
	const body = new FormData();
	body.append('file', new File(['secret-content'], 'secret-name.txt', { type: 'text/plain' }));
	return { body };
};

describe('a change', () => {
	it('leaves a row before it and one with its result', async () => {
		const headers = { 'x-correlation-id': 'call-1' };
		let answer: Answer | undefined;
		const rows = await rowsOf(async () => {
			answer = await http.ask('POST /Files/Own', { ...upload(), headers });
		});
		expect(answer?.status).toBe(201);
		const about = {
			account: 'default',
			actor: { kind: 'key', name: 'apiKey' },
			method: 'POST',
			route: '/Files/Own',
			correlationId: 'call-1',
		};
		const [begun, done] = rows;
		expect(rows).toEqual([
			{ number: begun?.number, at: expect.any(String), ...about, mac: expect.any(String) },
			{
				number: Number(begun?.number) + 1,
				at: expect.any(String),
				...about,
				object: answer?.result.id,
				status: 201,
				begunAs: begun?.number,
				mac: expect.any(String),
			},
		]);
		expect(done?.mac).not.toBe(begun?.mac);
	});

	it('that is refused for its input has one row with the code', async () => {
		const rows = await rowsOf(() => http.ask('POST /Keys', { json: { name: '', scopes: [] } }));
		expect(rows.at(-1)).toMatchObject({
			route: '/Keys',
			status: 400,
			code: 'error.runtime.validation.invalidPropertyValue',
		});
	});

	it('names the stored key, and never its text', async () => {
		const { id, key } = await keyWith(['core:messages'], 'crm');
		const headers = { 'x-api-key': key };
		const rows = await rowsOf(() => http.ask('POST /Messages', { headers, json: {} }));
		expect(rows).toMatchObject([{ actor: { kind: 'key', id, name: 'crm' }, status: 400 }]);
		expect(JSON.stringify(rows)).not.toContain(key);
	});

	it('that is repeated under its key says that nothing was created', async () => {
		const create = () =>
			http.ask('POST /Keys', {
				headers: { 'idempotency-key': 'once' },
				json: { name: 'once', scopes: ['**'] },
			});
		const { result } = await create();
		const rows = await rowsOf(create);
		expect(rows.at(-1)).toMatchObject({ status: 201, isRepeated: true });
		expect(rows.at(-1)?.object).toBeUndefined();
		const [row] = await rowsOf(() => http.ask(`DELETE /Keys/${result.id}`));
		expect(row).toMatchObject({ method: 'DELETE', route: '/Keys/:id', object: result.id });
	});

	it('is refused if its row cannot be written', async () => {
		const other = await HttpGateway.open(network, { audit: { reads: false } });
		const { audit, accessKeys } = other.gateway;
		const failing = { ...audit, record: () => Promise.reject(new Error('the disk is full')) };
		const broken = await HttpGateway.open(network, {
			audit: { reads: false },
			facade: Object.create(other.gateway, { audit: { value: failing } }),
		});
		const answer = await broken.ask('POST /Keys', { json: { name: 'lost', scopes: ['**'] } });
		expect([answer.status, answer.error.code]).toEqual([503, 'error.gateway.audit.cannotRecord']);
		expect(await accessKeys.list()).toEqual([]);
		expect((await broken.ask('GET /Keys')).status).toBe(200);
		expect((await broken.ask('GET /Audit/Export')).status).toBe(503);
		await broken.close();
		await other.close();
	});

	it('whose result cannot be recorded is answered, and the row before it stays', async () => {
		const other = await HttpGateway.open(network, { audit: { reads: false } });
		const { audit } = other.gateway;
		const record: typeof audit.record = (entry) =>
			entry.status === undefined
				? audit.record(entry)
				: Promise.reject(new Error('the disk is full'));
		const broken = await HttpGateway.open(network, {
			audit: { reads: false },
			facade: Object.create(other.gateway, { audit: { value: { ...audit, record } } }),
		});
		const json = { name: 'kept', scopes: ['**'] };
		expect((await broken.ask('POST /Keys', { json })).status).toBe(201);
		const { entries } = await audit.page();
		expect(entries).toMatchObject([{ method: 'POST', route: '/Keys' }]);
		expect(entries[0]?.status).toBeUndefined();
		expect(await audit.verify()).toMatchObject({ isIntact: true });
		await broken.close();
		await other.close();
	});
});

describe('calls that change nothing', () => {
	it('have no row, except downloads and what leaves with data of people', async () => {
		const { result } = await http.ask('POST /Files/Own', upload());
		const rows = await rowsOf(async () => {
			await http.ask('GET /Messages');
			await http.ask(`GET /Files/${result.id}`);
			await http.ask(`GET /Files/${result.id}/Download`);
			await http.ask('GET /Audit/Export');
			await http.ask('GET /health');
		});
		expect(rows).toMatchObject([
			{ method: 'GET', route: '/Files/:id/Download', object: result.id, status: 200 },
			{ method: 'GET', route: '/Audit/Export', status: 200 },
		]);
	});

	it('have rows if they are wanted', async () => {
		const reading = await HttpGateway.open(network, { audit: { reads: true } });
		const rows = await rowsOf(() => reading.ask('GET /Messages'), reading);
		expect(rows).toMatchObject([{ method: 'GET', route: '/Messages', status: 200 }]);
		await reading.close();
	});

	it('are not recorded without the setting', async () => {
		const silent = await HttpGateway.open(network);
		await silent.ask('POST /Keys', { json: { name: 'silent', scopes: ['**'] } });
		expect(await silent.gateway.audit.head()).toBeUndefined();
		await silent.close();
	});
});

describe('refusals', () => {
	it('say what was wanted, and from which address', async () => {
		const { id, key } = await keyWith(['core:files'], 'narrow');
		const rows = await rowsOf(async () => {
			await http.ask('GET /Messages', { headers: { 'x-api-key': key } });
			const headers = { 'x-api-key': 'wrong', 'x-forwarded-for': '198.51.100.7' };
			await http.ask('DELETE /api/core/v1/Files/secret-content', { headers });
		});
		expect(rows).toMatchObject([
			{
				actor: { kind: 'key', id, name: 'narrow' },
				route: '/Messages',
				status: 403,
				code: 'error.connector.forbidden',
				address: '127.0.0.1',
			},
			{
				actor: { kind: 'unknown' },
				method: 'DELETE',
				status: 401,
				address: '198.51.100.7',
			},
		]);
	});

	it('of a flood get few rows, whose numbers add up', async () => {
		const flooded = await HttpGateway.open(network, { audit: { reads: false } });
		const wrong = (from: string): Promise<unknown> =>
			flooded.ask('GET /Messages', { headers: { 'x-api-key': 'no', 'x-forwarded-for': from } });
		for (let count = 0; count < 50; count++) await wrong('198.51.100.1');
		for (let count = 0; count < 100; count++) await wrong(`203.0.113.${count}`);
		expect((await flooded.gateway.audit.page()).entries).toHaveLength(30);
		await flooded.close();
		const { entries } = await flooded.gateway.audit.page();
		expect(entries.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(150);
		expect(entries).toHaveLength(32);
		expect(entries.find(({ times }) => times === 49)).toMatchObject({ address: '198.51.100.1' });
	});
});

describe('contents', () => {
	it('are in no row, whatever a client writes', async () => {
		const secret = 'secret-content';
		const rows = await rowsOf(async () => {
			const headers = { 'x-correlation-id': `my ${secret}` };
			const ask = (call: string, json?: object): Promise<Answer> =>
				http.ask(call, { headers, ...(json === undefined ? {} : { json }) });
			await ask(`DELETE /Keys/${secret}`);
			await ask(`DELETE /Keys/${secret}KEY12345678901234567`);
			await ask(`DELETE /Events/Consumers/${secret}`);
			await ask(`DELETE /Waits/${secret}`);
			await ask(`POST /Contacts/${secret}did:e:localhost:dids:${'a'.repeat(22)}/Erase`, {});
			await ask(`POST /${secret}`, {});
			await ask(`POST /Keys?${secret}=${secret}`, { name: secret, [secret]: secret });
			await ask('POST /Messages', { recipients: [secret], content: setting });
			await ask('POST /Files/Peer', { reference: secret });
			await http.ask('POST /Files/Own', upload());
		});
		expect(rows.length).toBeGreaterThan(9);
		expect(JSON.stringify(rows)).not.toMatch(/secret/);
	});
});

describe('the routes', () => {
	it('list, export and verify', async () => {
		const { result: page } = await http.ask('GET /Audit?limit=2');
		expect(page).toMatchObject({
			entries: [{ number: 1 }, { number: 2 }],
			position: 2,
			hasMore: true,
		});
		const { result: next } = await http.ask('GET /Audit?after=2&route=/Keys/:id&actor=apiKey');
		expect(next.entries.length).toBeGreaterThan(0);
		expect(new Set(next.entries.map(({ route }: AuditEntryDto) => route))).toEqual(
			new Set(['/Keys/:id']),
		);
		const { result: none } = await http.ask('GET /Audit?from=2999-01-01T00:00:00Z');
		expect(none).toMatchObject({ entries: [], hasMore: false });
		const { result: exported } = await http.ask('GET /Audit/Export');
		expect(exported.map(({ number }: AuditEntryDto) => number)).toEqual(
			exported.map((_: unknown, index: number) => index + 1),
		);
		const { result } = await http.ask('GET /Audit/Verification');
		expect(result).toMatchObject({ isIntact: true, findings: [] });
		const head = `${result.newest.number}:${result.newest.mac}`;
		const { result: again } = await http.ask(`GET /Audit/Verification?head=${head}`);
		expect(again.isIntact).toBe(true);
		const other = `${result.newest.number}:${'A'.repeat(43)}`;
		const { result: changed } = await http.ask(`GET /Audit/Verification?head=${other}`);
		expect(changed).toMatchObject({ isIntact: false, findings: [{ kind: 'givenHead' }] });
		expect((await http.ask('GET /Audit/Verification?head=1')).status).toBe(400);
	});

	it('find the rows about a person by the address, which no row has', async () => {
		const address = `did:e:localhost:dids:${'a'.repeat(22)}`;
		const rows = await rowsOf(async () => {
			await http.ask(`GET /Contacts/${address}/History`);
			await http.ask(`POST /Contacts/${address}/Erase`, { json: {} });
		});
		expect(rows).toHaveLength(3);
		expect(JSON.stringify(rows)).not.toContain('did:');
		const { result } = await http.ask(`GET /Audit?object=${encodeURIComponent(address)}`);
		expect(result.entries).toEqual(rows);
	});

	it('need the role admin:audit', async () => {
		const [may, mayNot] = await Promise.all([
			keyWith(['admin:audit'], 'auditor'),
			keyWith(['core:**'], 'clerk'),
		]);
		const statusWith = async (key: string): Promise<number> =>
			(await http.ask('GET /Audit', { headers: { 'x-api-key': key } })).status;
		expect([await statusWith(may.key), await statusWith(mayNot.key)]).toEqual([200, 403]);
	});
});

describe('named keys of the configuration', () => {
	it('are named', async () => {
		const text = 'Named-Keys-Have-Strength-0123456!';
		const authentication = authenticationSchema.parse({ apiKey: { keys: { erp: { key: text } } } });
		const named = await HttpGateway.open(network, { authentication, audit: { reads: true } });
		const headers = { 'x-api-key': text };
		const rows = await rowsOf(() => named.ask('GET /Messages', { headers }), named);
		expect(rows).toMatchObject([{ actor: { kind: 'key', name: 'erp' } }]);
		await named.close();
	});
});
