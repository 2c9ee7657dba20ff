import { ownText } from '../../core/model/json';
import { arrivals } from '../support/gateways';
import type { IDataObject } from 'n8n-workflow';
import { NodeBench } from './support/node-bench';
import { until } from '../support/until';
import { runWorkflow, useTemporaryHome, type WorkflowOptions } from './support/workflow-bench';

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

const removeHome = useTemporaryHome();
let bench: NodeBench;
let peer: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	const { relationshipId, address } = await bench.connect();
	await bench.run('relationship', 'accept', { relationship: relationshipId });
	peer = address;
});

afterAll(async () => {
	await bench.close();
	removeHome();
});

const run = (options: Partial<WorkflowOptions> & Pick<WorkflowOptions, 'items' | 'parameters'>) =>
	runWorkflow({ credential: bench.credential, ...options });

const createSurname: IDataObject = {
	resource: 'attribute',
	operation: 'create',
	valueType: 'Surname',
	value: '={{ $json.name }}',
};

const mail = (): IDataObject => ({
	resource: 'message',
	operation: 'sendMail',
	to: { __rl: true, mode: 'address', value: peer },
	subject: '={{ $json.name }}',
	body: 'Hello',
	additionalFields: {},
});

const sendCalls = () => bench.network.backbone.calls.count('POST', /\/Messages/);

describe("the node in n8n's own engine", () => {
	it('works for every item, and links hold through a following node', async () => {
		const { run: result, succeeded } = await run({
			items: [{ name: 'Ada' }, { name: 'Grace' }, { name: 'Edith' }],
			parameters: createSurname,
		});
		expect(result.data.resultData.error).toBeUndefined();
		expect(succeeded.map(({ json }) => [json['value'], json['seen']])).toEqual([
			['Ada', 'Ada'],
			['Grace', 'Grace'],
			['Edith', 'Edith'],
		]);
	});

	it('links every one of many results to its item', async () => {
		const { succeeded } = await run({
			items: [
				{ name: 'x', limit: 1 },
				{ name: 'y', limit: 2 },
			],
			parameters: {
				resource: 'attribute',
				operation: 'getAll',
				kind: 'own',
				returnAll: false,
				limit: '={{ $json.limit }}',
				simplify: true,
				filters: {},
			},
		});
		expect(succeeded.map(({ json }) => json['seen'])).toEqual(['x', 'y', 'y']);
	});

	it('stops when the user cancels', async () => {
		const { faults } = bench.network.backbone;
		faults.add({
			method: 'POST',
			path: /\/Messages/,
			action: { kind: 'delay', durationMs: 1_000 },
		});
		const arrived = faults.onNext('POST', /\/Messages/);
		const before = sendCalls();
		const { run: result } = await run({
			items: [{ name: 'Never 1' }, { name: 'Never 2' }],
			parameters: mail(),
			onStart: (stop) => void arrived.then(stop),
		});
		expect(result.status).toBe('canceled');
		expect(result.data.resultData.runData['Following']).toBeUndefined();
		// The call that was under way is carried out, and nothing is sent after it.
		await until(() => sendCalls() - before === 1);
		const { messages } = await arrivals(bench.wallet);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual(['Never 1']);
	});

	it('keeps the QR code as a file', async () => {
		const { succeeded } = await run({
			items: [{ name: 'Ada' }],
			parameters: {
				resource: 'relationshipTemplate',
				operation: 'create',
				contentMode: 'fields',
				title: '={{ "For " + $json.name }}',
				requestItems: {
					items: [{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true, group: '' }],
				},
				expires: 'afterDays',
				expiresInDays: 1,
				binaryPropertyName: 'qr',
				options: {},
			},
		});
		expect(succeeded[0]?.json).toMatchObject({ title: 'For Ada', seen: 'Ada' });
	});

	it('fills in what the form of a request leaves out, and resolves expressions in it', async () => {
		const { succeeded } = await run({
			items: [{ name: 'Ada', type: 'Surname' }],
			parameters: {
				resource: 'relationshipTemplate',
				operation: 'create',
				title: 'Form',
				simplify: false,
				requestItems: {
					items: [
						{ kind: 'askFor' },
						{ kind: 'askFor', valueType: '={{ $json.type }}', mustBeAccepted: false },
						{ kind: 'logIn', title: '=For {{ $json.name }}', group: 'Login' },
						{
							kind: 'createRelationshipAttribute',
							key: 'number',
							attributeTitle: 'Number',
							relationshipValueType: 'ProprietaryInteger',
							numberValue: 7,
						},
						// What another kind has left behind is not looked at.
						{
							kind: 'propose',
							valueType: 'PersonName',
							givenName: '={{ $json.name }}',
							surname: 'Lovelace',
							value: 'left behind',
							consent: 'left behind',
						},
						{ kind: 'formField', title: 'Rate us', fieldType: 'rating' },
					],
				},
			},
		});
		expect(succeeded[0]?.json['content']).toMatchObject({
			onNewRelationship: {
				items: [
					{ query: { valueType: 'GivenName' }, mustBeAccepted: true },
					{ query: { valueType: 'Surname' }, mustBeAccepted: false },
					{ title: 'Login', items: [{ title: 'For Ada' }] },
					{ attribute: { key: 'number', owner: expect.any(String), value: { value: 7 } } },
					{
						attribute: {
							value: { '@type': 'PersonName', givenName: 'Ada', surname: 'Lovelace' },
						},
					},
					{ title: 'Rate us', settings: { maxRating: 5 } },
				],
			},
		});
	});

	it('stops the workflow at an error, with the item and the code', async () => {
		const { run: result } = await run({
			items: [{ name: 'Ada2' }, { name: '' }],
			parameters: createSurname,
		});
		expect(result.data.resultData.error).toMatchObject({
			message: "The field 'Value' is not valid",
			context: { itemIndex: 1 },
		});
	});

	it('goes on with an error item when told to continue', async () => {
		const { succeeded } = await run({
			items: [{ name: 'Ada3' }, { name: '' }, { name: 'Grace3' }],
			parameters: createSurname,
			node: { onError: 'continueRegularOutput' },
		});
		expect(succeeded.map(({ json }) => [json['value'] ?? json['error'], json['seen']])).toEqual([
			['Ada3', 'Ada3'],
			["The field 'Value' is not valid", ''],
			['Grace3', 'Grace3'],
		]);
	});

	it('puts failed items on the error output, and only those', async () => {
		const { succeeded, failed } = await run({
			items: [{ name: 'Ada4' }, { name: '' }, { name: 'Grace4' }],
			parameters: createSurname,
			node: { onError: 'continueErrorOutput' },
		});
		expect(succeeded.map(({ json }) => json['value'])).toEqual(['Ada4', 'Grace4']);
		expect(failed.map(({ json }) => json['error'])).toEqual(["The field 'Value' is not valid"]);
	});

	it('tells the code on the error output', async () => {
		const { failed } = await run({
			items: [{ name: 'not an address' }],
			parameters: { ...createSurname, valueType: 'EMailAddress' },
			node: { onError: 'continueErrorOutput' },
		});
		expect(failed[0]?.json['error']).toContain('(error.runtime.');
	});

	it('sends once when it is retried after a lost answer', async () => {
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/Messages/,
			nth: 2,
			action: { kind: 'cutAfter' },
		});
		const before = sendCalls();
		const { succeeded, run: result } = await run({
			items: [{ name: 'First' }, { name: 'Second' }],
			parameters: mail(),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(result.data.resultData.error).toBeUndefined();
		expect(succeeded.map(({ json }) => json['subject'])).toEqual(['First', 'Second']);
		expect(sendCalls() - before).toBe(2);
		const { messages } = await arrivals(bench.wallet);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual(['First', 'Second']);
	});

	it('uploads what has arrived only once when it is retried', async () => {
		const uploads = (): number => bench.network.backbone.calls.count('POST', /\/Files/);
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/Files/,
			nth: 2,
			action: { kind: 'cutAfter' },
		});
		const before = uploads();
		const { succeeded, run: result } = await run({
			items: [{ name: 'First' }, { name: 'Second' }],
			parameters: {
				resource: 'file',
				operation: 'upload',
				source: 'text',
				text: '={{ $json.name }}',
			},
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(result.data.resultData.error).toBeUndefined();
		expect(succeeded.map(({ json }) => json['filesize'])).toEqual([5, 6]);
		// The answer about the second one was lost, and the Backbone cannot be asked for it.
		expect(uploads() - before).toBe(3);
		const lease = await bench.gateway();
		expect(await lease.gateway.files.list()).toHaveLength(2);
		lease.release();
	});

	it('uploads what is attached to a mail once when sending it is retried', async () => {
		const uploads = (): number => bench.network.backbone.calls.count('POST', /\/Files/);
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /\/Messages/,
			// A refusal: the repetition does not wait to learn whether the first call had an effect.
			action: {
				kind: 'status',
				status: 429,
				body: { error: { code: 'error.platform.quotaExhausted' } },
			},
		});
		const before = uploads();
		const sends = sendCalls();
		const data = {
			data: Buffer.from('a').toString('base64'),
			mimeType: 'text/plain',
			fileName: 'a',
		};
		const { succeeded } = await run({
			items: [{ name: 'With a file' }],
			binary: { data },
			parameters: {
				...mail(),
				additionalFields: {
					attachments: { files: [{ fileSource: 'input', binaryPropertyName: 'data' }] },
				},
			},
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(succeeded.map(({ json }) => json['attachments'])).toEqual([[expect.any(String)]]);
		expect(sendCalls() - sends).toBe(2);
		expect(uploads() - before).toBe(1);
		const { messages } = await arrivals(bench.wallet);
		expect(messages.map(({ attachments }) => attachments.length)).toEqual([1]);
	});

	it('sends again in another execution', async () => {
		for (const executionId of ['one', 'two']) {
			await run({ items: [{ name: 'Same' }], parameters: mail(), executionId });
		}
		const { messages } = await arrivals(bench.wallet);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual(['Same', 'Same']);
	});
});
