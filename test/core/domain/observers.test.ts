import { attributeErrors } from '../../../core/domain/attribute/attribute-errors';
import { Observers, type ObserverTable } from '../../../core/domain/observers';
import type { MessageRecord } from '../../../core/model/record/message';
import type { WriteTransaction } from '../../../core/store/store';

const tx = {} as WriteTransaction;
const message = { id: 'MSG1' } as MessageRecord;

const nothing: ObserverTable = {
	attributeCreated: [],
	messagePrepared: [],
	messageAwaited: [],
	messageNotAwaited: [],
	messageSent: [],
	messageReceived: [],
	templateAwaited: [],
	templateDeleted: [],
	templateLoaded: [],
	relationshipCreated: [],
	relationshipArrived: [],
	relationshipAccepted: [],
	relationshipEnded: [],
	relationshipLeftByPeer: [],
	relationshipDecomposed: [],
};

describe('the observers of a change', () => {
	it('are called one after the other, in the order of the table, with the transaction', async () => {
		const calls: unknown[] = [];
		const observer = (name: string) => ({
			messageSent: async (...given: unknown[]) => {
				calls.push(`${name} begins`);
				await Promise.resolve();
				calls.push([name, ...given]);
			},
		});
		const observers = new Observers();
		observers.connect({ ...nothing, messageSent: [observer('first'), observer('second')] });
		await observers.notify('messageSent', tx, message);
		expect(calls).toEqual([
			'first begins',
			['first', tx, message],
			'second begins',
			['second', tx, message],
		]);
	});

	it('refuse a planned change by a reason, and those after them are not asked', async () => {
		const refusal = attributeErrors.create('invalidInput', {
			message: 'refused',
			facts: { field: 'content' },
		});
		const allowed = jest.fn(() => Promise.resolve(undefined));
		const after = jest.fn(() => Promise.resolve(undefined));
		const observers = new Observers();
		observers.connect({
			...nothing,
			messagePrepared: [
				{ messagePrepared: allowed },
				{ messagePrepared: () => Promise.resolve(refusal) },
				{ messagePrepared: after },
			],
		});
		const content = { '@type': 'ArbitraryMessageContent', value: 1 } as const;
		const planned = { content, recipients: [], intentId: 'SND1' };
		await expect(observers.review('messagePrepared', tx, planned)).rejects.toBe(refusal);
		expect(allowed).toHaveBeenCalledWith(tx, planned);
		expect(after).not.toHaveBeenCalled();
	});

	it('end the transaction by throwing, and those after them are not called', async () => {
		const observers = new Observers();
		const refused = new Error('refused');
		const after = jest.fn(() => Promise.resolve());
		observers.connect({
			...nothing,
			messageSent: [{ messageSent: () => Promise.reject(refused) }, { messageSent: after }],
		});
		await expect(observers.notify('messageSent', tx, message)).rejects.toBe(refused);
		expect(after).not.toHaveBeenCalled();
	});

	it('may be services, whose methods keep their object', async () => {
		class Service {
			readonly seen: string[] = [];

			async messageReceived(_tx: WriteTransaction, { id }: MessageRecord): Promise<void> {
				await Promise.resolve(this.seen.push(id));
			}
		}
		const service = new Service();
		const observers = new Observers();
		observers.connect({ ...nothing, messageReceived: [service] });
		await observers.notify('messageReceived', tx, message);
		expect(service.seen).toEqual(['MSG1']);
	});
});
