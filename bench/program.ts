import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Gateway, GatewayConfigInput } from '../core';
import { serveCalls } from '../scripts/harness/serve-calls';
import { openOfficialRuntime, valueOf } from '../test/interop/peer/official-runtime.cjs';
import type { Operation } from './figures';

/*
 * Process of the benchmark with accounts of this gateway, or one of the official runtime 6.60.5 in
 * process, like its Connector. Receives calls as JSON lines on stdin.
 */
const [, , kind = '', library = ''] = process.argv;

export type Place = Pick<GatewayConfigInput, 'account' | 'store' | 'passphrase' | 'sealContents'>;

export interface OpenInput extends Place {
	readonly baseUrl: string;
	/** folder of the official runtime; absent: in memory */
	readonly folder?: string;
}

export interface RunInput {
	readonly operation: Operation;
	readonly count: number;
	readonly lanes?: number | undefined;
	/** recipient of mails */
	readonly to: string;
}

/** Milliseconds of all operations together. */
export interface Duration {
	readonly ms: number;
	readonly cpuMs: number;
}

type Operations = Record<Operation, (number: number, to: string) => Promise<unknown>>;

interface Account {
	readonly address: string;
	readonly operations: Operations;
	relate(reference: string): Promise<unknown>;
	close(): Promise<unknown>;
}

const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const mail = (to: string, number: number) => ({
	recipients: [to],
	content: {
		'@type': 'Mail' as const,
		to: [to],
		cc: [],
		subject: `Mail ${number}`,
		body: 'The quick brown fox jumps over the lazy dog. '.repeat(8),
	},
});

/** Template that asks for a name and an e-mail address. */
const onboarding = () => ({
	expiresAt: inOneHour(),
	content: {
		'@type': 'RelationshipTemplateContent' as const,
		title: 'Onboarding',
		onNewRelationship: {
			items: (['GivenName', 'EMailAddress'] as const).map((valueType) => ({
				'@type': 'ReadAttributeRequestItem' as const,
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery' as const, valueType },
			})),
		},
	},
});

const creation = (templateId: string) => ({
	templateId,
	creationContent: { '@type': 'ArbitraryRelationshipCreationContent' as const, value: {} },
});

const displayName = (number: number) => ({
	content: { value: { '@type': 'DisplayName' as const, value: `Name ${number}` } },
});

async function openGateway({ baseUrl, ...place }: OpenInput): Promise<Gateway> {
	const { Gateway } = createRequire(library)(library) as typeof import('../core');
	const backbone = { baseUrl, clientId: 'test', clientSecret: 'test' };
	return await Gateway.open({ backbone, ...place });
}

async function openOurs(input: OpenInput): Promise<Account> {
	const gateway = await openGateway(input);
	const { account, attributes, messages, relationships, templates } = gateway;
	let attributeId = '';
	return {
		address: (await account.getIdentity()).address,
		operations: {
			sync: () => account.sync(),
			list: () => messages.list(),
			page: () => messages.list({ limit: 50 }),
			search: () => messages.list({ query: { 'content.body': '~lazy dog' } }),
			template: () => templates.create(onboarding()),
			mail: (number, to) => messages.send(mail(to, number)),
			async attribute(number) {
				attributeId = (await attributes.create(displayName(number))).id;
			},
			read: () => attributes.get(attributeId),
		},
		async relate(reference) {
			const { id } = await templates.loadPeer({ reference });
			return await relationships.create(creation(id));
		},
		close: () => gateway.close(),
	};
}

async function openOfficial(input: OpenInput): Promise<Account> {
	const runtime = await openOfficialRuntime(6, input);
	const call = async <Result>(path: string, params?: unknown): Promise<Result> => {
		const [layer = '', service = '', method = ''] = path.split('.');
		const services = runtime.services[`${layer as 'transport' | 'consumption'}Services`];
		const target = services[service];
		if (target?.[method] === undefined) throw new Error(`There is no use case ${path}`);
		return (await valueOf(target[method](params))) as Result;
	};
	const missing = (): never => {
		throw new Error('The official runtime has no such list');
	};
	const { address } = await call<{ address: string }>('transport.account.getIdentityInfo');
	let attributeId = '';
	return {
		address,
		operations: {
			sync: () => call('transport.account.syncEverything'),
			list: () => call('transport.messages.getMessages', { query: {} }),
			page: missing,
			search: missing,
			template: () =>
				call('transport.relationshipTemplates.createOwnRelationshipTemplate', onboarding()),
			mail: (number, to) => call('transport.messages.sendMessage', mail(to, number)),
			async attribute(number) {
				const path = 'consumption.attributes.createRepositoryAttribute';
				attributeId = (await call<{ id: string }>(path, displayName(number))).id;
			},
			read: () => call('consumption.attributes.getAttribute', { id: attributeId }),
		},
		async relate(reference) {
			const load = 'transport.relationshipTemplates.loadPeerRelationshipTemplate';
			const { id } = await call<{ id: string }>(load, { reference });
			return await call('transport.relationships.createRelationship', creation(id));
		},
		close: () => runtime.close(),
	};
}

async function timed(work: () => Promise<unknown>): Promise<Duration> {
	const before = process.cpuUsage();
	const started = performance.now();
	await work();
	const ms = performance.now() - started;
	const { user, system } = process.cpuUsage(before);
	return { ms, cpuMs: (user + system) / 1_000 };
}

async function inLanes(count: number, lanes: number, work: (number: number) => Promise<unknown>) {
	let next = 0;
	const lane = async (): Promise<void> => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

let account: Account | undefined;
const opened = (): Account => {
	if (account === undefined) throw new Error('No account is open');
	return account;
};
/** distinguishes the attributes of all calls */
let done = 0;
const idle: Gateway[] = [];

/** Calls of the benchmark; parameters and results are JSON. */
const methods = {
	async open(input: OpenInput) {
		const duration = await timed(async () => {
			account = await (kind === 'official' ? openOfficial(input) : openOurs(input));
		});
		return { address: opened().address, ...duration };
	},
	relate: ({ reference }: { reference: string }) => opened().relate(reference),
	run({ operation, count, lanes = 1, to }: RunInput): Promise<Duration> {
		const work = opened().operations[operation];
		return timed(() => inLanes(count, lanes, () => work(++done, to)));
	},
	/** Opens accounts that wait for push signals; they exist already if `push` is true. */
	async idle({ baseUrl, folder, count, push }: OpenInput & { count: number; push: boolean }) {
		await inLanes(count, 8, async (number) => {
			const place: Place = { store: { kind: 'sqlite', folder: folder ?? '' } };
			const gateway = await openGateway({ baseUrl, account: `account-${number}`, ...place });
			idle.push(gateway);
			await gateway.account.sync();
			const loop = { intervalMs: 3_600_000, push, onProblem: () => undefined };
			if (push) gateway.events.keepSynced(loop);
		});
	},
	watch: ({ ms }: { ms: number }): Promise<Duration> => timed(() => delay(ms)),
	/** Resident bytes, after a moment for garbage collection and lazy work. */
	async memory(): Promise<number> {
		setFlagsFromString('--expose-gc');
		for (let round = 0; round < 5; round++) {
			(runInNewContext('gc') as () => void)();
			await delay(100);
		}
		return process.memoryUsage.rss();
	},
	async close() {
		for (const gateway of idle.splice(0)) await gateway.close();
		await account?.close();
		account = undefined;
	},
} satisfies Record<string, (params: never) => unknown>;

export type Methods = typeof methods;

void serveCalls(async ({ method, params }) => {
	return (await methods[method as keyof Methods](params as never)) ?? null;
}).then(() => process.exit());
