import type { IDataObject } from 'n8n-workflow';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

const stranger = 'did:e:localhost:dids:4f1c0a2b9d8e7f60513244';
const invalid = 'error.runtime.validation.invalidPropertyValue';
const texts = { en: { title: 'Grades', body: 'There are new grades.' } };

let bench: NodeBench;
let ada: string;
let bob: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	for (const wallet of [bench.wallet, await bench.network.gateway()]) {
		const { relationshipId, address } = await bench.connect(wallet);
		await bench.run('relationship', 'accept', { relationship: relationshipId });
		if (wallet === bench.wallet) ada = address;
		else bob = address;
	}
	for (const code of ['grades', 'holidays']) {
		bench.network.backbone.operatorTexts.configureNotification(code, texts);
	}
});

afterAll(async () => {
	await bench?.close();
});

const byAddress = (value: string) => ({ __rl: true, mode: 'address', value });
const sent = () => bench.network.backbone.operatorTexts.notifications;

describe('a push notification', () => {
	const notify = (parameters: IDataObject) =>
		bench.one('message', 'sendNotification', { code: 'grades', ...parameters });

	it('goes to one person', async () => {
		expect(await notify({ to: byAddress(ada) })).toEqual({
			sent: true,
			code: 'grades',
			recipients: [ada],
		});
		expect(sent().at(-1)).toMatchObject({ recipients: [ada], code: 'grades' });
	});

	it.each<[string, () => string[] | string]>([
		['a list, with a person twice', () => [bob, ada]],
		['text with commas', () => `${bob}, ${ada}`],
	])('goes to several people: %s', async (_what, moreRecipients) => {
		const before = sent().length;
		await notify({
			to: byAddress(ada),
			additionalFields: { moreRecipients: moreRecipients() },
		});
		expect(sent().slice(before)).toMatchObject([{ recipients: [ada, bob] }]);
	});

	it('with a code that the Backbone does not know is refused with those that it knows', async () => {
		await expect(notify({ to: byAddress(ada), code: 'grade' })).rejects.toMatchObject({
			message: "The field 'Code' is not valid",
			description: expect.stringMatching(/configured: .*grades, holidays.*operator/) as string,
			context: { code: 'error.platform.validation.notification.codeDoesNotExist' },
		});
	});

	it.each<[string, IDataObject, object]>([
		['no person', { to: byAddress('') }, { message: "The field 'To' is not valid" }],
		['no address', { to: byAddress('Ada') }, { message: "The field 'To' is not valid" }],
		['no code', { code: ' ' }, { message: "The field 'Code' is not valid" }],
		[
			'a further person without an address',
			{ additionalFields: { moreRecipients: ['Bob'] } },
			{ message: "The field 'To' is not valid", context: { code: invalid } },
		],
		[
			'no list of people',
			{ additionalFields: { moreRecipients: { a: 1 } } },
			{ message: "The field 'More Recipients Names or IDs' is not valid" },
		],
		[
			'101 people',
			{
				additionalFields: {
					moreRecipients: Array.from(
						{ length: 100 },
						(_, index) => `${stranger.slice(0, -3)}${String(index).padStart(3, '0')}`,
					),
				},
			},
			{ context: { code: invalid } },
		],
		[
			'a stranger',
			{ additionalFields: { moreRecipients: [stranger] } },
			{
				message: `There is no active relationship with ${stranger}`,
				context: {
					code: 'error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients',
				},
			},
		],
	])('is not sent to %s', async (_what, parameters, error) => {
		const before = sent().length;
		await expect(notify({ to: byAddress(ada), ...parameters })).rejects.toMatchObject(error);
		expect(sent()).toHaveLength(before);
	});
});

describe('announcements of the operator', () => {
	const list = async (parameters: IDataObject = {}) =>
		(await bench.run('account', 'getAnnouncements', parameters)).map(({ json }) => json);

	it('come one per item, in the language of the form or in English', async () => {
		expect(await list()).toEqual([]);
		const { operatorTexts } = bench.network.backbone;
		const plain = { recipients: [], iqlQuery: null, actions: [], expiresAt: null };
		const german = { title: 'Wartung', body: 'Heute Nacht.' };
		const english = { title: 'Maintenance', body: 'Tonight.' };
		operatorTexts.announce({ ...plain, severity: 'High', texts: { en: english, de: german } });
		operatorTexts.announce({ ...plain, severity: 'Low', texts: { en: english } });
		expect(await list()).toMatchObject([english, english]);
		const language = { __rl: true, mode: 'code', value: 'de' };
		expect(await list({ language })).toMatchObject([
			{ ...german, severity: 'High', actions: [] },
			{ ...english, severity: 'Low' },
		]);
	});

	it.each(['', 'EN', 'xx'])('are not asked for in the language %j', async (value) => {
		await expect(list({ language: { __rl: true, mode: 'code', value } })).rejects.toMatchObject({
			message: "The field 'Language' is not valid",
			context: { code: invalid },
		});
	});
});
