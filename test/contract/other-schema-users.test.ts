import type * as Zod from 'zod';
import { Gateway } from '../../core';
import { HttpGateway } from '../core/server/support/http-gateway';
import { NodeBench } from '../nodes/support/node-bench';

/* A process has one set of zod's settings for all packages in it, whichever copy each one has. */

/** The copy of another package, loaded beside ours. */
function foreignZod(): typeof Zod {
	let foreign: typeof Zod | undefined;
	jest.isolateModules(() => {
		foreign = jest.requireActual<typeof Zod>('zod');
	});
	if (foreign === undefined) throw new TypeError('The copy was not loaded');
	return foreign;
}

let bench: NodeBench;
let http: HttpGateway;

beforeAll(async () => {
	bench = await NodeBench.open();
	http = await HttpGateway.open(bench.network);
});

afterAll(async () => {
	await http.close();
	await bench.close();
});

/** Texts with which each part of the package refuses an input. */
async function texts(): Promise<Record<string, string>> {
	const { gateway } = http;
	const failing = async (call: () => Promise<unknown>) =>
		await call().then(
			() => 'no failure',
			({ message, description = '' }: Error & { description?: string }) => message + description,
		);
	const address = { content: { value: { '@type': 'EMailAddress', value: 1 } } };
	const answers = await Promise.all([
		http.ask('POST /Messages', { json: { recipients: ['stranger'], content: {} } }),
		http.ask('POST /RelationshipTemplates/Own', { json: { expiresAt: 1, content: {} } }),
		http.ask('POST /Attributes', { json: { content: { value: 1 } } }),
	]);
	const administration = await fetch(`${bench.network.backbone.baseUrl}/admin/clock`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ advanceMs: 'long' }),
	});
	const { error } = (await administration.json()) as { error: { message: string } };
	return {
		configuration: await failing(async () => await Gateway.open({ backbone: 1 } as never)),
		library: await failing(async () => await gateway.files.upload({} as never, new Uint8Array(1))),
		content: await failing(async () => await gateway.attributes.create(address as never)),
		node: await failing(async () => await bench.run('message', 'getAll', { limit: 'many' })),
		...Object.fromEntries(answers.map(({ error: { message } }, at) => [`http ${at}`, message])),
		sandbox: error.message,
	};
}

describe('another package of the process that uses zod', () => {
	it('keeps its own texts while this package is loaded and at work', async () => {
		const { string, object, config } = foreignZod();
		const read = () => object({ name: string().min(3) }).safeParse({ name: 1 }).error?.issues;
		await texts();
		expect(config().customError).toBeUndefined();
		expect(read()).toMatchObject([{ message: 'Invalid input: expected string, received number' }]);
	});

	it('changes no text of this package with texts of its own', async () => {
		const before = await texts();
		const { config } = foreignZod();
		const usual = { ...config() };
		config({ customError: () => 'of the other package', localeError: () => 'in its language' });
		try {
			expect(await texts()).toEqual(before);
		} finally {
			config({ customError: undefined, localeError: usual.localeError });
		}
	});
});
