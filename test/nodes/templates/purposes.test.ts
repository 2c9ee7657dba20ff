import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { methods } from '../../../nodes/Enmeshed/methods';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { mailTo, settle } from '../../support/gateways';
import {
	defaultsOf,
	loadOptionsFunctions,
	triggerFunctions,
} from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterAll(async () => {
	await bench?.close();
});

const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const filters = (value: string) => ({ filters: { purpose: byName(value) } });

describe('the purpose of a template', () => {
	it('is kept with its relationships, and filters lists', async () => {
		const { relationshipId: id, address } = await bench.connect(bench.wallet, {
			purpose: byName(' letters '),
		});
		const purpose = 'letters';
		const list = async (resource: string, value: string) =>
			(await bench.run(resource, 'getAll', filters(value))).map(({ json }) => json);
		expect(await list('relationship', purpose)).toMatchObject([{ id, purpose }]);
		expect(await list('relationshipTemplate', purpose)).toMatchObject([{ purpose }]);
		expect(await list('contact', purpose)).toMatchObject([{ peer: address, purpose }]);
		for (const resource of ['relationship', 'relationshipTemplate', 'contact']) {
			expect(await list(resource, 'none')).toEqual([]);
		}
	});

	it('is offered by the list, together with what is typed', async () => {
		const search = async (filter?: string) => {
			const functions = loadOptionsFunctions({ credentials: bench.credential });
			const found = await methods.listSearch['searchPurposes']?.call(functions, filter);
			return found?.results;
		};
		const known = { name: 'letters', value: 'letters' };
		expect(await search()).toEqual([known]);
		expect(await search('letters')).toEqual([known]);
		expect(await search('LET')).toEqual([known, { name: 'LET (new)', value: 'LET' }]);
		expect(await search('events')).toEqual([{ name: 'events (new)', value: 'events' }]);
	});

	it('is refused by the name of its field if it is too long', async () => {
		const purpose = byName('x'.repeat(101));
		await expect(
			bench.run('relationshipTemplate', 'create', { title: 'T', purpose }),
		).rejects.toMatchObject({ message: "The field 'Purpose' is not valid" });
	});
});

describe('a trigger with a purpose', () => {
	it('starts for the people who came by it, whom alone it accepts', async () => {
		const started: IDataObject[] = [];
		const stub = triggerFunctions({
			credentials: bench.credential,
			parameters: {
				...defaultsOf(triggerFields),
				events: ['relationship.accepted', 'peer.mailReceived'],
				...filters('events'),
				options: { acceptPendingRelationships: true },
			},
		});
		stub.onEmit = (emission) => {
			started.push(...emission.items.map(({ json }) => json));
			emission.settle({ status: 'success' });
		};
		const trigger = await new EnmeshedTrigger().trigger.call(stub.functions);
		const [one, other] = [await bench.network.gateway(), await bench.network.gateway()];
		const { relationshipId: id } = await bench.connect(one, { purpose: byName('letters') });
		const { address } = await bench.connect(other, { purpose: byName('events') });
		await until(() => started.length === 1);
		await bench.run('relationship', 'accept', {
			relationship: { __rl: true, mode: 'id', value: id },
		});
		const { address: own } = await bench.one('account', 'getIdentity');
		for (const person of [one, other]) {
			await settle(person);
			await person.messages.send(mailTo(String(own)));
			await bench.settle();
		}
		await until(() => started.length === 2);
		expect(started).toMatchObject([
			{ status: 'Active', peer: address, purpose: 'events' },
			{ subject: 'Hello', peer: address },
		]);
		await trigger.closeFunction?.();
	});
});
