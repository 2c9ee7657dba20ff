import {
	type Api,
	bytes,
	datawallet,
	message,
	type RawAnswer,
	RuleBench,
	sandboxOf,
	unknownId,
} from './support/raw-client';

/* What the sandbox refuses, with the codes of the real Backbone, over both versions of the API. */
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const valid = (code: string): string => `400 error.platform.validation.${code}`;
const notFound = '404 error.platform.recordNotFound';
const invalidValue = valid('invalidPropertyValue');
const unreadable = '400 error.platform.inputCannotBeParsed';
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const mebibyte = 1024 * 1024;

describe.each(['v1', 'v2'] as const)('over %s', (api: Api) => {
	let bench: RuleBench;

	beforeEach(async () => {
		bench = await RuleBench.open();
	});

	afterEach(() => bench.close());

	describe('a body', () => {
		it.each([
			['is not JSON', '{', unreadable],
			['is a list', '[]', unreadable],
			['lacks a member', {}, unreadable],
			['has a member of another type', { content: 7 }, unreadable],
			['has bytes that are no base64', { content: 'ä' }, unreadable],
		])('that %s is refused', async (_, body, expected) => {
			const account = await bench.account(api);
			expect(refusal(await account.call('POST', 'RelationshipTemplates', body))).toBe(expected);
		});

		it('over 20 MiB is refused', async () => {
			const account = await bench.account(api);
			const answer = await account.call('POST', 'RelationshipTemplates', {
				content: bytes(15 * mebibyte + mebibyte),
			});
			expect(refusal(answer)).toBe('400 error.platform.requestBodyTooLarge');
		});

		it('may have unknown members, and members in any case', async () => {
			const account = await bench.account(api);
			const answer = await account.call('POST', 'RelationshipTemplates', {
				CONTENT: bytes(1),
				more: true,
			});
			expect(answer.status).toBe(201);
		});
	});

	describe('a template', () => {
		it.each([
			['content over 10 MiB', { content: bytes(10 * mebibyte + 1) }, invalidValue],
			['no allocation at all', { maxNumberOfAllocations: 0 }, invalidValue],
			['half an allocation', { maxNumberOfAllocations: 0.5 }, unreadable],
			['an expiry in the past', { expiresAt: inMs(-1_000) }, invalidValue],
			['an expiry that is not a date', { expiresAt: 'soon' }, unreadable],
			['a stranger address', { forIdentity: 'did:e:nonsense' }, invalidValue],
			['a password over 200 bytes', { password: bytes(201) }, invalidValue],
		])('with %s is refused', async (_, change, expected) => {
			const account = await bench.account(api);
			const body = { content: bytes(9), ...change };
			expect(refusal(await account.call('POST', 'RelationshipTemplates', body))).toBe(expected);
		});

		it('is used up by other identities, each once, and its creator learns of it', async () => {
			const [owner, first, second] = [
				await bench.account(api),
				await bench.account(api),
				await bench.account(api),
			];
			const id = await owner.template({ maxNumberOfAllocations: 1 });
			const path = `RelationshipTemplates/${id}`;
			expect((await owner.call('GET', path)).status).toBe(200);
			expect((await first.call('GET', path)).status).toBe(200);
			expect((await first.call('GET', path)).status).toBe(200);
			expect(refusal(await second.call('GET', path))).toBe(
				valid('relationshipTemplate.maxNumberOfAllocationsExhausted'),
			);
			const relationship = { relationshipTemplateId: id };
			expect(refusal(await second.call('POST', 'Relationships', relationship))).toBe(
				valid('relationshipTemplate.maxNumberOfAllocationsExhausted'),
			);
			expect(await owner.sync()).toMatchObject([
				{
					type: 'RelationshipTemplateAllocationsExhausted',
					payload: { relationshipTemplateId: id },
				},
			]);
		});

		it('that expired, is meant for others or has another password is not found', async () => {
			const [owner, reader, other] = [
				await bench.account(api),
				await bench.account(api),
				await bench.account(api),
			];
			const read = async (id: string, query = ''): Promise<number> =>
				(await reader.call('GET', `RelationshipTemplates/${id}${query}`)).status;
			const forOther = await owner.template({ forIdentity: other.address });
			expect(await read(forOther)).toBe(404);
			const locked = await owner.template({ password: bytes(32) });
			const right = encodeURIComponent(Buffer.alloc(32, 1).toString('base64'));
			expect(await read(locked)).toBe(404);
			const wrong = encodeURIComponent(Buffer.alloc(31, 1).toString('base64'));
			expect(await read(locked, `?password=${wrong}`)).toBe(404);
			// In a query only standard base64 with its padding is understood.
			expect(await read(locked, `?password=${bytes(32)}`)).toBe(400);
			expect(await read(locked, `?password=${right}`)).toBe(200);
			// From then on it holds an allocation and needs none.
			expect(await read(locked)).toBe(200);
			const short = await owner.template({ expiresAt: inMs(60_000) });
			sandboxOf(bench).advanceClock(60_001);
			expect(await read(short)).toBe(404);
			expect(await read(unknownId('RLT'))).toBe(404);
		});

		it('is deleted by its creator only', async () => {
			const [owner, reader] = [await bench.account(api), await bench.account(api)];
			const path = `RelationshipTemplates/${await owner.template()}`;
			expect(refusal(await reader.call('DELETE', path))).toBe('403 error.platform.forbidden');
			expect((await owner.call('DELETE', path)).status).toBe(204);
			expect(refusal(await owner.call('DELETE', path))).toBe(notFound);
		});
	});

	describe('a relationship', () => {
		it('begins once, not with oneself, and not beside another one', async () => {
			const { to, from, relationshipTemplateId } = await bench.pending(api);
			const create = (who: typeof to, id: string) =>
				who.call('POST', 'Relationships', { relationshipTemplateId: id });
			expect(refusal(await create(from, relationshipTemplateId))).toBe(
				valid('relationship.relationshipToTargetAlreadyExists'),
			);
			expect(refusal(await create(to, relationshipTemplateId))).toBe(
				valid('relationship.cannotCreateRelationshipWithYourself'),
			);
			expect(refusal(await create(from, unknownId('RLT')))).toBe(notFound);
			const peer = encodeURIComponent(to.address);
			expect((await from.call('GET', `Relationships/CanCreate?peer=${peer}`)).result).toEqual({
				canCreate: false,
				code: 'error.platform.validation.relationship.relationshipToTargetAlreadyExists',
			});
			expect(refusal(await from.call('GET', 'Relationships/CanCreate?peer=me'))).toBe(invalidValue);
		});

		it('is unknown to a third identity, whatever it wants', async () => {
			const { id } = await bench.pending(api);
			const stranger = await bench.account(api);
			expect(refusal(await stranger.call('GET', `Relationships/${id}`))).toBe(notFound);
			expect(refusal(await stranger.call('PUT', `Relationships/${id}/Accept`, {}))).toBe(notFound);
			expect((await stranger.call('GET', `Relationships?ids=${id}`)).result).toEqual([]);
			expect(refusal(await stranger.call('GET', 'Relationships'))).toBe(invalidValue);
		});

		const wrongStatus = valid('relationship.relationshipIsNotInCorrectStatus');
		const notAddressed = valid(
			'relationship.cannotAcceptOrRejectRelationshipAddressedToSomeoneElse',
		);
		type Step = readonly [who: 'to' | 'from', path: string, answer: string];

		/** Each line is a life of a relationship; the steps before the last go well. */
		const lives: ReadonlyArray<readonly Step[]> = [
			[['from', 'Accept', notAddressed]],
			[['from', 'Reject', notAddressed]],
			[['to', 'Revoke', valid('relationship.cannotRevokeRelationshipNotCreatedByYourself')]],
			[['to', 'Terminate', wrongStatus]],
			[['to', 'Decompose', wrongStatus]],
			[
				['to', 'Accept', 'Active'],
				['to', 'Accept', wrongStatus],
			],
			[
				['to', 'Accept', 'Active'],
				// The status is looked at before who may.
				['from', 'Reject', wrongStatus],
			],
			[
				['to', 'Reject', 'Rejected'],
				['from', 'Revoke', wrongStatus],
			],
			[
				['from', 'Revoke', 'Revoked'],
				['to', 'Accept', wrongStatus],
			],
			[
				['to', 'Accept', 'Active'],
				['to', 'Reactivate', wrongStatus],
			],
			[
				['to', 'Accept', 'Active'],
				['from', 'Terminate', 'Terminated'],
				['to', 'Reactivate', 'Terminated'],
				[
					'from',
					'Reactivate',
					valid('relationship.cannotRequestReactivationWhenThereIsAnOpenReactivationRequest'),
				],
			],
			[
				['to', 'Accept', 'Active'],
				['from', 'Terminate', 'Terminated'],
				['to', 'Reactivate', 'Terminated'],
				[
					'to',
					'Reactivate/Accept',
					valid('relationship.noAcceptableRelationshipReactivationRequestExists'),
				],
			],
			[
				['to', 'Accept', 'Active'],
				['from', 'Terminate', 'Terminated'],
				['from', 'Reactivate/Reject', valid('relationship.noRejectableReactivationRequestExists')],
			],
			[
				['to', 'Accept', 'Active'],
				['from', 'Terminate', 'Terminated'],
				['to', 'Reactivate', 'Terminated'],
				['from', 'Reactivate/Revoke', valid('relationship.noRevocableReactivationRequestExists')],
			],
			[
				['to', 'Accept', 'Active'],
				['from', 'Terminate', 'Terminated'],
				['to', 'Reactivate', 'Terminated'],
				['from', 'Reactivate/Accept', 'Active'],
				['to', 'Terminate', 'Terminated'],
				['to', 'Decompose', 'DeletionProposed'],
				['to', 'Decompose', valid('relationship.relationshipAlreadyDecomposed')],
			],
			[
				['to', 'Reject', 'Rejected'],
				['to', 'Decompose', 'DeletionProposed'],
				['from', 'Decompose', 'ReadyForDeletion'],
			],
		];

		it.each(
			lives.map(
				(steps) => [steps.map(([who, path]) => `${who} ${path}`).join(', '), steps] as const,
			),
		)('goes by its table: %s', async (_, steps) => {
			const parties = await bench.pending(api);
			for (const [who, path, expected] of steps) {
				const answer = await parties[who].call('PUT', `Relationships/${parties.id}/${path}`, {});
				const seen = answer.status === 200 ? answer.result['status'] : refusal(answer);
				expect(seen).toBe(expected);
			}
		});

		it('cannot be read by the side that has decomposed it', async () => {
			const { to, from, id } = await bench.active(api);
			await to.call('PUT', `Relationships/${id}/Terminate`, {});
			await to.call('PUT', `Relationships/${id}/Decompose`, {});
			expect(refusal(await to.call('GET', `Relationships/${id}`))).toBe(
				valid('relationship.relationshipAlreadyDecomposed'),
			);
			expect((await from.call('GET', `Relationships/${id}`)).result).toMatchObject({
				status: 'DeletionProposed',
			});
		});
	});

	describe('a message', () => {
		it('is refused to a stranger, and where the relationship is over', async () => {
			const { to, from, id } = await bench.pending(api);
			const stranger = await bench.account(api);
			const send = (address: string) => from.call('POST', 'Messages', message(address));
			for (const { address } of [stranger, from]) {
				expect(refusal(await send(address))).toBe(valid('message.noRelationshipToRecipientExists'));
			}
			await to.call('PUT', `Relationships/${id}/Reject`, {});
			expect(refusal(await send(to.address))).toBe(
				valid('message.relationshipToRecipientNotActive'),
			);
		});

		it.each([
			['without recipients', { recipients: [] }],
			['without a body', { body: '' }],
			['with a body over 10 MiB', { body: bytes(10 * mebibyte + 1) }],
			['with 21 attachments', { attachments: Array(21).fill({ id: `FIL${'a'.repeat(17)}` }) }],
			[
				'with an attachment that is not a file',
				{ attachments: [{ id: 'RLT1' }] },
				'400 PredicateValidator',
			],
		])('%s is refused', async (_, change, expected = invalidValue) => {
			const { to, from } = await bench.active(api);
			const body = { ...message(to.address), ...change };
			expect(refusal(await from.call('POST', 'Messages', body))).toBe(expected);
		});

		it('has recipients that differ, not too many, with keys of the right length', async () => {
			const { to, from } = await bench.active(api);
			const refused = async (recipients: readonly object[]) =>
				refusal(await from.call('POST', 'Messages', { ...message(), recipients }));
			const one = { address: to.address, encryptedKey: bytes(152) };
			expect(await refused([one, one])).toBe(invalidValue);
			expect(await refused(Array(6).fill(one))).toBe(invalidValue);
			expect(await refused([{ ...one, encryptedKey: bytes(29) }])).toBe(invalidValue);
			expect(await refused([{ ...one, encryptedKey: bytes(301) }])).toBe(invalidValue);
		});

		it('is refused when the recipient has 20 unread ones of this sender', async () => {
			const { to, from } = await bench.active(api);
			const send = () => from.call('POST', 'Messages', message(to.address));
			for (let sent = 0; sent < 20; sent++) expect((await send()).status).toBe(201);
			expect(refusal(await send())).toBe(valid('message.maxNumberOfUnreceivedMessagesReached'));
			const [first] = (await to.call('GET', 'Messages')).result as unknown as object[];
			expect(first).toMatchObject({ recipients: [{ address: to.address }] });
			expect((await send()).status).toBe(201);
		});

		it('is seen by its parties only', async () => {
			const { to, from } = await bench.active(api);
			const stranger = await bench.account(api);
			const { id } = (await from.call('POST', 'Messages', message(to.address))).result;
			expect((await to.call('GET', `Messages/${String(id)}`)).status).toBe(200);
			expect(refusal(await stranger.call('GET', `Messages/${String(id)}`))).toBe(notFound);
			expect((await stranger.call('GET', `Messages?ids=${String(id)}`)).result).toEqual([]);
		});
	});

	describe('a list', () => {
		it('comes in pages of 50 unless another size is asked for, at most 200', async () => {
			const owner = await bench.account(api);
			const ids: string[] = [];
			for (let count = 0; count < 51; count++) ids.push(await owner.template());
			const query = ids.map((id) => `ids=${id}`).join('&');
			const list = (more: string) => owner.call('GET', `RelationshipTemplates?${query}${more}`);
			const first = await list('');
			expect(first.result).toHaveLength(50);
			expect((first.body as { pagination: object }).pagination).toEqual({
				pageNumber: 1,
				pageSize: 50,
				totalPages: 2,
				totalRecords: 51,
			});
			expect((await list('&pageNumber=2')).result).toHaveLength(1);
			const all = await list('&PageSize=200');
			expect(all.result).toHaveLength(51);
			expect(all.body).not.toHaveProperty('pagination');
			expect((await list('&PageSize=')).result).toHaveLength(50);
			expect(refusal(await list('&PageSize=0'))).toBe(valid('pagination.invalidPageSize'));
			expect(refusal(await list('&PageSize=201'))).toBe('500 error.platform.unexpected');
		});
	});

	describe('a sync run', () => {
		const start = { type: 'ExternalEventSync' };

		it('needs a datawallet version that is not below the one of the datawallet', async () => {
			const account = await bench.account(api);
			expect(refusal(await account.call('POST', 'SyncRuns', start))).toBe(invalidValue);
			const answer = await account.call('GET', 'Datawallet/Modifications', undefined);
			expect(refusal(answer)).toBe(valid('datawallet.insufficientSupportedDatawalletVersion'));
		});

		it('shuts out another one, ends once, and expires after ten seconds', async () => {
			const { to } = await bench.pending(api);
			const run = await to.call('POST', 'SyncRuns', start, datawallet);
			const { id } = run.result['syncRun'] as { id: string };
			expect(refusal(await to.call('POST', 'SyncRuns', start, datawallet))).toBe(
				valid('syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning'),
			);
			sandboxOf(bench).advanceClock(10_001);
			const next = await to.call('POST', 'SyncRuns', start, datawallet);
			const { id: nextId } = next.result['syncRun'] as { id: string };
			expect(refusal(await to.call('GET', `SyncRuns/${id}/ExternalEvents`))).toBe(
				valid('syncRun.syncRunAlreadyFinalized'),
			);
			// The event of the expired run has failed once.
			const events = await to.call('GET', `SyncRuns/${nextId}/ExternalEvents`);
			expect(events.result).toMatchObject([{ syncErrorCount: 1 }]);
			const end = `SyncRuns/${nextId}/FinalizeExternalEventSync`;
			expect((await to.call('PUT', end, { externalEventResults: [] })).status).toBe(200);
			expect(refusal(await to.call('PUT', end, { externalEventResults: [] }))).toBe(
				valid('syncRun.syncRunAlreadyFinalized'),
			);
			expect(refusal(await to.call('GET', `SyncRuns/${unknownId('SYR')}`))).toBe(notFound);
		});

		it('holds messages of a pending relationship back until it is active', async () => {
			const { to, from, id } = await bench.pending(api);
			await to.sync();
			await from.call('POST', 'Messages', message(to.address));
			expect(await to.sync()).toEqual([]);
			await to.call('PUT', `Relationships/${id}/Accept`, {});
			expect(await to.sync()).toMatchObject([{ type: 'MessageReceived' }]);
		});
	});
});
