import { Ledger } from '../../../core/domain/unfinished/ledger';
import { loosely } from '../loosely';
import { usualTimings } from '../../../core/base/timings';
import { isoInstant, systemClock } from '../../../core/base/clock';
import { silentLogger } from '../../../core/base/logger';
import { systemRandom } from '../../../core/base/random';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { asExchangePublicKey, asSignaturePublicKey } from '../../../core/crypto/keys';
import { createRequestSecrets } from '../../../core/crypto/relationship-secrets';
import type { EnvelopeIdentity } from '../../../core/domain/envelope/envelope-identity';
import { FileService } from '../../../core/domain/file/file-service';
import { IdentityService } from '../../../core/domain/identity/identity-service';
import { openMessages } from '../../../core/domain/message/open-messages';
import { ObjectChanges } from '../../../core/domain/object-changes';
import { Observers } from '../../../core/domain/observers';
import { sealCreationContent } from '../../../core/domain/relationship/relationship-envelope';
import { TemplateService } from '../../../core/domain/template/template-service';
import { TokenService } from '../../../core/domain/token/token-service';
import { parseGatewayConfig, type GatewayConfigInput } from '../../../core/config';
import { addressHostname } from '../../../core/model/address';
import type { JsonObject } from '../../../core/model/json';
import { openStore } from '../../../core/store/open-store';

/** Sends whatever it is told, without looking at the content. */
export interface CarelessPeer {
	/** @returns the id of the message */
	send(recipient: string, content: JsonObject): Promise<string>;
	/** @returns the truncated reference */
	createTemplate(content: JsonObject): Promise<string>;
	/**
	 * Answers a template that was loaded before, as any identity and for any template.
	 *
	 * @returns the id of the relationship
	 */
	createRelationship(
		templateId: string,
		forged: { readonly identity?: EnvelopeIdentity; readonly templateId?: string },
	): Promise<string>;
	close(): Promise<void>;
}

/** Speaks for the identity of a closed gateway: the same services, but own content is not checked. */
export async function openCarelessPeer(input: GatewayConfigInput): Promise<CarelessPeer> {
	const config = parseGatewayConfig(input);
	const base = { clock: systemClock, random: systemRandom, logger: silentLogger };
	const store = await openStore(config, base);
	const backbone = HttpBackbone.open({ ...config.backbone, ...base });
	const account = await new IdentityService({
		...base,
		store,
		backbone,
		addressHostname: addressHostname(backbone.baseUrl, undefined),
		allowCreation: false,
	}).open();
	const ledger = new Ledger({ store, ...base });
	const context = { ...base, store, ledger, backbone, account, observers: new Observers() };
	const changes = new ObjectChanges(context);
	const { messages } = openMessages({
		...context,
		files: new FileService({ ...context, changes }),
		timings: usualTimings.sending,
		prepareContent: (content) => loosely(content as JsonObject),
		beforeSealing: () => Promise.resolve(),
	});
	const templates = new TemplateService({
		...context,
		tokens: new TokenService({ ...context, changes }),
		changes,
		prepareContent: (content) => Promise.resolve(loosely(content as JsonObject)),
	});
	return {
		send: async (recipient, content) =>
			(await messages.send({ recipients: [recipient], content })).id,
		createTemplate: async (content) => {
			const expiresAt = isoInstant(Date.now() + 3_600_000);
			return (await templates.create({ content, expiresAt })).truncatedReference;
		},
		createRelationship: async (id, forged) => {
			const template = (await store.read((tx) => tx.templates.get(id)))?.record;
			if (template === undefined) throw new Error(`The template ${id} has not been loaded`);
			const creation = {
				content: { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 'Hello' },
				templateId: id,
				identity: { address: account.address, publicKey: account.identityKeys.publicKey },
				devicePrivateKey: account.deviceKeys.privateKey,
				secrets: createRequestSecrets(
					asExchangePublicKey(template.templateKey.publicKey),
					asSignaturePublicKey(template.identity.publicKey),
					systemRandom,
				),
				...forged,
			};
			const creationContent = sealCreationContent(creation, systemRandom);
			const body = { relationshipTemplateId: id, creationContent };
			return (await backbone.relationships.create(body)).id;
		},
		close: async () => {
			await backbone.close();
			await store.close();
		},
	};
}
