import { GatewayError } from '../../../core/base/errors';
import type { Gateway } from '../../../core';
import { ChangingProxy } from '../../support/backbone/changing-proxy';
import { mailTo, SandboxNetwork } from '../../support/gateways';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { Dice } from '../convergence/dice';
import { harmlessChanges, NonsenseChange, routeOf } from './answer-changes';
import { answerForms, type AnswerForm, type AnswerName } from './answer-forms';
import { answerStories, befriend, type StoryDependencies } from './answer-stories';

/*
 * Answers of the Backbone are changed on their way: what a newer server might answer instead is taken as
 * it comes, and nonsense is the problem of the one object that it is about.
 */
const rounds = size({ quick: 1, full: 50 });

jest.setTimeout(60_000 * rounds);

const hourMs = 3_600_000;
/** a sync run without an end is over by then */
const openRunMs = 11_000;
const names = Object.keys(answerForms) as AnswerName[];
const login = {
	'@type': 'AuthenticationRequestItem' as const,
	mustBeAccepted: true,
	title: 'Log in',
};

let network: SandboxNetwork;
let proxy: ChangingProxy;
/** the clocks of all gateways and of the Backbone are moved together */
let clockOffsetMs = 0;
let context: StoryDependencies;
let address: string;
let changes: string[];
const touchedRoutes = new Set<string>();

async function openNetwork(): Promise<void> {
	clockOffsetMs = 0;
	network = await SandboxNetwork.open({ maxUnreceivedMessages: 100_000 });
	network.backbone.operatorTexts.tags = {
		supportedLanguages: ['en'],
		tagsForAttributeValueTypes: {
			EMailAddress: { home: { displayNames: { en: 'Home' }, children: {} } },
		},
	};
	proxy = await ChangingProxy.before(network.backbone.baseUrl);
	const { baseUrl } = proxy;
	const clock = { now: () => Date.now() + clockOffsetMs };
	const open = async (url: string): Promise<Gateway> => {
		const config = network.config();
		const backbone = { ...config.backbone, baseUrl: url };
		return await network.gateway({ ...config, backbone }, { clock });
	};
	const openChanged = (): Promise<Gateway> => open(baseUrl);
	const openPeer = (): Promise<Gateway> => open(network.backbone.baseUrl);
	const gateway = await openChanged();
	const friend = await openPeer();
	await befriend(network, gateway, friend);
	({ address } = await gateway.account.getIdentity());
	context = { network, gateway, friend, baseUrl, openChanged, openPeer };
}

async function closeNetwork(): Promise<void> {
	await network.close();
	await proxy.close();
}

beforeAll(openNetwork);

afterAll(closeNetwork);

beforeEach(() => (changes = []));

afterEach(() => (proxy.change = undefined));

function passes(durationMs: number): void {
	clockOffsetMs += durationMs;
	network.backbone.advanceClock(durationMs);
}

/** Says with a failure what was changed where. */
async function explained(work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
		throw new Error(`with these changes:\n${[...new Set(changes)].join('\n')}\n${reason}`);
	}
}

const problems = async (): Promise<unknown[]> => {
	const { pendingEvents } = await context.gateway.account.getSyncStatus();
	const listed = await context.gateway.problems.list();
	return pendingEvents === 0 ? listed : [...listed, { pendingEvents }];
};

/** Mails, requests, files and relationships of the account go on. */
async function everythingElseFlows(): Promise<void> {
	const { gateway, friend } = context;
	const asked = await friend.outgoingRequests.create({
		content: { items: [login] },
		peer: address,
	});
	const mail = await friend.messages.send(mailTo(address, 'a mail'));
	await friend.messages.send({ recipients: [address], content: asked.content });
	await network.settle(gateway);
	expect(await gateway.messages.get(mail.id)).toMatchObject({ isOwn: false });
	await gateway.incomingRequests.accept(asked.id, { items: [{ accept: true }] });
	await network.settle(friend);
	expect(await friend.outgoingRequests.get(asked.id)).toMatchObject({ status: 'Completed' });
	const upload = { filename: 'b.txt', mimetype: 'text/plain' };
	const { id: fileId } = await gateway.files.upload(upload, Buffer.from('b'));
	expect((await gateway.files.download(fileId)).content).toHaveLength(1);
	const relationshipId = await befriend(network, gateway, await context.openPeer());
	expect(await gateway.relationships.get(relationshipId)).toMatchObject({ status: 'Active' });
}

/** An event is told once: what could not be read of it stays a problem, until a person discards it. */
async function discardUnreadEvents(): Promise<void> {
	const { account, problems: listed } = context.gateway;
	expect((await listed.list()).length).toBeLessThanOrEqual(1);
	while ((await account.getSyncStatus()).pendingEvents > 0) {
		passes(hourMs);
		await account.sync();
	}
	await listed.discard({ all: true });
}

/** Undefined as well when the story only did not find what it expects of right answers. */
async function failureOf(work: (() => Promise<unknown>) | undefined): Promise<unknown> {
	try {
		await work?.();
	} catch (error) {
		const isExpectation = error instanceof Error && 'matcherResult' in error;
		return isExpectation ? undefined : error;
	}
	return undefined;
}

describe.each(names)('%s', (name) => {
	const form: AnswerForm = answerForms[name];
	const dice = new Dice(newSeed());

	// Lists that grow from round to round would make the long run ever slower.
	beforeAll(async () => {
		if (rounds === 1) return;
		await closeNetwork();
		await openNetwork();
	});

	it('is taken with everything that a newer Backbone may answer', async () => {
		for (let round = 0; round < rounds; round++) {
			changes = [];
			// The first round has all changes, the others have some.
			const kinds = harmlessChanges.filter(() => round === 0 || dice.chance(0.4));
			const { syncs, reads, check } = await answerStories[name](context);
			proxy.change = (answer) => {
				const route = routeOf(answer);
				if (!form.routes.includes(route)) return answer.body;
				touchedRoutes.add(route);
				for (const harmless of kinds) {
					const made = harmless(answer.body, form, dice);
					changes.push(...made.map((change) => `${route} ${change}`));
				}
				return answer.body;
			};
			await explained(async () => {
				await syncs?.();
				await reads?.();
				await check?.();
				expect(await problems()).toEqual([]);
			});
			proxy.change = undefined;
			// A status that is not known is kept until the Backbone says another one.
			if (syncs !== undefined) await context.gateway.account.reconcile({ full: true });
		}
	});

	it('that is nonsense is a problem of what it is about, and of nothing else', async () => {
		for (let round = 0; round < rounds; round++) {
			const { syncs, reads, recover, check } = await answerStories[name](context);
			const nonsense = new NonsenseChange(form, dice);
			proxy.change = (answer) => {
				if (!form.routes.includes(routeOf(answer))) return answer.body;
				const body = nonsense.apply(answer);
				changes = [nonsense.description ?? ''];
				return body;
			};
			await explained(async () => {
				// An answer that names no object is about all of the sync.
				const failures = [await failureOf(syncs), await failureOf(reads)];
				if (form.isAboutNothing !== true) expect(failures[0]).toBeUndefined();
				for (const failure of failures.filter((one) => one !== undefined)) {
					expect(failure).toBeInstanceOf(GatewayError);
				}
				if (syncs !== undefined && (await problems()).length === 0 && failures[0] === undefined) {
					await check?.();
				}
				passes(openRunMs);
				await everythingElseFlows();
				proxy.change = undefined;
				passes(hourMs);
				await recover?.();
				await context.gateway.problems.retry({ all: true });
				await network.settle(context.gateway);
				if (name === 'externalEvent') await discardUnreadEvents();
				if (syncs !== undefined) await context.gateway.account.reconcile({ full: true });
				if (syncs !== undefined) await check?.();
				expect(await problems()).toEqual([]);
			});
		}
	});
});

it('every answer that is read was touched', () => {
	const all = names.flatMap((name) => [...answerForms[name].routes]);
	expect([...touchedRoutes].sort()).toEqual([...new Set(all)].sort());
});
