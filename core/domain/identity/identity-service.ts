import { sleep, type Cancellable } from '../../base/abort';
import { newLeaseHolder } from '../../base/lease/lease-holder';
import { isoInstant } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import { generateDevicePassword } from '../../crypto/device-password';
import { writePublicKeyField } from '../../crypto/json-forms';
import { asSignaturePrivateKey } from '../../crypto/keys';
import { generateSignatureKeyPair, signatureKeyPairOf } from '../../crypto/signature-keys';
import { addressFitsPublicKey, addressHostname, deriveAddress } from '../../model/address';
import type { IdentityRecord, IdentitySecrets } from '../../model/record/identity';
import type { Entry, WriteTransaction } from '../../store/store';
import {
	signChallenge,
	writeChallenge,
	writeSignedChallenge,
} from '../challenge/challenge-signing';
import type { OpenedAccount } from './account';
import { identityErrors } from './identity-errors';
import {
	isNamedUrl,
	requireAddressHostname,
	requireIdentityBackbone,
	type NamedBackbone,
} from './own-backbone';
import type { Needs } from '../needs';

const creationLeaseMs = 120_000;
const creationWaitMs = 60_000;
const supportedDatawalletVersion = 1;
const anotherRunIsOpen =
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning';
const openRunPatienceMs = 12_000;

export interface IdentityDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'logger'
> {
	/** host name in addresses, if it is not the host of the Backbone URL */
	readonly addressHostname?: string | undefined;
	/** default: false */
	readonly allowPlainHttp?: boolean;
	readonly allowCreation: boolean;
	/** whether shared attributes have one id; absent: as the account has it */
	readonly oneAttributeId?: boolean | undefined;
}

type StoredIdentity = Entry<IdentityRecord, IdentitySecrets>;

/**
 * Loads this account's identity, or creates it with its only device
 * (docs/protocol/crypto-and-identity.md 8).
 */
export class IdentityService {
	constructor(private readonly dependencies: IdentityDependencies) {}

	/**
	 * Opens the identity; needs no network once its creation is complete. Completes an interrupted
	 * creation.
	 *
	 * @throws `error.transport.general.noIdentityFound`,
	 * `error.gateway.identity.belongsToAnotherBackbone`, `error.gateway.backbone.downgraded`,
	 * `error.gateway.identity.addressMismatch`, `error.transport.general.platformClientInvalid`,
	 * `error.gateway.identity.attributesHaveOneId`
	 */
	async open(options: Cancellable = {}): Promise<OpenedAccount> {
		let stored = await this.load();
		if (stored?.record.state !== 'ready') stored = await this.completeAlone(options);
		this.checkBackbone(stored.record);
		const hasOneId = await this.decideIds(stored.record);
		this.dependencies.backbone.authentication.use({
			username: stored.record.device?.username ?? '',
			password: stored.secrets.devicePassword,
		});
		return {
			address: stored.record.address,
			deviceId: stored.record.device?.id ?? '',
			backboneBaseUrl: stored.record.backboneBaseUrl,
			identityKeys: signatureKeyPairOf(asSignaturePrivateKey(stored.secrets.identityPrivateKey)),
			deviceKeys: signatureKeyPairOf(asSignaturePrivateKey(stored.secrets.devicePrivateKey)),
			hasOneId,
		};
	}

	/** Whether shared attributes have one id, which stays so once it was chosen (docs/adr/0043). */
	private async decideIds(record: IdentityRecord): Promise<boolean> {
		const { store, oneAttributeId } = this.dependencies;
		const { hasOneId = false } = record;
		if (oneAttributeId === undefined || oneAttributeId === hasOneId) return hasOneId;
		if (!oneAttributeId) {
			throw identityErrors.create('attributesHaveOneId', {
				message:
					'The account was served as version 7: its attributes have the same id here and at their peers, which version 6 cannot show.',
				facts: { field: 'oneAttributeId' },
			});
		}
		await store.transact(async (tx) => {
			const current = (await tx.identity.get('self'))?.record;
			if (current !== undefined) await tx.identity.update({ ...current, hasOneId: true });
		});
		return true;
	}

	private async load(): Promise<StoredIdentity | undefined> {
		return await this.dependencies.store.read(async (tx) => {
			const entry = await tx.identity.get('self');
			return entry && { record: entry.record, secrets: entry.secrets };
		});
	}

	/**
	 * Completes the creation under a lease: two processes that start together must not create two
	 * identities.
	 */
	private async completeAlone(options: Cancellable): Promise<StoredIdentity> {
		const { store, clock, random } = this.dependencies;
		const holder = newLeaseHolder(random);
		const giveUpAt = clock.now() + creationWaitMs;
		const take = (tx: WriteTransaction): Promise<boolean> =>
			tx.leases.take('identity', holder, creationLeaseMs);
		while (!(await store.transact(take, options))) {
			const stored = await this.load();
			if (stored?.record.state === 'ready') return stored;
			if (clock.now() >= giveUpAt) {
				throw identityErrors.create('creationBusy', {
					message: 'Another process has been creating the identity for over a minute.',
				});
			}
			await sleep(200, options);
		}
		try {
			const lease = { name: 'identity', holder };
			return await store.underLease(lease, () => this.complete(options));
		} finally {
			await store.transact((tx) => tx.leases.drop('identity', holder));
		}
	}

	private async complete(options: Cancellable): Promise<StoredIdentity> {
		let stored = await this.load();
		const isNew = stored === undefined || stored.record.state === 'creating';
		if (stored === undefined || isNew) {
			if (!this.dependencies.allowCreation) {
				throw identityErrors.create('noIdentityFound', {
					message: 'This account has no identity yet, and creating one is not allowed.',
				});
			}
			stored = await this.register(stored, options);
		}
		if (stored.record.state === 'registered') {
			this.checkBackbone(stored.record);
			// The URL may have been corrected since.
			const { baseUrl } = this.dependencies.backbone;
			if (isNamedUrl(stored.record, baseUrl)) {
				stored = { ...stored, record: { ...stored.record, backboneBaseUrl: baseUrl } };
			}
			this.dependencies.backbone.authentication.use({
				username: stored.record.device?.username ?? '',
				password: stored.secrets.devicePassword,
			});
			await this.createDatawallet(isNew, options);
			stored = await this.save({ ...stored.record, state: 'ready' }, stored.secrets);
		}
		return stored;
	}

	/**
	 * Registers the identity with keys that were stored before the call. After a lost answer the same
	 * keys are submitted again: the Backbone accepts them if the first call never arrived. Otherwise
	 * the user name and device id are lost with the answer, and only new keys help.
	 */
	private async register(
		interrupted: StoredIdentity | undefined,
		options: Cancellable,
	): Promise<StoredIdentity> {
		requireAddressHostname(this.named());
		if (interrupted !== undefined && this.isMeantForHere(interrupted.record)) {
			try {
				return await this.registerWith(interrupted, options);
			} catch (error) {
				if (codeOf(error) !== 'error.platform.validation.device.addressAlreadyExists') throw error;
				this.dependencies.logger.warn(
					'an interrupted identity creation left an unusable identity behind',
					{
						address: interrupted.record.address,
					},
				);
			}
		}
		return await this.registerWith(await this.prepare(), options);
	}

	/**
	 * Checks that the stored keys were made for the configured Backbone, whose address the operator
	 * may have corrected since.
	 */
	private isMeantForHere(record: IdentityRecord): boolean {
		const { baseUrl } = this.dependencies.backbone;
		const isSameHost = hostOf(record.backboneBaseUrl) === hostOf(baseUrl);
		return isSameHost && record.address === this.addressOf(record);
	}

	private addressOf({ publicKey }: Pick<IdentityRecord, 'publicKey'>): string {
		const { baseUrl, addressHostname: override } = this.named();
		return deriveAddress(publicKey, addressHostname(baseUrl, override));
	}

	private named(): NamedBackbone {
		const { backbone, addressHostname: override } = this.dependencies;
		return { baseUrl: backbone.baseUrl, addressHostname: override };
	}

	private async prepare(): Promise<StoredIdentity> {
		const { random, backbone, clock } = this.dependencies;
		const identityKeys = generateSignatureKeyPair(random);
		const deviceKeys = generateSignatureKeyPair(random);
		return await this.save(
			{
				id: 'self',
				state: 'creating',
				address: this.addressOf(identityKeys),
				publicKey: identityKeys.publicKey,
				backboneBaseUrl: backbone.baseUrl,
				createdAt: isoInstant(clock.now()),
			},
			{
				identityPrivateKey: identityKeys.privateKey,
				devicePrivateKey: deviceKeys.privateKey,
				devicePublicKey: deviceKeys.publicKey,
				devicePassword: generateDevicePassword(random),
			},
		);
	}

	private async registerWith(
		{ record, secrets }: StoredIdentity,
		options: Cancellable,
	): Promise<StoredIdentity> {
		const { backbone } = this.dependencies;
		const challenge = await backbone.challenges.create({ ...options, anonymous: true });
		const text = writeChallenge({
			id: challenge.id,
			expiresAt: challenge.expiresAt,
			type: 'Identity',
		});
		const keys = signatureKeyPairOf(asSignaturePrivateKey(secrets.identityPrivateKey));
		const created = await backbone.identities.create(
			{
				identityPublicKey: writePublicKeyField(keys.publicKey),
				devicePassword: secrets.devicePassword,
				identityVersion: 1,
				signedChallenge: writeSignedChallenge(
					text,
					signChallenge(text, keys.privateKey, 'Identity'),
				),
			},
			options,
		);
		if (!addressFitsPublicKey(created.address, record.publicKey)) {
			throw identityErrors.create('foreignAddress', {
				message: `The Backbone gave the address ${created.address}, which does not belong to the key of the new identity.`,
			});
		}
		// Kept also with another host name than expected, so that no further start creates another one.
		return await this.save(
			{
				...record,
				state: 'registered',
				address: created.address,
				createdAt: created.createdAt,
				device: { id: created.device.id, username: created.device.username },
			},
			secrets,
		);
	}

	/**
	 * Creates the datawallet, without which the Backbone starts no sync run (crypto-and-identity 12).
	 * Only a start that resumes after an interruption asks for an existing one: a new identity has
	 * none, and the Backbone's answer would be an error.
	 */
	private async createDatawallet(isNew: boolean, options: Cancellable): Promise<void> {
		const { backbone } = this.dependencies;
		const existing = isNew ? undefined : await backbone.datawallet.get(options);
		if (existing !== undefined) {
			if (existing.version <= supportedDatawalletVersion) return;
			throw identityErrors.create('newerDatawallet', {
				message: `The identity's datawallet has version ${existing.version}; this software supports ${supportedDatawalletVersion}.`,
				facts: { version: existing.version },
			});
		}
		const run = await this.startUpgradeRun(options);
		if (run === undefined) return;
		await backbone.syncRuns.finalizeDatawalletVersionUpgrade(
			run,
			supportedDatawalletVersion,
			options,
		);
	}

	/**
	 * Starts the run that creates the datawallet. An interrupted start leaves an open run, which
	 * expires after ten seconds.
	 */
	private async startUpgradeRun(options: Cancellable): Promise<string | undefined> {
		const { backbone, clock } = this.dependencies;
		const giveUpAt = clock.now() + openRunPatienceMs;
		for (;;) {
			try {
				return (await backbone.syncRuns.start('DatawalletVersionUpgrade', options))?.id;
			} catch (error) {
				const mayWait = isGatewayError(error, anotherRunIsOpen);
				if (!mayWait || clock.now() >= giveUpAt) throw error;
				await sleep(500, options);
			}
		}
	}

	private checkBackbone(record: IdentityRecord): void {
		const { allowPlainHttp = false } = this.dependencies;
		requireIdentityBackbone(record, { ...this.named(), allowPlainHttp });
	}

	private async save(record: IdentityRecord, secrets: IdentitySecrets): Promise<StoredIdentity> {
		await this.dependencies.store.transact(async (tx) => {
			if (!(await tx.identity.insertIfNew(record, secrets)))
				await tx.identity.update(record, secrets);
		});
		return { record, secrets };
	}
}

/** Returns the host name, from which addresses are derived. */
function hostOf(url: string): string {
	return new URL(url).hostname;
}
