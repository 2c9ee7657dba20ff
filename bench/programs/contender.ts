import { performance } from 'node:perf_hooks';

/** How one side of the comparison opens an account and does the work that is measured. */
export interface Account {
	readonly address: string;
	createTemplate(content: object): Promise<unknown>;
	/** Loads the template and asks its owner for a relationship. */
	relate(reference: string): Promise<unknown>;
	sendMail(to: string, number: number): Promise<unknown>;
	createAttribute(number: number): Promise<unknown>;
	sync(): Promise<unknown>;
	listMessages(): Promise<readonly unknown[]>;
	close(): Promise<void>;
}

export interface AccountConfig {
	readonly baseUrl: string;
	/** absent: whatever is fastest for this side */
	readonly folder?: string;
}

export const mail = (to: string, number: number): object => ({
	'@type': 'Mail',
	to: [to],
	cc: [],
	subject: `Mail ${number}`,
	body: 'The quick brown fox jumps over the lazy dog. '.repeat(8),
});

/** Asks for a name and an e-mail address, as onboarding templates do. */
export const onboarding = {
	'@type': 'RelationshipTemplateContent',
	title: 'Onboarding',
	onNewRelationship: {
		items: ['GivenName', 'EMailAddress'].map((valueType) => ({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType },
		})),
	},
};

export const arbitraryTemplate = {
	'@type': 'ArbitraryRelationshipTemplateContent',
	value: { benchmark: true },
};

export const arbitraryCreation = {
	'@type': 'ArbitraryRelationshipCreationContent',
	value: { benchmark: true },
};

export const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Milliseconds that some work took: on the clock, and of processor time in this process. */
export interface Duration {
	readonly elapsed: number;
	readonly processor: number;
}

async function timed(work: () => Promise<unknown>): Promise<Duration> {
	const processorBefore = process.cpuUsage();
	const started = performance.now();
	await work();
	const elapsed = performance.now() - started;
	const { user, system } = process.cpuUsage(processorBefore);
	return { elapsed, processor: (user + system) / 1_000 };
}

/** Runs `work` for every number below `count`, `lanes` at a time. */
export async function inLanes(
	count: number,
	lanes: number,
	work: (number: number) => Promise<unknown>,
): Promise<void> {
	let next = 0;
	const lane = async (): Promise<void> => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

/** The methods of a contender's program; every duration is that of all operations together. */
export function contenderMethods(openAccount: (config: AccountConfig) => Promise<Account>) {
	let account: Account | undefined;
	const current = (): Account => {
		if (account === undefined) throw new Error('no account is open');
		return account;
	};
	return {
		async open(config: AccountConfig) {
			const duration = await timed(async () => {
				account = await openAccount(config);
			});
			return { address: current().address, duration };
		},
		relate: ({ reference }: { reference: string }) => current().relate(reference),
		templates: ({ count }: { count: number }) =>
			timed(() => inLanes(count, 1, () => current().createTemplate(onboarding))),
		mails: ({ to, count, lanes }: { to: string; count: number; lanes: number }) =>
			timed(() => inLanes(count, lanes, (number) => current().sendMail(to, number))),
		attributes: ({ count }: { count: number }) =>
			timed(() => inLanes(count, 1, (number) => current().createAttribute(number))),
		syncs: ({ count }: { count: number }) => timed(() => inLanes(count, 1, () => current().sync())),
		async lists({ count, expected }: { count: number; expected: number }) {
			return await timed(() =>
				inLanes(count, 1, async () => {
					const { length } = await current().listMessages();
					if (length !== expected) throw new Error(`${length} messages instead of ${expected}`);
				}),
			);
		},
		async close() {
			await account?.close();
			account = undefined;
		},
	};
}

export type Contender = ReturnType<typeof contenderMethods>;
