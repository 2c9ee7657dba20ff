import type { AccountPlace, BackboneClient, GatewayConfigInput } from '../../../core';
import type { Place } from './account-place';
import { askSecret } from '../ask-secret';
import { UsageError } from '../usage-error';

type StorePlace = Extract<Place, { kind: 'store' }>;

/** Reads the secrets of a command from the environment, or else asks the person at the terminal. */
export class AccountSecrets {
	private passphrase: string | undefined;

	private known = new Map<string, string>();

	/** configuration of the HTTP gateway, if one of the places is its account */
	private served: GatewayConfigInput | undefined;

	constructor(
		private readonly environment: NodeJS.ProcessEnv,
		private readonly isOffline: boolean,
	) {
		this.passphrase = notEmpty(environment['ENMESHED_PASSPHRASE']);
	}

	/** Takes the client of the Backbone from the configuration of the HTTP gateway. */
	useServed(config: GatewayConfigInput): void {
		this.served = config;
	}

	/** Client for the login at the Backbone; undefined if no login is wanted. */
	async client(baseUrl: string | undefined): Promise<BackboneClient | undefined> {
		if (this.isOffline) return undefined;
		if (this.served !== undefined) {
			const { baseUrl: served, clientId, clientSecret } = this.served.backbone;
			return { clientId, clientSecret, baseUrl: served };
		}
		const clientId = notEmpty(this.environment['ENMESHED_CLIENT_ID']);
		const clientSecret = await this.clientSecret();
		if (clientId !== undefined && clientSecret !== undefined) {
			return { clientId, clientSecret, ...(baseUrl === undefined ? {} : { baseUrl }) };
		}
		throw new UsageError(
			'Set ENMESHED_CLIENT_ID and ENMESHED_CLIENT_SECRET, so that the copy can be proven by a login at the Backbone, or use --offline.',
		);
	}

	async filePassword(isNew: boolean): Promise<string> {
		const name = 'ENMESHED_FILE_PASSWORD';
		const given = await this.secret(name, 'Password of the file: ');
		if (given === undefined) throw new UsageError(`Set ${name} to the password of the file.`);
		const isTyped = notEmpty(this.environment[name]) === undefined;
		if (!isNew || !isTyped || (await askSecret('Repeat the password: ')) === given) return given;
		throw new UsageError('The two passwords differ.');
	}

	/** Asks for the passphrase; returns whether the person entered one. */
	async askPassphrase(): Promise<boolean> {
		this.passphrase = notEmpty(await askSecret('Storage passphrase of the account: '));
		return this.passphrase !== undefined;
	}

	async source({ account, store, served }: StorePlace): Promise<AccountPlace> {
		if (served !== undefined) return servedPlace({ account, store }, served);
		const clientSecret = await this.clientSecret();
		return { account, store, clientSecret, passphrase: this.passphrase };
	}

	async target({ account, store, served }: StorePlace): Promise<AccountPlace> {
		if (served !== undefined) return servedPlace({ account, store }, served);
		const own = this.environment['ENMESHED_TARGET_PASSPHRASE'];
		const same = this.passphrase ?? this.served?.passphrase;
		const passphrase = own === undefined ? same : notEmpty(own);
		const clientSecret = await this.clientSecret();
		const choice = notEmpty(this.environment['ENMESHED_SEAL_CONTENTS']);
		const sealing = choice === undefined ? {} : { sealContents: choice === 'true' };
		return { account, store, clientSecret, passphrase, ...sealing };
	}

	postgresPassword(end: 'from' | 'to'): string | undefined {
		const { ENMESHED_POSTGRES_PASSWORD: one, ENMESHED_TARGET_POSTGRES_PASSWORD: other } =
			this.environment;
		return end === 'to' ? (other ?? one) : one;
	}

	private async clientSecret(): Promise<string | undefined> {
		const given = notEmpty(this.environment['ENMESHED_CLIENT_SECRET']);
		if (given === undefined && this.served !== undefined) return this.served.backbone.clientSecret;
		return await this.secret('ENMESHED_CLIENT_SECRET', 'Client secret: ');
	}

	/** Reads a secret once; a second call returns the same answer. */
	private async secret(name: string, question: string): Promise<string | undefined> {
		const given = notEmpty(this.environment[name]) ?? this.known.get(name);
		if (given !== undefined) return given;
		const typed = notEmpty(await askSecret(question));
		if (typed !== undefined) this.known.set(name, typed);
		return typed;
	}
}

function servedPlace(
	place: Pick<AccountPlace, 'account' | 'store'>,
	{ backbone, passphrase, sealContents }: GatewayConfigInput,
): AccountPlace {
	const sealing = sealContents === undefined ? {} : { sealContents };
	return { ...place, clientSecret: backbone.clientSecret, passphrase, ...sealing };
}

function notEmpty(text: string | undefined): string | undefined {
	return text === '' ? undefined : text;
}
