import type { GatewayConfigInput, TemplateContentInput } from '../../core';
import { inLanes, timed } from '../support/timing';
import { holdingsMethods, type Holdings } from './holdings';

/** Side of the comparison: opens an account and does the measured work. */
export interface Account {
	readonly address: string;
	createTemplate(content: TemplateContentInput): Promise<unknown>;
	/** loads the template and requests a relationship */
	relate(reference: string): Promise<unknown>;
	sendMail(to: string, number: number): Promise<unknown>;
	sync(): Promise<unknown>;
	listMessages(limit?: number): Promise<readonly unknown[]>;
	/** messages whose text contains a part; absent if it is not compared */
	searchMessages?(part: string): Promise<readonly unknown[]>;
	readonly holdings: Holdings;
	close(): Promise<void>;
}

/** Location of this gateway's account, if it is not the folder alone. */
export type Place = Pick<GatewayConfigInput, 'store' | 'passphrase' | 'sealContents'>;

export interface AccountConfig extends Place {
	readonly baseUrl: string;
	/** absent: the fastest location for this side */
	readonly folder?: string;
}

export const mail = (to: string, number: number) => ({
	'@type': 'Mail' as const,
	to: [to],
	cc: [],
	subject: `Mail ${number}`,
	body: 'The quick brown fox jumps over the lazy dog. '.repeat(8),
});

/** Request for a name and an e-mail address, as in onboarding templates. */
export const onboarding: TemplateContentInput = {
	'@type': 'RelationshipTemplateContent',
	title: 'Onboarding',
	onNewRelationship: {
		items: (['GivenName', 'EMailAddress'] as const).map((valueType) => ({
			'@type': 'ReadAttributeRequestItem' as const,
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery' as const, valueType },
		})),
	},
};

export const arbitraryTemplate = {
	'@type': 'ArbitraryRelationshipTemplateContent' as const,
	value: { benchmark: true },
};

export const arbitraryCreation = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: { benchmark: true },
};

export const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

function requireLength({ length }: readonly unknown[], expected: number): void {
	if (length !== expected) throw new Error(`${length} messages instead of ${expected}`);
}

/** Methods of a contender's program; every duration covers all operations together. */
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
		address: () => current().address,
		relate: ({ reference }: { reference: string }) => current().relate(reference),
		templates: ({ count }: { count: number }) =>
			timed(() => inLanes(count, 1, () => current().createTemplate(onboarding))),
		mails: ({ to, count, lanes }: { to: string; count: number; lanes: number }) =>
			timed(() => inLanes(count, lanes, (number) => current().sendMail(to, number))),
		/** @param name distinguishes the attributes of several calls on the same account */
		attributes: ({ count, name = 'Name' }: { count: number; name?: string }) =>
			timed(() =>
				inLanes(count, 1, (number) =>
					current().holdings.createAttribute('DisplayName', `${name} ${number}`),
				),
			),
		syncs: ({ count }: { count: number }) => timed(() => inLanes(count, 1, () => current().sync())),
		lists: ({ count, expected, limit }: { count: number; expected: number; limit?: number }) =>
			timed(() =>
				inLanes(count, 1, async () => requireLength(await current().listMessages(limit), expected)),
			),
		searches: ({ count, expected }: { count: number; expected: number }) =>
			timed(() =>
				inLanes(count, 1, async () =>
					requireLength((await current().searchMessages?.('lazy dog')) ?? [], expected),
				),
			),
		...holdingsMethods(() => current().holdings),
		async close() {
			await account?.close();
			account = undefined;
		},
	};
}
