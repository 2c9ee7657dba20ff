import { eventStream } from './support/event-stream';
import {
	bytes,
	datawallet,
	type RawAccount,
	type RawAnswer,
	RuleBench,
	sandboxOf,
	unknownId,
} from './support/raw-client';

/* docs/protocol/backbone-api.md 10 and 11 */
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const valid = (code: string): string => `400 error.platform.validation.${code}`;
const invalidValue = valid('invalidPropertyValue');
const unforeseen = '500 error.platform.unexpected';
const unreadable = '400 error.platform.inputCannotBeParsed';

let bench: RuleBench;
let account: RawAccount;

beforeEach(async () => {
	bench = await RuleBench.open();
	account = await bench.account();
});

afterEach(() => bench.close());

const item = (objectIdentifier = 'one', more: object = {}) => ({
	type: 'Create',
	objectIdentifier,
	collection: 'Things',
	payloadCategory: 'TechnicalData',
	encryptedPayload: bytes(9),
	datawalletVersion: 1,
	...more,
});

const push = (localIndex: unknown, modifications: unknown, headers: object = datawallet) =>
	account.call('POST', 'Datawallet/Modifications', { localIndex, modifications }, headers);

const listed = async (query = '') =>
	(await account.call('GET', `Datawallet/Modifications${query}`, undefined, datawallet))
		.result as unknown as Array<Record<string, unknown>>;

describe('a modification', () => {
	it('is shown with the index that it got, the newest of its kind only', async () => {
		const first = await push(-1, [item(), item('two'), item('one', { type: 'Delete' })]);
		expect(first.status).toBe(201);
		expect(first.result).toEqual({
			newIndex: 2,
			modifications: [0, 1, 2].map((index) => ({
				id: expect.stringMatching(/^DWM\w{17}$/) as string,
				index,
				createdAt: expect.any(String) as string,
			})),
		});
		await push(2, [item('one', { encryptedPayload: null, payloadCategory: null, more: true })]);
		await push(3, [item('one', { encryptedPayload: bytes(1) })]);
		expect((await listed()).map(({ index }) => index)).toEqual([1, 2, 3, 4]);
		expect((await listed('?localIndex=2')).map(({ index }) => index)).toEqual([3, 4]);
		expect(await listed('?localIndex=4')).toEqual([]);
		const { id: device } = (await account.call('GET', 'Devices/Self')).result;
		expect((await listed('?localIndex=2'))[0]).toEqual({
			id: expect.any(String) as string,
			datawalletVersion: 1,
			index: 3,
			objectIdentifier: 'one',
			payloadCategory: null,
			createdAt: expect.any(String) as string,
			createdByDevice: device,
			collection: 'Things',
			type: 'Create',
			encryptedPayload: null,
		});
		const refused = await account.call('GET', 'Datawallet/Modifications?localIndex=x');
		expect(refusal(refused)).toBe(unreadable);
	});

	it.each([
		['of an unknown type', { type: 'Change' }, unreadable],
		['without an object', { objectIdentifier: undefined }, unreadable],
		['with a long object identifier', { objectIdentifier: 'a'.repeat(101) }, unforeseen],
		['with a long collection', { collection: 'a'.repeat(51) }, unforeseen],
		['with a long category', { payloadCategory: 'a'.repeat(51) }, unforeseen],
		['whose payload is not bytes', { encryptedPayload: 'ä' }, unreadable],
		['without a version', { datawalletVersion: undefined }, unreadable],
		[
			'of a later version than the datawallet',
			{ datawalletVersion: 2 },
			'400 error.platform.datawallet.datawalletVersionOfModificationTooHigh',
		],
	])('%s is refused, and so is what comes with it', async (_, change, expected) => {
		expect(refusal(await push(-1, [item('good'), item('bad', change)]))).toBe(expected);
		expect(await listed()).toEqual([]);
	});

	it('is pushed by a device that names the latest version in a header', async () => {
		expect(refusal(await push(undefined, [item()]))).toBe(unreadable);
		expect(refusal(await push(-1, []))).toBe(invalidValue);
		expect(refusal(await push(-1, [item()], {}))).toBe(invalidValue);
		const header = (version: string) => ({ 'x-supported-datawallet-version': version });
		for (const version of ['x', '-1', '65536']) {
			expect(refusal(await push(-1, [item()], header(version)))).toBe(unreadable);
		}
		await push(-1, [item()]);
		for (const index of [-1, 1]) {
			expect(refusal(await push(index, [item()]))).toBe(valid('datawallet.datawalletNotUpToDate'));
		}
	});

	it('waits until a sync run is finalised, even an expired run', async () => {
		const { to, from } = await bench.pending();
		account = to;
		await to.call('POST', 'SyncRuns', {}, datawallet);
		sandboxOf(bench).advanceClock(11_000);
		expect(refusal(await push(-1, [item()]))).toBe(
			valid('datawallet.cannotPushDatawalletModificationsDuringActiveSyncRun'),
		);
		account = from;
		expect((await push(-1, [item()])).status).toBe(201);
	});

	it('is told to the other devices, not to the pushing device', async () => {
		const other = await bench.secondDevice(account);
		const stream = await eventStream(account);
		const modifications = [item()];
		await other.call(
			'POST',
			'Datawallet/Modifications',
			{ localIndex: -1, modifications },
			datawallet,
		);
		await stream.reaches('DatawalletModificationsCreated');
		await push(0, [item()]);
		await account.call('POST', 'Identities/Self/DeletionProcesses', {});
		await stream.reaches('DeletionProcessStarted');
		expect(stream.events).toEqual([
			'ConnectionOpened',
			'DatawalletModificationsCreated',
			'DeletionProcessStarted',
		]);
		await stream.close();
	});

	it('that another one replaced is removed after 30 days, and the index goes on', async () => {
		await push(-1, [item('one'), item('two'), item('one')]);
		sandboxOf(bench).advanceClock(31 * 24 * 3_600_000);
		await bench.call('POST', '/admin/jobs', {});
		expect(sandboxOf(bench).state.modifications.size).toBe(2);
		await account.logIn();
		expect((await push(2, [item('three')])).result).toMatchObject({ newIndex: 3 });
		expect((await listed()).map(({ index }) => index)).toEqual([1, 2, 3]);
	});
});

describe('a sync run', () => {
	const start = (body: object) => account.call('POST', 'SyncRuns', body, datawallet);
	const upgrade = { type: 'DatawalletVersionUpgrade' };
	const idOf = ({ result }: RawAnswer): string => (result['syncRun'] as { id: string }).id;

	it.each([
		['of an unknown type', { type: 'Everything' }],
		['of a duration that is none', { duration: 'long' }],
		['of a negative duration', { duration: -1 }],
		['that would last longer than can be said', { duration: 65_536 }],
	])('%s cannot be read', async (_, body) => {
		expect(refusal(await start(body))).toBe(unreadable);
	});

	it('lasts as long as asked for', async () => {
		const { syncRun } = (await start({ ...upgrade, duration: 60 })).result as {
			syncRun: { createdAt: string; expiresAt: string };
		};
		expect(Date.parse(syncRun.expiresAt) - Date.parse(syncRun.createdAt)).toBe(60_000);
	});

	it('needs a datawallet for events', async () => {
		const { identityBody } = { identityBody: await bench.identityBody('v2') };
		const { result } = await bench.call('POST', '/api/v2/Identities', identityBody);
		const { username } = result['device'] as { username: string };
		const { body } = await bench.logIn({ username, password: identityBody.devicePassword });
		const authorization = `Bearer ${(body as { access_token: string }).access_token}`;
		const headers = { authorization, ...datawallet };
		expect(refusal(await bench.call('POST', '/api/v2/SyncRuns', {}, headers))).toBe(
			'404 error.platform.recordNotFound',
		);
	});

	it('belongs to the device that started it', async () => {
		const { to } = await bench.pending();
		account = to;
		const id = idOf(await start({}));
		const other = await bench.secondDevice(to);
		const path = `SyncRuns/${id}`;
		expect((await other.call('GET', path)).result).toMatchObject({ id, eventCount: 1 });
		const answers = [
			await other.call('GET', `${path}/ExternalEvents`),
			await other.call('PUT', `${path}/RefreshExpirationTime`, {}),
			await other.call('PUT', `${path}/FinalizeExternalEventSync`, {}),
		];
		expect(answers.map(refusal)).toEqual([
			valid('syncRun.cannotReadExternalEventsOfASyncRunStartedByAnotherDevice'),
			valid('syncRun.cannotRefreshExpirationTimeOfSyncRunStartedByAnotherDevice'),
			valid('syncRun.cannotFinalizeSyncRunStartedByAnotherDevice'),
		]);
		const before = (await to.call('GET', path)).result['expiresAt'];
		sandboxOf(bench).advanceClock(5_000);
		const refreshed = await to.call('PUT', `${path}/RefreshExpirationTime`, {});
		expect(String(refreshed.result['expiresAt']) > String(before)).toBe(true);
		expect(
			refusal(
				await to.call('PUT', `${path}/FinalizeDatawalletVersionUpgrade`, {
					newDatawalletVersion: 1,
				}),
			),
		).toBe(valid('syncRun.unexpectedSyncRunType'));
	});

	it('is finalised with results and modifications, or not at all', async () => {
		const { to } = await bench.pending();
		account = to;
		const id = idOf(await start({}));
		const [event] = (await to.call('GET', `SyncRuns/${id}/ExternalEvents`))
			.result as unknown as Array<{ id: string }>;
		const finalize = (result: object, modifications: object[] = []) =>
			to.call('PUT', `SyncRuns/${id}/FinalizeExternalEventSync`, {
				externalEventResults: [{ externalEventId: event?.id, ...result }],
				datawalletModifications: modifications,
			});
		expect(refusal(await finalize({ errorCode: 'a'.repeat(101) }))).toBe(
			'400 MaximumLengthValidator',
		);
		expect(refusal(await finalize({ externalEventId: 'nonsense' }))).toBe(invalidValue);
		expect(refusal(await finalize({}, [item('bad', { datawalletVersion: 2 })]))).toBe(
			'400 error.platform.datawallet.datawalletVersionOfModificationTooHigh',
		);
		expect((await finalize({ errorCode: 'a'.repeat(100) }, [item()])).result).toEqual({
			newDatawalletModificationIndex: 0,
			datawalletModifications: [
				{ id: expect.any(String) as string, index: 0, createdAt: expect.any(String) as string },
			],
			// There is one, but it has failed before.
			newUnsyncedExternalEventsExist: false,
		});
		expect(await to.sync()).toMatchObject([{ id: event?.id, syncErrorCount: 1 }]);
	});

	it('gives an event up after three failures', async () => {
		const { to } = await bench.pending();
		account = to;
		for (let failures = 0; failures < 3; failures++) {
			const id = idOf(await start({}));
			await to.call('PUT', `SyncRuns/${id}/FinalizeExternalEventSync`, {});
		}
		expect((await start({})).result).toEqual({ status: 'NoNewEvents', syncRun: null });
	});

	it('raises the version of the datawallet, which is never lowered', async () => {
		const finalize = async (newDatawalletVersion: unknown, headers: object) => {
			const id = idOf(await account.call('POST', 'SyncRuns', upgrade, headers));
			const answer = await account.call('PUT', `SyncRuns/${id}/FinalizeDatawalletVersionUpgrade`, {
				newDatawalletVersion,
			});
			sandboxOf(bench).advanceClock(11_000);
			return refusal(answer);
		};
		const three = { 'x-supported-datawallet-version': '3' };
		expect(await finalize(0, three)).toBe(invalidValue);
		expect(await finalize(undefined, three)).toBe(unreadable);
		expect(await finalize(65_536, three)).toBe(unreadable);
		expect(await finalize(3, three)).toBe('200 undefined');
		expect((await account.call('GET', 'Datawallet')).result).toEqual({ version: 3 });
		expect(await finalize(2, three)).toBe('400 error.platform.datawallet.cannotDowngrade');
		expect(refusal(await start(upgrade))).toBe(
			valid('datawallet.insufficientSupportedDatawalletVersion'),
		);
		expect(refusal(await account.call('GET', `SyncRuns/${unknownId('SYR')}`))).toBe(
			'404 error.platform.recordNotFound',
		);
	});
});
