import { setImmediate } from 'node:timers';
import { messageRecord, messageSecrets } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

it('a search that decrypts many records lets other work run meanwhile', async () => {
	const store = await openMemoryStore();
	await store.transact(async (tx) => {
		for (let number = 0; number < 200; number++) {
			await tx.messages.insert(messageRecord(`MSG${number}`), messageSecrets);
		}
	});
	let hasRun = false;
	setImmediate(() => (hasRun = true));
	const where = [{ field: 'subject', op: 'contains', value: 'no text has this' } as const];
	expect(await store.read((tx) => tx.messages.count({ where }))).toBe(0);
	expect(hasRun).toBe(true);
	await store.close();
});
