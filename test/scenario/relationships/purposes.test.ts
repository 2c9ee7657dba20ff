import '../../support/quick/file-passwords';
import { join } from 'node:path';
import { exportAccount, importAccount, type EventFilter, type Gateway } from '../../../core';
import { inOneHour, mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';
import { client, placeIn } from '../account-transfer/places';

jest.setTimeout(60_000);

/* Several onboardings of one account, which the purposes of their templates tell apart. */
describe('the purpose of a template', () => {
	let network: SandboxNetwork;
	let folder: string;
	let gateway: Gateway;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		folder = network.newFolder();
		gateway = await network.gateway(network.config(folder));
	});

	afterEach(() => network.close());

	const request = {
		'@type': 'Request' as const,
		items: [
			{ '@type': 'ConsentRequestItem' as const, mustBeAccepted: true, consent: 'You may write.' },
		],
	};
	const content = {
		'@type': 'RelationshipTemplateContent' as const,
		title: 'Our association',
		onNewRelationship: request,
		onExistingRelationship: request,
	};
	const newTemplate = (purpose?: string) =>
		gateway.templates.create({
			content,
			expiresAt: inOneHour(),
			...(purpose === undefined ? {} : { purpose }),
		});

	/** A person answers the template; the answer has arrived at the gateway afterwards. */
	async function answer(
		{ truncatedReference: reference }: { readonly truncatedReference: string },
		person: Gateway,
	): Promise<void> {
		const { id } = await person.templates.loadPeer({ reference });
		const asked = await person.incomingRequests.list();
		const open = asked.find(({ source }) => source?.reference === id);
		await person.incomingRequests.accept(open?.id ?? '', { items: [{ accept: true }] });
		await settle(gateway);
	}

	/** A new person, who is connected by the template. */
	async function connect(template: { readonly truncatedReference: string }) {
		const person = await network.gateway();
		await answer(template, person);
		const [pending] = await gateway.relationships.list({ query: { status: 'Pending' } });
		await gateway.relationships.accept(pending?.id ?? '');
		await settle(person);
		const { address } = await person.account.getIdentity();
		return { person, address, relationshipId: pending?.id ?? '' };
	}

	const eventsFor = (filter: EventFilter) => gateway.events.recent(filter, 100);
	const peersOf = async (filter: EventFilter): Promise<unknown[]> =>
		(await eventsFor(filter)).map(({ peer }) => peer);

	it('limits lists of templates, relationships and contacts', async () => {
		const letters = await newTemplate('newsletter');
		const events = await newTemplate('events');
		const unnamed = await newTemplate();
		const ada = await connect(letters);
		const lin = await connect(events);
		await connect(unnamed);
		const query = { purpose: 'newsletter' };
		expect((await gateway.templates.list({ query })).map(({ id }) => id)).toEqual([letters.id]);
		expect(await gateway.relationships.list({ query })).toMatchObject([
			{ id: ada.relationshipId, purpose: 'newsletter', template: query },
		]);
		expect(await gateway.contacts.list({ purpose: 'events' })).toMatchObject([
			{ address: lin.address, purpose: 'events', templateId: events.id },
		]);
		const [where] = [[{ field: 'purpose', op: 'in', value: ['events', 'newsletter'] }] as const];
		expect(await gateway.relationships.list({ where })).toHaveLength(2);
		expect(unnamed).not.toHaveProperty('purpose');
		expect(await gateway.templates.usedPurposes()).toEqual(['events', 'newsletter']);
	});

	it('stays in this account', async () => {
		const purpose = 'the purpose that stays here';
		const { person } = await connect(await newTemplate(purpose));
		// The peer reads all that is in the template.
		expect(await person.templates.list()).toMatchObject([{ content: { title: content.title } }]);
		const known = [await person.templates.list(), await person.relationships.list()];
		const stored = [...network.backbone.state.templates.values()];
		expect(stored).toHaveLength(1);
		for (const elsewhere of [known, stored]) {
			expect(JSON.stringify(elsewhere)).not.toContain('purpose');
		}
	});

	it('limits events to people who came by it', async () => {
		const ada = await connect(await newTemplate('newsletter'));
		const lin = await connect(await newTemplate('events'));
		const { address } = await gateway.account.getIdentity();
		for (const { person } of [ada, lin]) await person.messages.send(mailTo(address));
		await settle(gateway);
		const mails = { names: ['transport.messageReceived'] } as const;
		expect(await peersOf({ ...mails, purposes: ['newsletter'] })).toEqual([ada.address]);
		expect(await peersOf({ ...mails, purposes: ['newsletter', 'events'] })).toEqual([
			ada.address,
			lin.address,
		]);
		expect(await peersOf({ ...mails, purposes: ['something else'] })).toEqual([]);
		const changes = { names: ['transport.relationshipChanged'] } as const;
		const [first] = await eventsFor({ ...changes, purposes: ['events'] });
		expect(first?.data).toMatchObject({ peer: lin.address, purpose: 'events' });
		// Events that concern no person have no purpose.
		await gateway.attributes.create({
			content: { value: { '@type': 'DisplayName', value: 'Our association' } },
		});
		const all = await eventsFor({ purposes: ['newsletter', 'events'] });
		expect(all.filter(({ peer }) => peer !== ada.address && peer !== lin.address)).toEqual([]);
	});

	it('of an answer is the one of the answered template, also if the person came by another', async () => {
		const { person, address } = await connect(await newTemplate('newsletter'));
		const answers = { names: ['consumption.outgoingRequestCreatedAndCompleted'] } as const;
		const before = (await eventsFor({ ...answers, purposes: ['newsletter'] })).length;
		await answer(await newTemplate('events'), person);
		await answer(await newTemplate(), person);
		expect(await peersOf({ ...answers, purposes: ['events'] })).toEqual([address]);
		expect(await eventsFor({ ...answers, purposes: ['newsletter'] })).toHaveLength(before);
		expect(await gateway.contacts.get(address)).toMatchObject({ purpose: 'newsletter' });
	});

	it('limits what consumers get, and what is followed and awaited', async () => {
		const letters = await newTemplate('newsletter');
		const events = await newTemplate('events');
		const stop = new AbortController();
		const { signal } = stop;
		const filter = { purposes: ['events'], names: ['transport.relationshipChanged'] } as const;
		const consumed: unknown[] = [];
		const followed: unknown[] = [];
		const running = [
			gateway.events.consume({
				...{ consumer: 'test', filter, startFrom: 'oldest', batchSize: 1, signal },
				deliver: ({ events: [event] }) => {
					consumed.push(event?.peer);
					return Promise.resolve({ kind: 'accepted' });
				},
			}),
			(async () => {
				for await (const page of gateway.events.follow({ filter, after: 0, signal })) {
					followed.push(...page.events.map(({ peer }) => peer));
				}
			})().catch(() => undefined),
		];
		const next = gateway.events.next(filter);
		await connect(letters);
		const { address } = await connect(events);
		expect((await next).peer).toBe(address);
		await until(() => consumed.length >= 2 && followed.length >= 2);
		stop.abort();
		await Promise.all(running);
		expect(new Set([...consumed, ...followed])).toEqual(new Set([address]));
	});

	it('limits the automatic acceptance of relationships', async () => {
		const problems: unknown[] = [];
		const onProblem = (problem: unknown) => problems.push(problem);
		gateway.events.autoAccept({ purposes: ['events'], onProblem });
		const [ada, lin] = [await network.gateway(), await network.gateway()];
		await answer(await newTemplate('newsletter'), ada);
		await answer(await newTemplate('events'), lin);
		const statuses = async () =>
			(await gateway.relationships.list()).map(({ purpose, status }) => [purpose, status]);
		await until(async () => (await statuses()).some(([, status]) => status === 'Active'));
		expect(await statuses()).toEqual([
			['newsletter', 'Pending'],
			['events', 'Active'],
		]);
		expect(problems).toEqual([]);
	});

	it('is still known after the template was deleted, and after a backup was restored', async () => {
		const template = await newTemplate('newsletter');
		const { address } = await connect(template);
		await gateway.templates.delete(template.id);
		await gateway.close();
		const password = 'a long enough password';
		const file = join(network.newFolder(), 'account.enmeshed');
		await exportAccount({ from: placeIn(folder), file, password, client, retire: true });
		const to = placeIn(network.newFolder());
		await importAccount({ file, password, to, client });
		gateway = await network.gateway({ ...network.config(), store: to.store });
		expect(await gateway.contacts.list({ purpose: 'newsletter' })).toMatchObject([{ address }]);
		expect(await gateway.templates.usedPurposes()).toEqual(['newsletter']);
		expect(await gateway.templates.list({ query: { purpose: 'newsletter' } })).toEqual([]);
	});

	it('is forgotten with the relationship, and stays with a template for several people', async () => {
		const template = await newTemplate('newsletter');
		const { relationshipId, address } = await connect(template);
		await gateway.relationships.terminate(relationshipId);
		await gateway.relationships.decompose(relationshipId);
		expect(await gateway.contacts.list({ purpose: 'newsletter' })).toEqual([]);
		expect(await peersOf({ purposes: ['newsletter'] })).not.toContain(address);
		expect(await gateway.templates.list({ query: { purpose: 'newsletter' } })).toMatchObject([
			{ id: template.id },
		]);
	});

	it.each(['x', 'Häuser & Höfe 🏠', ' leading space', 'é'.repeat(100), '🏠'.repeat(100)])(
		'can be %p',
		async (purpose) => {
			expect(await newTemplate(purpose)).toMatchObject({ purpose });
		},
	);

	it.each(['', 'a\nb', '\u0000', '\u009f', '\ud800', 'x'.repeat(101), 7, null])(
		'cannot be %p',
		async (purpose) => {
			await expect(newTemplate(purpose as string)).rejects.toMatchObject({
				code: 'error.runtime.validation.invalidPropertyValue',
				message:
					"'purpose' is not valid: must have 1 to 100 characters, none of them a control character.",
				facts: { field: 'purpose' },
				remedy: expect.stringMatching(/\w/) as string,
			});
			expect(await gateway.templates.list()).toEqual([]);
		},
	);

	it('is offered however many templates have another one', async () => {
		await newTemplate('rare');
		for (let number = 0; number < 205; number++) await newTemplate('frequent');
		expect(await gateway.templates.usedPurposes()).toEqual(['frequent', 'rare']);
	});
});
