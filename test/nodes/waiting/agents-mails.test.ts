import type { IDataObject } from 'n8n-workflow';
import type { StubOptions } from '../../support/n8n/n8n-functions';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

/** As n8n runs a tool as a step of its own. */
const asTool = { type: 'n8n-nodes-enmeshed.enmeshedTool' };

let bench: NodeBench;
let to: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	const { relationshipId, address } = await bench.connect();
	await bench.run('relationship', 'accept', { relationship: relationshipId });
	to = address;
});

afterAll(async () => {
	await bench?.close();
});

/** A mail whose texts have expressions with these values. */
function written(values: Readonly<Record<string, unknown>>): {
	readonly mail: IDataObject;
	readonly expressions: NonNullable<StubOptions['expressions']>;
} {
	const { amount, person } = values;
	const entered = { subject: '=For {{ person }}', body: '=We pay {{ amount }} € to {{ person }}.' };
	const mail = { to, subject: `For ${person}`, body: `We pay ${amount} € to ${person}.` };
	return {
		mail,
		expressions: { entered, values: { '{{ amount }}': amount, '{{ person }}': person } },
	};
}

const sent = async (): Promise<number> =>
	(await bench.run('message', 'getAll', { returnAll: true })).length;

it.each(['sendMail', 'sendAndWait'])(
	'%s refuses the text of an agent with an expression that has no value',
	async (operation) => {
		const { mail, expressions } = written({ amount: 60, person: '' });
		const before = await sent();
		await expect(
			bench.run('message', operation, mail, { node: asTool, expressions }),
		).rejects.toMatchObject({
			message: "The expression {{ person }} in the field 'Subject' has no value",
			context: { code: 'error.gateway.waits.emptyExpression' },
		});
		const other = written({ person: 'Ada' });
		await expect(
			bench.run('message', operation, other.mail, {
				node: asTool,
				expressions: other.expressions,
			}),
		).rejects.toMatchObject({
			message: "The expression {{ amount }} in the field 'Body' has no value",
		});
		expect(await sent()).toBe(before);
	},
);

it('sends complete texts of an agent, and any text of a workflow', async () => {
	const complete = written({ amount: 60, person: 'Ada' });
	await bench.run('message', 'sendMail', complete.mail, {
		node: asTool,
		expressions: complete.expressions,
	});
	const { mail, expressions } = written({ amount: 60, person: '' });
	await bench.run('message', 'sendMail', mail, { expressions });
	expect(await sent()).toBe(2);
});
