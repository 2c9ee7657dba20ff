import { Gateway, type IdentityDto } from '../../core';

export interface PersonOptions {
	readonly backbone: {
		readonly baseUrl: string;
		readonly clientId: string;
		readonly clientSecret: string;
		/** host name in addresses, if the Backbone has another one than in `baseUrl` */
		readonly addressHostname?: string;
	};
	/** folder of the accounts, one for each person */
	readonly folder: string;
}

/** Interval of syncs in addition to push, like an app in the foreground. */
const syncEveryMs = 10_000;

/** One person with an open account, which stays in sync. */
export class Person {
	private constructor(
		readonly id: string,
		public name: string,
		readonly gateway: Gateway,
		readonly identity: IdentityDto,
	) {}

	static async open(
		{ backbone, folder }: PersonOptions,
		id: string,
		name: string,
	): Promise<Person> {
		const gateway = await Gateway.open({
			backbone,
			account: id,
			store: { kind: 'sqlite', folder },
		});
		try {
			const identity = await gateway.account.getIdentity();
			gateway.events.keepSynced({
				intervalMs: syncEveryMs,
				push: true,
				// The Backbone may be unavailable for a moment; the loop goes on.
				onProblem: () => undefined,
			});
			return new Person(id, name, gateway, identity);
		} catch (error) {
			await gateway.close();
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.gateway.close();
	}
}
