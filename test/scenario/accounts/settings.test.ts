import { judged, type Gateway } from '../../../core';
import { SandboxNetwork } from '../../support/gateways';

/* docs/protocol/consumption.md 12: values that clients keep with the account. */
let network: SandboxNetwork;
let gateway: Gateway;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
});

afterEach(() => network.close());

describe('a setting', () => {
	it('is changed by its id, and keeps everything but its value', async () => {
		const created = await gateway.settings.create({ key: 'colour', value: { is: 'red' } });
		const other = await gateway.settings.create({ key: 'size', value: { is: 'large' } });
		const updated = await gateway.settings.update(created.id, { value: { is: 'blue' } });
		expect(updated).toEqual({ ...created, value: { is: 'blue' } });
		expect(await gateway.settings.get(created.id)).toEqual(updated);
		expect(await gateway.settings.get(other.id)).toEqual(other);
		expect(await gateway.settings.list()).toHaveLength(2);
	});

	it('has no members without a value', async () => {
		const input = { key: 'colour', reference: undefined, value: {}, succeedsAt: undefined };
		const created = await gateway.settings.create(input);
		expect(created).toStrictEqual(await gateway.settings.get(created.id));
	});

	it('that does not exist is not created by a change', async () => {
		const update = gateway.settings.update('SET12345678901234567', { value: {} });
		await expect(update).rejects.toMatchObject({ code: 'error.runtime.recordNotFound' });
		expect(await gateway.settings.list()).toEqual([]);
	});

	it.each([[{}], [{ value: 'text' }], [{ value: {}, key: 'other' }]])(
		'is not changed by %j',
		async (input) => {
			const created = await gateway.settings.create({ key: 'colour', value: { is: 'red' } });
			await expect(gateway.settings.update(created.id, judged(input))).rejects.toMatchObject({
				code: 'error.runtime.validation.invalidPropertyValue',
			});
			expect(await gateway.settings.get(created.id)).toEqual(created);
		},
	);
});
