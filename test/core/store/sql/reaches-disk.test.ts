import { disk } from '../../../support/disk/disk';
import { systemClock } from '../../../../core/base/clock';
import { openTestStore, type TestStore } from '../../../support/store';
import { fieldExamples } from '../../../support/fields/field-examples';
import { identityExample } from '../../../support/fields/identity-example';
import type { WriteTransaction } from '../../../../core/store/store';

describe('on a disk that confirms nothing', () => {
	let opened: TestStore;

	beforeEach(async () => {
		opened = await openTestStore(systemClock);
	});

	afterEach(async () => {
		disk.refuses = false;
		await opened.dispose();
	});

	const { relationshipIntents, files, inbox, messages, attributes, tokens } = fieldExamples;
	type Change = (tx: WriteTransaction) => Promise<unknown>;

	it.each<readonly [string, Change]>([
		[
			'keys of the identity',
			(tx) => tx.identity.insert(identityExample.record, identityExample.secrets),
		],
		[
			'keys of a new relationship',
			(tx) =>
				tx.relationshipIntents.insert(relationshipIntents.full.record, relationshipIntents.secrets),
		],
		['keys of a file', (tx) => tx.files.insert(files.full.record, files.secrets)],
		['an external event', (tx) => tx.inbox.insert(inbox.full.record, undefined)],
		['the first number of a block', (tx) => tx.counters.reserve('a')],
	])('a commit with %s is reported as failed', async (_name, change) => {
		disk.refuses = true;
		await expect(opened.store.transact(change)).rejects.toMatchObject({
			code: 'error.gateway.store.ioFailed',
		});
	});

	it.each<readonly [string, Change]>([
		['a message', (tx) => tx.messages.insert(messages.full.record, messages.secrets)],
		['an attribute', (tx) => tx.attributes.insert(attributes.full.record, undefined)],
		['a token', (tx) => tx.tokens.insert(tokens.full.record, tokens.secrets)],
	])('a commit with %s succeeds, which others can supply again', async (_name, change) => {
		disk.refuses = true;
		await opened.store.transact(change);
	});

	it('numbers of a block that the disk has confirmed are handed out', async () => {
		const reserve = () => opened.store.transact((tx) => tx.counters.reserve('a'));
		expect(await reserve()).toBe(0);
		disk.refuses = true;
		expect(await reserve()).toBe(1);
		await expect(reserve()).rejects.toMatchObject({ code: 'error.gateway.store.ioFailed' });
	});
});
