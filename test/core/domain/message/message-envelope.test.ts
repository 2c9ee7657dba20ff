import { encodeBase64Url, encodeUtf8 } from '../../../../core/base/encoding';
import { systemRandom } from '../../../../core/base/random';
import { generateExchangeKeyPair } from '../../../../core/crypto/exchange-keys';
import { readCipher, readCipherField, writeCipherField } from '../../../../core/crypto/json-forms';
import { asNonce, asSecretKey, asSignaturePublicKey, keyBytes } from '../../../../core/crypto/keys';
import { publicRequestOf, publicResponseOf } from '../../../../core/crypto/relationship-secrets';
import type { RelationshipSecrets } from '../../../../core/crypto/relationship-secrets';
import {
	completeRequestorSecrets,
	createRequestSecrets,
	createTemplatorSecrets,
} from '../../../../core/crypto/relationship-secrets';
import { decryptText, encrypt, textOf } from '../../../../core/crypto/secret-key';
import { generateSignatureKeyPair, sign } from '../../../../core/crypto/signature-keys';
import { loadSodium } from '../../../../core/crypto/sodium';
import {
	counterNonce,
	decryptWithCounter,
	encryptWithCounter,
} from '../../../../core/crypto/transmission';
import type {
	MessageEnvelope,
	OpenedMessage,
} from '../../../../core/domain/message/message-envelope';
import { openMessage, sealMessage } from '../../../../core/domain/message/message-envelope';
import type { JsonObject } from '../../../../core/model/json';
import { relationshipSecrets } from '../../crypto/official-secrets';
import type { OfficialSecrets } from '../../crypto/official-secrets';
import { bytesOf, codeThrownBy, jsonOf, scriptedRandom } from '../../crypto/vector-files';
import { notReadable, unknownType } from '../envelopes/codes';
import { readVectors } from '../../../support/vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

interface PostBody {
	attachments: Array<{ id: string }>;
	body: string;
	recipients: Array<{ address: string; encryptedKey: string }>;
}

interface Recorded {
	name: string;
	postBody: PostBody;
	messageKey: string;
	serialized: string;
	signed: string;
	recipients: Array<{
		address: string;
		senderSecrets: OfficialSecrets;
		ownSecrets: OfficialSecrets;
	}>;
}

interface Wrapper {
	attachments: Array<{ id: string; key: { key: string }; backboneBaseUrl: string }>;
	content: JsonObject;
	createdAt: string;
	recipients: string[];
}

const wire = readVectors<{
	identities: Record<'A' | 'B', { address: string }>;
	relationship: { templatorSecretsJson: string; requestorSecretsAfterAcceptanceJson: string };
	messages: Array<{
		note: string;
		sender: 'A' | 'B';
		createRequestBody: PostBody;
		encryptedKeyCipherJson: string;
		messageKeyJson: string;
		bodyCipherJson: string;
		signedJson: string;
		signedBytesUtf8: string;
	}>;
}>('wire-objects.json');

const transport = readVectors<
	Record<string, unknown> & {
		identities: Record<string, { address: string }>;
		relationships: Array<{ name: string; secrets: Record<string, OfficialSecrets> }>;
		cases: Array<{
			name: string;
			sender: string;
			recipients: Array<{
				name: string;
				relationship: string;
				txKey: string;
				txNonce: string;
				senderRelationshipSignaturePublicKey: string;
				encryptedKeyJson: string;
				encryptedKeyPlaintext: string;
				backboneGetResponse: MessageEnvelope;
			}>;
			backbonePostBody: PostBody;
			bodyCipherJson: string;
			messageKey: string;
			signedPlaintext: string;
			messageString: string;
		}>;
		counterNonceCases: Array<{
			secretKey: string;
			stateNonce: string;
			counter: number;
			effectiveNonce: string;
			plaintext: string;
			cipherJson: string;
		}>;
	}
>('transport-messages.json');

const ofA = jsonOf<OfficialSecrets>(wire.relationship.templatorSecretsJson);
const ofB = jsonOf<OfficialSecrets>(wire.relationship.requestorSecretsAfterAcceptanceJson);

const secretsOf = (relationship: string, identity: string): OfficialSecrets => {
	const entry = transport.relationships.find(({ name }) => name === relationship);
	const secrets = entry?.secrets[identity];
	if (secrets === undefined) throw new Error(`No secrets of ${identity} in ${relationship}`);
	return secrets;
};

const recorded: Recorded[] = [
	...wire.messages.map((message) => ({
		name: `wire-objects, ${message.note}`,
		postBody: message.createRequestBody,
		messageKey: jsonOf<{ key: string }>(message.messageKeyJson).key,
		serialized: message.signedBytesUtf8,
		signed: message.signedJson,
		recipients: [
			{
				address: wire.identities[message.sender === 'A' ? 'B' : 'A'].address,
				senderSecrets: message.sender === 'A' ? ofA : ofB,
				ownSecrets: message.sender === 'A' ? ofB : ofA,
			},
		],
	})),
	...transport.cases.map((message) => ({
		name: `transport-messages, ${message.name}`,
		postBody: message.backbonePostBody,
		messageKey: message.messageKey,
		serialized: message.messageString,
		signed: message.signedPlaintext,
		recipients: message.recipients.map(({ name, relationship }) => ({
			address: transport.identities[name]?.address ?? '',
			senderSecrets: secretsOf(relationship, message.sender),
			ownSecrets: secretsOf(relationship, name),
		})),
	})),
];

/* Written by version 6: without the format of a mail, and with notifications of its own. */
const evidenceOf = ({ '@type': type }: JsonObject): Pick<OpenedMessage, 'evidence'> => {
	if (type === 'Notification') return { evidence: { before: 7 } };
	return type === 'Mail' ? { evidence: { before: 7.1 } } : {};
};

const expectedOf = ({ serialized, messageKey }: Recorded): OpenedMessage => {
	const { attachments, content, createdAt, recipients } = jsonOf<Wrapper>(serialized);
	return {
		content,
		createdAt,
		signedText: serialized,
		recipients,
		messageKey: asSecretKey(messageKey),
		attachments: attachments.map(({ id, key, backboneBaseUrl }) => ({
			id,
			key: asSecretKey(key.key),
			backboneBaseUrl,
		})),
		...evidenceOf(content),
	};
};

beforeAll(loadSodium);

describe('a recorded message', () => {
	it.each(recorded)('is opened by each recipient: $name', (message) => {
		for (const { address, ownSecrets } of message.recipients) {
			const secrets = relationshipSecrets(ownSecrets);
			const opened = openMessage(message.postBody, { address, secrets });
			expect(opened).toEqual(expectedOf(message));
		}
	});

	it.each(recorded)('is sealed to the same bytes: $name', (message) => {
		const { content, attachments, createdAt } = expectedOf(message);
		const nonce = readCipherField(message.postBody.body).nnc ?? '';
		const sealed = sealMessage(
			{
				content,
				attachments,
				createdAt,
				// The official sender uses counter 0 each time.
				recipients: message.recipients.map(({ address, senderSecrets }) => ({
					address,
					secrets: relationshipSecrets(senderSecrets),
					counter: 0,
				})),
			},
			scriptedRandom(bytesOf(message.messageKey), bytesOf(nonce)),
		);
		expect(sealed).toEqual({ postBody: message.postBody, messageKey: message.messageKey });
	});

	it.each(recorded)('has the recorded text inside: $name', (message) => {
		const key = asSecretKey(message.messageKey);
		expect(decryptText(key, readCipherField(message.postBody.body))).toBe(message.signed);
		expect(jsonOf<{ message: string }>(message.signed).message).toBe(message.serialized);
	});

	it.each(wire.messages)('shows its ciphers: $note', (message) => {
		const { encryptedKey } = message.createRequestBody.recipients[0] ?? { encryptedKey: '' };
		expect(writeCipherField(readCipher(jsonOf(message.encryptedKeyCipherJson)))).toBe(encryptedKey);
		// Its ciphertext is left out in the vectors.
		expect(readCipherField(message.createRequestBody.body).nnc).toBe(
			jsonOf<{ nnc: string }>(message.bodyCipherJson).nnc,
		);
	});

	const received = transport.cases.flatMap((message) =>
		message.recipients.map((recipient) => ({ ...recipient, message })),
	);

	it.each(received)('is opened as $name gets it: $message.name', (recipient) => {
		const { name, relationship, message, backboneGetResponse } = recipient;
		const secrets = relationshipSecrets(secretsOf(relationship, name));
		const address = transport.identities[name]?.address ?? '';
		const receiver = { address, secrets };
		const { content } = jsonOf<Wrapper>(message.messageString);
		expect(openMessage(backboneGetResponse, receiver).content).toEqual(content);
		expect(readCipherField(message.backbonePostBody.body)).toEqual(
			readCipher(jsonOf(message.bodyCipherJson)),
		);
	});

	it.each(received)('has the recorded key material for $name: $message.name', (recipient) => {
		const { message, relationship, name } = recipient;
		const sender = relationshipSecrets(secretsOf(relationship, message.sender));
		const own = relationshipSecrets(secretsOf(relationship, name));
		const transmission = {
			key: asSecretKey(recipient.txKey),
			nonce: asNonce(recipient.txNonce),
		};
		expect(transmission).toEqual(sender.transmit);
		expect(transmission).toEqual(own.receive);
		const signatureKey = asSignaturePublicKey(recipient.senderRelationshipSignaturePublicKey);
		expect([sender.signature.publicKey, own.peerSignatureKey]).toEqual([
			signatureKey,
			signatureKey,
		]);
		const cipher = readCipher(jsonOf(recipient.encryptedKeyJson));
		expect(textOf(decryptWithCounter(transmission, cipher))).toBe(recipient.encryptedKeyPlaintext);
	});
});

describe('the counter nonces of transport-messages.json', () => {
	it.each(transport.counterNonceCases)('at $counter', (vector) => {
		const transmission = {
			key: asSecretKey(vector.secretKey),
			nonce: asNonce(vector.stateNonce),
		};
		const nonce = counterNonce(keyBytes(transmission.nonce), vector.counter);
		expect(encodeBase64Url(nonce)).toBe(vector.effectiveNonce);
		const cipher = encryptWithCounter(transmission, vector.plaintext, vector.counter);
		expect({ ...cipher, '@type': 'CryptoCipher' }).toEqual(jsonOf(vector.cipherJson));
	});
});

describe('a message made by hand (receiver-cases.json)', () => {
	const vectors = readVectors<
		Record<string, unknown> & {
			receiverOfMessages: {
				identity: 'A' | 'B';
				relationshipSecretsJson: string;
				peerRelationshipSignaturePublicKey: string;
			};
			cases: Array<{
				object: string;
				note: string;
				result: string;
				backboneObject: MessageEnvelope;
				signedJson: string;
			}>;
		}
	>('receiver-cases.json');
	const { receiverOfMessages } = vectors;
	const messages = vectors.cases.filter(({ object }) => object === 'message');
	const codes: Record<string, string> = { 'rejected: object not readable': notReadable };
	const receiver = {
		address: wire.identities[receiverOfMessages.identity].address,
		secrets: relationshipSecrets(jsonOf(receiverOfMessages.relationshipSecretsJson)),
	};

	it('comes with templates and relationship creations, which the tests beside use', () => {
		const objects = new Set(vectors.cases.map(({ object }) => object));
		expect([...objects]).toEqual(['message', 'template', 'relationship creation']);
		expect(Object.keys(vectors)).toEqual(['about', 'reference', 'receiverOfMessages', 'cases']);
		expect(receiver.secrets.peerSignatureKey).toBe(
			receiverOfMessages.peerRelationshipSignaturePublicKey,
		);
	});

	it.each(messages)('is judged like the official receiver does: $note', (message) => {
		const { note, result, backboneObject } = message;
		const code = codeThrownBy(() => openMessage(backboneObject, receiver));
		const isUnknownType = note === 'content with unknown @type';
		const official = isUnknownType ? unknownType : (codes[result] ?? result);
		expect(code).toBe(result === 'accepted' ? 'nothing was thrown' : official);
	});

	const accepted = messages.filter(({ result }) => result === 'accepted');

	it.each(accepted)('is opened with its content: $note', ({ backboneObject, signedJson }) => {
		const { message } = jsonOf<{ message: string }>(signedJson);
		const wrapper = jsonOf<Wrapper>(message);
		const opened = openMessage(backboneObject, receiver);
		// Members that the type does not have are dropped (content 2.1), the others are as sent.
		expect(wrapper.content).toMatchObject(opened.content);
		expect(Object.keys(opened.content)).toEqual(
			Object.keys(wrapper.content)
				.filter((name) => name !== 'extra')
				.sort(),
		);
		expect(opened.attachments).toEqual([]);
	});

	it('without a relationship to its sender is refused before anything else', () => {
		const message = { body: '', recipients: [] };
		const code = codeThrownBy(() => openMessage(message, { ...receiver, secrets: undefined }));
		expect(code).toBe('error.transport.recordNotFound');
	});
});

describe('a message', () => {
	const [alice, bob, carol] = ['a', 'b', 'c'].map((name) => `did:e:localhost:dids:${name}`) as [
		string,
		string,
		string,
	];
	const content = { '@type': 'Mail', body: 'b', cc: [], subject: 's', to: [bob] };
	const createdAt = '2026-01-02T03:04:05.678Z';

	const relate = (): { templator: RelationshipSecrets; requestor: RelationshipSecrets } => {
		const templatePair = generateExchangeKeyPair(systemRandom);
		const identity = generateSignatureKeyPair(systemRandom).publicKey;
		const request = createRequestSecrets(templatePair.publicKey, identity, systemRandom);
		const templator = createTemplatorSecrets(publicRequestOf(request), templatePair, systemRandom);
		const requestor = completeRequestorSecrets(request, publicResponseOf(templator));
		return { templator, requestor };
	};

	const seal = (
		relationship: ReturnType<typeof relate>,
		counter = 0,
	): ReturnType<typeof sealMessage> =>
		sealMessage(
			{
				content,
				attachments: [],
				createdAt,
				recipients: [{ address: bob, secrets: relationship.templator, counter }],
			},
			systemRandom,
		);

	it.each([0, 1, 1_048_576, 4_294_967_295])('at counter %d is opened', (counter) => {
		const relationship = relate();
		const { postBody, messageKey } = seal(relationship, counter);
		const receiver = { address: bob, secrets: relationship.requestor };
		expect(openMessage(postBody, receiver)).toEqual({
			content,
			attachments: [],
			createdAt,
			recipients: [bob],
			messageKey,
			signedText: expect.stringContaining(createdAt),
			evidence: { before: 7.1 },
		});
	});

	it('beyond the last counter is not sealed', () => {
		expect(codeThrownBy(() => seal(relate(), 4_294_967_296))).toBe(
			'error.crypto.encryption.wrongCounter',
		);
	});

	it('is the same for the same randomness, so that an intent can be sent again', () => {
		const { templator } = relate();
		const message = {
			content,
			attachments: [],
			createdAt,
			recipients: [{ address: bob, secrets: templator, counter: 3 }],
		};
		const [key, nonce] = [systemRandom.bytes(32), systemRandom.bytes(24)];
		expect(sealMessage(message, scriptedRandom(key, nonce))).toEqual(
			sealMessage(message, scriptedRandom(key, nonce)),
		);
		expect(Buffer.from(key).toString('hex')).toHaveLength(64);
	});

	it('to several recipients is opened by each of them and by no other identity', () => {
		const [toBob, toCarol, toEve] = [relate(), relate(), relate()];
		const { postBody } = sealMessage(
			{
				content,
				attachments: [],
				createdAt,
				recipients: [
					{ address: bob, secrets: toBob.templator, counter: 1 },
					{ address: carol, secrets: toCarol.templator, counter: 9 },
				],
			},
			systemRandom,
		);
		for (const [address, { requestor }] of [
			[bob, toBob],
			[carol, toCarol],
		] as const) {
			const opened = openMessage(postBody, {
				address,
				secrets: requestor,
			});
			expect(opened.recipients).toEqual([bob, carol]);
		}
		expect(
			codeThrownBy(() => openMessage(postBody, { address: bob, secrets: toEve.requestor })),
		).toBe('error.crypto.encryption.decrypt');
	});

	describe('with altered text inside', () => {
		const relationship = relateLater();
		function relateLater(): () => ReturnType<typeof relate> {
			let made: ReturnType<typeof relate> | undefined;
			return () => (made ??= relate());
		}
		const wrapperText = (change: object = {}): string =>
			JSON.stringify({ attachments: [], content, createdAt, recipients: [bob], ...change });

		const open = (message: string, signatures?: unknown): OpenedMessage => {
			const { templator, requestor } = relationship();
			const { postBody, messageKey } = seal(relationship());
			const signature = JSON.stringify(sign(message, templator.signature.privateKey, 1));
			const text = JSON.stringify({
				message,
				signatures: signatures ?? [{ recipient: bob, signature }],
			});
			const body = writeCipherField(encrypt(messageKey, text, systemRandom));
			const receiver = { address: bob, secrets: requestor };
			return openMessage({ ...postBody, body }, receiver);
		};

		it('is opened when nothing is wrong, so that the refusals below have their reason', () => {
			expect(open(wrapperText()).content).toEqual(content);
		});

		it('is opened when its attachments and signatures name their types', () => {
			const key = asSecretKey('A'.repeat(43));
			const file = { '@type': 'FileReference', id: 'FIL1', key: { alg: 3, key } };
			const message = wrapperText({ attachments: [file] });
			const { privateKey } = relationship().templator.signature;
			const signature = JSON.stringify(sign(message, privateKey, 1));
			const entry = { '@type': 'MessageSignature', recipient: bob, signature };
			expect(open(message, [entry]).attachments).toEqual([{ id: 'FIL1', key }]);
		});

		it.each([
			['an endless list of recipients', { recipients: Array(20_000).fill(bob) }],
			['recipients that are no list', { recipients: bob }],
			['a date that is none', { createdAt: 'yesterday' }],
			['null as content', { content: null }],
			['text as content', { content: 'text' }],
			['a mail without recipients', { content: { ...content, to: [] } }],
			['a subject over the limit', { content: { ...content, subject: 's'.repeat(301) } }],
			['an attachment of another type', { attachments: [{ '@type': 'Mail', id: 'FIL' }] }],
			['an attachment without key', { attachments: [{ id: 'FILabcdefghijklmnopq' }] }],
		])('%s is refused', (_, change) => {
			expect(codeThrownBy(() => open(wrapperText(change)))).toMatch(
				/^error\.(runtime\.requestDeserialization|crypto\.wrongSerializedBuffer)$/,
			);
		});

		it.each([
			['not JSON', 'nonsense'],
			['a list', '[]'],
			['without alg', '{"sig":"AAAA"}'],
		])('a signature entry that is %s is refused', (_, signature) => {
			const code = codeThrownBy(() => open(wrapperText(), [{ recipient: bob, signature }]));
			expect(code).toMatch(/^error\.crypto\./);
		});

		it('a signature for others only is refused', () => {
			const signature = '{"sig":"AAAA","alg":1}';
			expect(codeThrownBy(() => open(wrapperText(), [{ recipient: alice, signature }]))).toBe(
				'error.transport.messages.signatureListMismatch',
			);
		});

		it('members named __proto__ do not reach the content', () => {
			const text = wrapperText().replace('"subject"', '"__proto__":{"polluted":1},"subject"');
			const opened = open(text);
			expect(opened.content).toEqual(content);
			expect(Object.getPrototypeOf(opened.content)).toBe(Object.prototype);
			expect(({} as { polluted?: number }).polluted).toBeUndefined();
		});

		it('content nested without end is refused', () => {
			const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
			const text = wrapperText().replace('"s"', deep);
			expect(codeThrownBy(() => open(text))).toBe(notReadable);
			expect(encodeUtf8(text).length).toBeGreaterThan(10_000);
		});
	});
});

itReadsItsVectors(__filename);
