import type { IDataObject } from 'n8n-workflow';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { itemKinds } from '../../../nodes/Enmeshed/requests/item-kinds';
import { askedItems } from './asked-items';
import { itemOf, locator, openTab, WalletBench } from './wallet-bench';

jest.setTimeout(120_000);

const pictures = join(__dirname, '..', '..', '..', '.tmp', 'demo-wallet');
let bench: WalletBench;
let page: Page;
let ada: string;
/** own attribute of the organisation */
let ownName: IDataObject;

beforeAll(async () => {
	bench = await WalletBench.open();
	ada = (await bench.people())[0]?.address ?? '';
	ownName = await bench.node.one('attribute', 'create', {
		valueType: 'DisplayName',
		value: 'Example Organisation',
	});
});

afterAll(async () => {
	await bench?.close();
});

const items = async (id: string): Promise<unknown[]> => {
	const { response } = await bench.answered(id);
	return (response as { content: { items: unknown[] } }).content.items;
};

/** Opens the request that has arrived in the wallet. */
async function openRequest(title: string): Promise<void> {
	await openTab(page, 'Home');
	await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
	await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

async function accept(): Promise<void> {
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
	await page.getByText('Example Organisation has your answer.').waitFor();
}

it('connects by a code, and sees what was shared', async () => {
	const shared = { kind: 'share', attribute: locator(ownName['id']), mustBeAccepted: true };
	const template = await bench.template([
		shared,
		{ kind: 'askFor', valueType: 'Surname', mustBeAccepted: true },
		{ kind: 'askFor', valueType: 'PhoneNumber', mustBeAccepted: false },
	]);
	page = await bench.openPage();
	await page.getByLabel('Link or reference').fill(String(template['link']));
	await page.getByRole('button', { name: 'Open', exact: true }).click();
	await itemOf(page, 'Receive display name').getByText('Example Organisation').waitFor();
	await itemOf(page, 'Last name').getByLabel('Last name').fill('Lovelace');
	await page.getByRole('button', { name: 'Share and connect' }).click();
	await page.getByText('Example Organisation has to accept the connection now.').waitFor();
	await bench.acceptPerson(ada);
	await openTab(page, 'Contacts');
	await page.getByText('Connected').waitFor();
	await page.getByRole('button', { name: 'Example Organisation' }).click();
	const whatIShared = page.getByRole('region', { name: 'What I shared' });
	await whatIShared.getByText('Lovelace').waitFor();
	const [contact] = await bench.node.run('contact', 'getAll', {});
	expect(contact?.json).toMatchObject({ peer: ada, attributes: { Surname: 'Lovelace' } });
});

it('answers items and form fields of every kind', async () => {
	const file = await bench.node.one('file', 'upload', { source: 'text', text: 'Yours' });
	const entries = [
		...askedItems.map(({ entry }) => entry),
		{ kind: 'handOverFile', file: locator(file['id']) },
	].map((entry) => ({ mustBeAccepted: true, ...entry }));
	const id = await bench.ask(ada, entries, { title: 'Everything', description: 'All at once' });
	await openRequest('Everything');
	await page.getByText('All at once').waitFor();
	for (const { heading, answer } of askedItems) {
		const item = itemOf(page, heading);
		await item.scrollIntoViewIfNeeded();
		await answer(item, page);
	}
	const handedOver = itemOf(page, 'Take over a file');
	expect(await handedOver.getByRole('checkbox').isChecked()).toBe(true);
	await page.screenshot({ path: join(pictures, 'every-item.png'), fullPage: true });
	await accept();
	expect(await items(id)).toMatchObject([
		...askedItems.map(({ response }) => response),
		{ '@type': 'TransferFileOwnershipAcceptResponseItem', result: 'Accepted' },
	]);
});

it('answers in groups with stored data, refuses optional parts, and deletes what it received', async () => {
	const shared = await sharedName();
	const optional = { mustBeAccepted: false };
	const id = await bench.ask(
		ada,
		[
			{ kind: 'askFor', valueType: 'Surname', group: 'About you', mustBeAccepted: true },
			{ kind: 'askFor', valueType: 'EMailAddress', group: 'About you', ...optional },
			{ kind: 'askFor', valueType: 'Nationality', group: 'About you', ...optional },
			{ kind: 'askToDelete', sharedAttribute: locator(shared), mustBeAccepted: true },
			{ kind: 'formField', title: 'Newsletter', fieldType: 'boolean', ...optional },
			{ kind: 'askForConsent', consent: 'Adverts', ...optional },
			{ kind: 'offerCredential', credentialOfferUrl: 'openid-credential-offer://x', ...optional },
			{ kind: 'askForCredential', authorizationRequestUrl: 'openid4vp://x', ...optional },
		],
		{ title: 'Some more' },
	);
	await openRequest('Some more');
	const group = page.getByRole('region', { name: 'About you' });
	await group.getByRole('heading', { level: 2, name: 'About you' }).waitFor();
	expect(await itemOf(page, 'Last name').getByLabel('Lovelace').isChecked()).toBe(true);
	await itemOf(page, 'Email address').getByLabel('Do not share').click();
	for (const heading of ['Receive a credential', 'Present a credential']) {
		await itemOf(page, heading).getByText('You can only decline this.').waitFor();
	}
	await itemOf(page, 'Delete what you received').getByText('Example Organisation').waitFor();
	await itemOf(page, 'Delete what you received').getByLabel('Delete on').fill('2999-12-31');
	await accept();
	const rejected = { '@type': 'RejectResponseItem' as const, result: 'Rejected' };
	expect(await items(id)).toMatchObject([
		{
			'@type': 'ResponseItemGroup',
			items: [{ '@type': 'AttributeAlreadySharedAcceptResponseItem' }, rejected, rejected],
		},
		{ '@type': 'DeleteAttributeAcceptResponseItem', deletionDate: '2999-12-31T23:59:59.999Z' },
		...[rejected, rejected, rejected, rejected],
	]);
});

it('passes on what another contact has recorded', async () => {
	const other = await otherOrganisation();
	const id = await bench.ask(
		ada,
		[{ ...thirdParty, itemOptions: { thirdParties: byAddress(other) } }],
		{
			title: 'From others',
		},
	);
	await openRequest('From others');
	await itemOf(page, 'MemberNumber').getByLabel('0815').click();
	await accept();
	expect(await items(id)).toMatchObject([
		{
			'@type': 'ReadAttributeAcceptResponseItem',
			attribute: { key: 'memberNumber', value: { value: '0815' } },
			thirdPartyAddress: other,
		},
	]);
});

it('declines a request', async () => {
	const id = await bench.ask(ada, [{ kind: 'logIn', title: 'Shop', mustBeAccepted: true }], {
		title: 'Log in',
	});
	await openRequest('Log in');
	await page.getByRole('button', { name: 'Decline' }).click();
	await page.getByText('You have declined the request of Example Organisation.').waitFor();
	const { response } = await bench.answered(id);
	expect(response).toMatchObject({ content: { result: 'Rejected' } });
});

it('shows words, and no way to accept, for what cannot be answered', async () => {
	const stranger = 'did:e:localhost:dids:0123456789abcdef012345';
	await bench.ask(ada, [{ ...thirdParty, itemOptions: { thirdParties: byAddress(stranger) } }], {
		title: 'From strangers',
	});
	await openRequest('From strangers');
	await page.getByText('You have nothing that fits.').waitFor();
	await page.getByText('you can only decline this request').waitFor();
	expect(await page.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true);
	await page.getByRole('button', { name: 'Decline' }).click();
	await page.getByText('You have declined').waitFor();
});

it('has been asked items of all kinds that the node offers', () => {
	const asked = askedItems.map(({ entry }) => entry['kind']);
	// The first has the others; an entry for several types becomes one item for each.
	const elsewhere = [
		...['share', 'handOverFile', 'askToDelete', 'askForSeveral'],
		...['offerCredential', 'askForCredential'],
	];
	const kinds = itemKinds.map(({ value }) => value);
	expect([...new Set([...asked, ...elsewhere])].sort()).toEqual([...kinds].sort());
	expect(bench.complaints).toEqual([]);
});

const byAddress = (peer: string) => ({
	people: [{ peer: { __rl: true, mode: 'address', value: peer } }],
});
const thirdParty = {
	...{ kind: 'askForRelationshipAttribute', key: 'memberNumber', attributeTitle: 'Member number' },
	...{ confidentiality: 'public' as const, relationshipValueType: 'ProprietaryString' },
	mustBeAccepted: true,
};

/** Connects with an organisation that records a member number; returns its address. */
async function otherOrganisation(): Promise<string> {
	const { templates, relationships, account } = bench.node.wallet;
	const value = { '@type': 'ProprietaryString' as const, title: 'Member number', value: '0815' };
	const template = await templates.create({
		expiresAt: '2999-01-01T00:00:00.000Z',
		content: {
			'@type': 'RelationshipTemplateContent',
			title: 'Club',
			onNewRelationship: {
				'@type': 'Request',
				items: [
					{
						...{ '@type': 'CreateAttributeRequestItem', mustBeAccepted: true },
						attribute: {
							...{ '@type': 'RelationshipAttribute', owner: '', key: 'memberNumber', value },
							...{ confidentiality: 'public', isTechnical: false },
						},
					},
				],
			},
		},
	});
	await openTab(page, 'Home');
	await page.getByLabel('Link or reference').fill(template.truncatedReference);
	await page.getByRole('button', { name: 'Open', exact: true }).click();
	await page.getByRole('button', { name: 'Share and connect' }).click();
	await page.getByText('Club has to accept the connection now.').waitFor();
	await bench.node.network.settle(bench.node.wallet);
	const [relationship] = await relationships.list();
	await relationships.accept(relationship?.id ?? '');
	await openTab(page, 'Contacts');
	await page.getByRole('button', { name: /^Club\s*Connected/ }).waitFor();
	return (await account.getIdentity()).address;
}

async function sharedName(): Promise<unknown> {
	const versions = await bench.node.run('attribute', 'get', {
		versions: 'shared',
		attribute: locator(ownName['id']),
	});
	return versions[0]?.json['id'];
}
