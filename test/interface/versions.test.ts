import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseServerConfig } from '../../core/server/config/server-config';
import { projectRoot } from '../../scripts/docs/source-files';
import { apiKey } from '../core/server/support/http-gateway';
import { inOneHour } from '../support/gateways';
import {
	arbitrary,
	consent,
	givenName,
	memberNames,
	World,
	yes,
	type Answered,
} from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 9: what changed from version to version */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const settings = (change: object) => ({
	transportLibrary: {
		baseUrl: 'https://backbone.example',
		platformClientId: 'client',
		platformClientSecret: 'secret',
	},
	infrastructure: { httpServer: { apiKey } },
	...change,
});
const problemsOf = (change: object): string => {
	try {
		parseServerConfig(settings(change));
		return '';
	} catch (error) {
		return (error as Error).message;
	}
};

it('interface 9: point 2 | service and runtime tell one version, whose changes are described', async () => {
	const { json } = await world.a.http.ask('GET /Monitoring/Version');
	expect(json.runtimeVersion).toBe(json.version);
	const text = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
	const { version } = JSON.parse(text('package.json')) as { version: string };
	expect(text('CHANGELOG.md')).toContain(`\n## ${version}`);
});

it.each(['baseUrl', 'platformClientId', 'platformClientSecret'])(
	'interface 9: point 3; interface 5: point 1 | the Backbone is configured with transportLibrary.%s',
	(name) => {
		const { transportLibrary } = settings({});
		expect(parseServerConfig(settings({})).transportLibrary).toMatchObject(transportLibrary);
		const without = { transportLibrary: { ...transportLibrary, [name]: undefined } };
		expect(problemsOf(without)).toContain(`transportLibrary.${name}: `);
	},
);

describe('from version 4 to 5', () => {
	it('interface 9: Version 4 to 5 changes.1 | an older database is refused with what to do, and left as it is', async () => {
		const address = 'mongodb://database.example:27017';
		expect(problemsOf({ database: { connectionString: address } })).toContain(
			'database.connectionString: MongoDB is not supported',
		);
		const folder = world.network.newFolder();
		const config = world.network.config(folder);
		const gateway = await world.network.gateway(config);
		await gateway.close();
		const file = join(folder, 'default.sqlite');
		writeFileSync(file, 'Something that an earlier gateway has written, in a form of its own.');
		const before = readFileSync(file);
		await expect(world.network.gateway(config)).rejects.toMatchObject({
			code: 'error.gateway.store.foreignFile',
		});
		expect(readFileSync(file)).toEqual(before);
	});

	it('interface 9: Version 4 to 5 changes.5 | content of other kinds needs its wrapper, everywhere', async () => {
		const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
		const c = await world.stranger();
		await c.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: template.truncatedReference,
		});
		const calls: ReadonlyArray<readonly [typeof c, string, object, string]> = [
			[world.a, 'POST /Messages', { recipients: [world.b.address] }, 'content'],
			[world.a, 'POST /RelationshipTemplates/Own', { expiresAt: inOneHour() }, 'content'],
			[c, 'POST /Relationships', { templateId: template.id }, 'creationContent'],
		];
		const kinds = ['Message', 'RelationshipTemplate', 'RelationshipCreation'] as const;
		for (const [index, [side, call, more, member]] of calls.entries()) {
			const post = async (content: unknown): Promise<Answered> =>
				await side.http.ask(call, { json: { ...more, [member]: content } });
			for (const bare of [{ any: 'thing' }, 'text', { '@type': 'Custom', value: 1 }]) {
				expect((await post(bare)).status).toBe(400);
			}
			const wrapped = arbitrary(kinds[index] ?? 'Message', { deep: ['any', 1] });
			const { status, result } = await post(wrapped);
			expect([status, result[member]]).toEqual([201, wrapped]);
		}
	});

	it('interface 9: Version 4 to 5 changes.10 | settings have new names, and old ones are told', () => {
		const withModule = (name: string, value: object): string =>
			problemsOf({ modules: { [name]: value } });
		expect(withModule('autoAcceptPendingRelationships', { enabled: true })).toBe('');
		expect(withModule('webhooks', { enabled: false })).toBe('');
		expect(withModule('autoAcceptRelationshipCreationChanges', { enabled: true })).toContain(
			"is called 'modules.autoAcceptPendingRelationships' now",
		);
		expect(withModule('webhooksV2', { enabled: false })).toContain(
			"is called 'modules.webhooks' now",
		);
		expect(
			withModule('autoAcceptPendingRelationships', { enabled: true, responseContent: {} }),
		).toContain('modules.autoAcceptPendingRelationships.responseContent: ');
	});

	it('interface 9: Version 4 to 5 changes.11 | one route shows shared versions of attributes of both kinds', async () => {
		const attribute = {
			'@type': 'RelationshipAttribute',
			owner: world.a.address,
			key: 'customer',
			confidentiality: 'public',
			value: { '@type': 'ProprietaryString', title: 'Customer', value: '42' },
		};
		const own = await world.createAttribute(givenName('Shared'));
		const request = await world.sendRequest(
			{
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				attribute: own.content,
				sourceAttributeId: own.id,
			},
			{ '@type': 'CreateAttributeRequestItem', mustBeAccepted: true, attribute },
		);
		await world.b.client.ask('incomingRequests.accept', request, { items: [yes, yes] });
		await world.sync();
		const [kept] = await world.a.client.ask('attributes.getAttributes', {
			content: { key: 'customer' },
		});
		expect(kept.content.key).toBe('customer');
		for (const [{ id }, copies] of [
			[own, 1],
			[kept, 0],
		] as const) {
			const { status, result } = await world.a.http.ask(`GET /Attributes/${id}/Versions/Shared`);
			expect([status, result.length]).toEqual([200, copies]);
		}
		const [copy] = await world.a.client.ask('attributes.getSharedVersionsOfAttribute', own.id, {});
		expect(copy.shareInfo.sourceAttribute).toBe(own.id);
	});
});

/** A token shows what it carries as it was written: that is a content, not an object of the interface. */
const withoutCarried = (value: unknown): unknown =>
	JSON.parse(
		JSON.stringify(value, (_name, member: unknown) => {
			const type = (member as { '@type'?: unknown } | null)?.['@type'];
			return typeof type === 'string' && type.startsWith('TokenContent') ? {} : member;
		}),
	);

it('interface 9: Version 5 to 6 changes.2 | no object in an answer, in an event or in a described shape has a secretKey', async () => {
	const { a, b } = world;
	const file = await a.client.ask('files.uploadOwnFile', {
		title: 'Shared',
		expiresAt: inOneHour(),
		filename: 'note.txt',
		file: Buffer.from('Text'),
	});
	const mail = {
		recipients: [b.address],
		content: { '@type': 'Mail', to: [b.address], subject: 'Hello', body: '' },
		attachments: [file.id],
	};
	const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
	const answers = [
		file,
		template,
		await a.client.ask('files.createTokenForFile', file.id, { ephemeral: false }),
		await a.client.ask('relationshipTemplates.createTokenForOwnRelationshipTemplate', template.id, {
			ephemeral: false,
		}),
		await a.client.ask('messages.sendMessage', mail),
		await world.sendRequest(consent()),
		await b.client.ask('files.loadPeerFile', { reference: file.truncatedReference }),
		await b.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: template.truncatedReference,
		}),
	];
	const lists = ['Files', 'RelationshipTemplates', 'Tokens/Own', 'Messages', 'Relationships'];
	for (const side of [a, b]) {
		for (const list of [...lists, 'Attributes', 'Requests/Outgoing', 'Requests/Incoming']) {
			const { status, result } = await side.http.ask(`GET /${list}`);
			expect([list, status]).toEqual([list, 200]);
			answers.push(result);
		}
	}
	const events = await b.http.gateway.events.recent({}, 1_000);
	const { json } = await a.http.ask('GET /docs/json');
	const seen = withoutCarried([answers, events, json.components, json.paths]);
	expect(memberNames(seen)).not.toContain('secretKey');
	expect(memberNames(seen)).toContain('truncatedReference');
});
