import type { AccountHome, HomeStore } from '../../core/store/account/account-home';
import type { ArrivingState } from '../../core/store/account/account-state';
import { hashOfClientSecret } from '../../core/store/account/account-proof';
import type { AccountStore } from '../../core/store/open-store';
import { templateRecord } from '../support/records';

/** One store that can hold accounts under several names. */
export interface HomeHost {
	home(account: string): AccountHome;
	/** as a gateway opens it */
	openStore(account: string, clientSecret: string, passphrase?: string): Promise<AccountStore>;
	/** what backends need that have no key file */
	readonly passphrase: string | undefined;
	close(): Promise<void>;
}

const clientSecret = 'secret';
const accountState: ArrivingState = { state: 'arriving', move: 'm1', from: 'there', since: 'then' };

/** The promises of `core/store/account/account-home.ts`, for every backend alike. */
export function describeHomeContract(name: string, openHost: () => Promise<HomeHost>): void {
	describe(`${name}: the home of an account`, () => {
		let host: HomeHost;
		const opened: Array<{ close(): Promise<void> }> = [];

		beforeEach(async () => {
			host = await openHost();
		});

		afterEach(async () => {
			for (const one of opened.splice(0)) await one.close();
			await host.close();
		});

		const keep = <One extends { close(): Promise<void> }>(one: One): One => {
			opened.push(one);
			return one;
		};

		const proof = () => ({ clientSecret, passphrase: host.passphrase });

		const seal = () => ({
			clientSecretHash: hashOfClientSecret(clientSecret),
			passphrase: host.passphrase,
		});

		const asGateway = async (account = 'a'): Promise<AccountStore> =>
			keep(await host.openStore(account, clientSecret, host.passphrase));

		const create = async (account = 'a'): Promise<HomeStore> =>
			keep(await host.home(account).create(seal(), accountState));

		it('is empty before an account is created, and looking creates none', async () => {
			expect(await host.home('a').look()).toBeUndefined();
			expect(await host.home('a').otherAccounts()).toEqual([]);
			expect(await host.home('a').look()).toBeUndefined();
		});

		it('has another name for every account', () => {
			expect(host.home('a').name).not.toBe(host.home('b').name);
			expect(host.home('a').name).toBe(host.home('a').name);
		});

		it('shows an account and the other accounts', async () => {
			await (await asGateway('a')).close();
			await (await create('b')).close();
			expect(await host.home('a').look()).toEqual({
				account: 'a',
				address: undefined,
				accountState: { state: 'living' },
			});
			expect(await host.home('a').otherAccounts()).toEqual([
				{ account: 'b', address: undefined, accountState },
			]);
		});

		it('opens what a gateway has written, and the other way round', async () => {
			const gateway = await asGateway();
			await gateway.transact((tx) => tx.templates.insert(templateRecord('1'), { secretKey: 'k' }));
			await gateway.close();
			const held = keep(await host.home('a').open(proof(), { alone: true }));
			expect(held.clientSecretHash).toBe(hashOfClientSecret(clientSecret));
			const entry = await held.read((tx) => tx.templates.get('1'));
			expect(entry?.secrets.secretKey).toBe('k');
			await held.transact((tx) => tx.templates.insert(templateRecord('2'), { secretKey: 'l' }));
			await held.close();
			const again = await asGateway();
			expect((await again.read((tx) => tx.templates.get('2')))?.secrets.secretKey).toBe('l');
		});

		it('asks for proof, and takes no other client secret over', async () => {
			await (await asGateway()).close();
			const wrong = { clientSecret: 'other', passphrase: 'not the passphrase' };
			await expect(host.home('a').open(wrong, { alone: true })).rejects.toMatchObject({
				code: expect.stringMatching(/wrongPassphrase|passphraseUnexpected/) as string,
			});
			await expect(
				host
					.home('a')
					.open({ ...proof(), passphrase: undefined, clientSecret: 'other' }, { alone: true }),
			).rejects.toMatchObject({
				code: expect.stringMatching(/wrongClientSecret|passphraseMissing/) as string,
			});
			await (await host.home('a').open(proof(), { alone: true })).close();
			await asGateway();
		});

		it('cannot be opened alone while a gateway has it open', async () => {
			const gateway = await asGateway();
			await gateway.transact((tx) => tx.counters.reserve('x'));
			await expect(host.home('a').open(proof(), { alone: true })).rejects.toMatchObject({
				code: 'error.gateway.store.openElsewhere',
				remedy: expect.stringMatching(/\w+ \w+/) as string,
			});
			await (await host.home('a').open(proof(), { alone: false })).close();
			await gateway.transact((tx) => tx.counters.reserve('x'));
			await gateway.close();
			await (await host.home('a').open(proof(), { alone: true })).close();
		});

		it('cannot be moved by others while it is open exclusively', async () => {
			await (await asGateway()).close();
			keep(await host.home('a').open(proof(), { alone: true }));
			await expect(host.home('a').open(proof(), { alone: true })).rejects.toMatchObject({
				code: 'error.gateway.store.openElsewhere',
			});
			await expect(host.home('a').discard()).rejects.toMatchObject({
				code: 'error.gateway.store.openElsewhere',
			});
		});

		it.each([
			['on its way', 'error.gateway.store.moveUnfinished', accountState],
			[
				'retired',
				'error.gateway.store.accountMoved',
				{ state: 'retired', move: 'm1', to: 'elsewhere', since: 'then', digest: 'd' },
			],
		] as const)('an account that is %s is opened by no gateway', async (_name, code, stored) => {
			const held = await create();
			await held.transact((tx) => tx.accountState.set(stored));
			await held.close();
			const refusal = { code, kind: 'conflict', remedy: expect.stringMatching(/npx/) as string };
			await expect(asGateway()).rejects.toMatchObject(refusal);
			expect(await host.home('a').look()).toMatchObject({ accountState: stored });
		});

		it('an account that has become living is opened by gateways', async () => {
			const held = await create();
			await held.transact(async (tx) => {
				await tx.templates.insert(templateRecord('1'), { secretKey: 'k' });
				await tx.accountState.set({ state: 'living', move: 'm1' });
			});
			await held.close();
			const gateway = await asGateway();
			const entry = await gateway.read((tx) => tx.templates.get('1'));
			expect(entry?.secrets.secretKey).toBe('k');
		});

		it('is empty again when the account is discarded; other accounts stay', async () => {
			await (await asGateway('b')).close();
			await (await create()).close();
			await host.home('a').discard();
			expect(await host.home('a').look()).toBeUndefined();
			expect(await host.home('a').otherAccounts()).toMatchObject([{ account: 'b' }]);
			const fresh = await asGateway();
			expect(await fresh.read((tx) => tx.templates.count())).toBe(0);
		});
	});
}
