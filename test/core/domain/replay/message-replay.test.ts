import { usualTimings } from '../../../../core/base/timings';
import { alphanumeric } from '../../../../core/base/random';
import type { WireMessage } from '../../../../core/backbone/dto';
import { readCipherField } from '../../../../core/crypto/json-forms';
import { FileService } from '../../../../core/domain/file/file-service';
import { openMessages, type MessageServices } from '../../../../core/domain/message/open-messages';
import { prepareMessageContent } from '../../../../core/model/content/message-content';
import type { JsonObject } from '../../../../core/model/json';
import type { MessageDto, SendIntentRecord } from '../../../../core/model/record/message';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { fileRecord, templateRecord } from '../../../support/records';
import { readVectors } from '../../../support/vectors';
import { result } from '../../backbone/fixture-server';
import { relationshipSecrets, type OfficialSecrets } from '../../crypto/official-secrets';
import { bytesOf, jsonOf, scriptedRandom } from '../../crypto/vector-files';
import { openReplay, type RecordedIdentity, type ReplayBench } from './replay-bench';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

/* The recorded use cases of the official software, done again by our services. */

interface Recorded {
	name: string;
	sender: string;
	backbonePostBody: { body: string };
	messageKey: string;
	messageString: string;
	recipients: Array<{ name: string; backboneGetResponse: WireMessage; recipientDTO: MessageDto }>;
	senderDTO: MessageDto;
}

interface RecordedRelationship {
	id: string;
	requestor: string;
	templator: string;
	secrets: Record<string, OfficialSecrets>;
}

const { identities, relationships, cases } = readVectors<{
	identities: Record<string, RecordedIdentity>;
	relationships: RecordedRelationship[];
	cases: Recorded[];
}>('transport-messages.json');

const identityNamed = (name: string): RecordedIdentity => {
	const identity = identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};
const sentAt = ({ messageString }: Recorded): string =>
	jsonOf<{ createdAt: string }>(messageString).createdAt;

let bench: ReplayBench;
afterEach(() => bench.close());

async function storeRelationships({ context }: ReplayBench, own: string): Promise<void> {
	for (const { id, requestor, templator, secrets } of relationships) {
		const ownSecrets = secrets[own];
		if (ownSecrets === undefined) continue;
		const peer = identityNamed(own === requestor ? templator : requestor);
		const record: RelationshipRecord = {
			id,
			status: 'Active',
			peer: peer.address,
			peerPublicKey: peer.identityPublicKey,
			createdByUs: own === requestor,
			templateId: 'RLT1',
			template: templateRecord('RLT1'),
			creationContent: {},
			auditLog: [],
			createdAt: '2026-11-20T00:00:00.000Z',
		};
		const established = relationshipSecrets(ownSecrets) as unknown as JsonObject;
		const template = { secretKey: '' };
		await context.store.transact(async (tx) => {
			await tx.relationships.insert(record, { established, template });
		});
	}
}

/** The files that the message speaks of, as far as sending looks at them. */
async function storeFiles({ messageString }: Recorded): Promise<void> {
	const { attachments } = jsonOf<{ attachments: Array<{ id: string; key: { key: string } }> }>(
		messageString,
	);
	for (const { id, key } of attachments) {
		await bench.context.store.transact((tx) =>
			tx.files.insert(fileRecord(id), { secretKey: key.key, contentKey: '' }),
		);
	}
}

const serviceOf = ({ context }: ReplayBench): MessageServices =>
	openMessages({
		...context,
		files: new FileService(context),
		timings: usualTimings.sending,
		prepareContent: prepareMessageContent,
		beforeSealing: () => Promise.resolve(),
	});

const openSender = async (recorded: Recorded): Promise<MessageServices> => {
	const { nnc } = readCipherField(recorded.backbonePostBody.body);
	const { id, createdAt } = recorded.senderDTO;
	bench = await openReplay({
		identity: identityNamed(recorded.sender),
		at: sentAt(recorded),
		random: scriptedRandom(
			bytesOf(recorded.messageKey),
			bytesOf(nnc ?? ''),
			alphanumeric.slice(0, 17),
		),
		routes: { 'POST /api/v2/Messages': result({ id, createdAt }, 201) },
	});
	await storeRelationships(bench, recorded.sender);
	return serviceOf(bench);
};

describe('a message as the official software sent it', () => {
	const isSendable = ({ name }: Recorded): boolean => name !== 'notification';

	it.each(cases.filter(isSendable))('is sent with the same call: $name', async (recorded) => {
		const service = await openSender(recorded);
		const { senderDTO, backbonePostBody } = recorded;
		const recipients = senderDTO.recipients.map(({ address }) => address);
		const { content, attachments } = senderDTO;
		await storeFiles(recorded);
		expect(await service.messages.send({ recipients, content, attachments })).toEqual(senderDTO);
		expect(bench.sent('POST')).toEqual([backbonePostBody]);
		expect(await service.messages.get(senderDTO.id)).toEqual(senderDTO);
	});

	it.each(cases)('is shown the same when its answer was lost: $name', async (recorded) => {
		const service = await openSender(recorded);
		const { senderDTO } = recorded;
		const { content, attachments } = jsonOf<{
			content: JsonObject;
			attachments: Array<{ id: string }>;
		}>(recorded.messageString);
		const intent: SendIntentRecord = {
			id: 'SND1',
			state: 'prepared',
			createdAt: sentAt(recorded),
			bodyHash: '',
			recipients: senderDTO.recipients.map(({ address, relationshipId = '' }) => ({
				address,
				relationshipId,
			})),
			content,
			attachments: attachments.map(({ id }) => id),
		};
		const secrets = { messageKey: recorded.messageKey };
		await bench.context.store.transact(async (tx) => {
			await tx.sendIntents.insert(intent, secrets);
		});
		const send = { record: intent, secrets };
		expect(await service.sendIntents.complete(send, senderDTO)).toEqual(senderDTO);
		expect(await service.messages.list()).toEqual([senderDTO]);
	});

	const received = cases.flatMap(({ name, recipients }) =>
		recipients.map((recipient) => ({ message: name, to: recipient.name, recipient })),
	);

	it.each(received)('is shown to $to the same: $message', async ({ to, recipient }) => {
		const { backboneGetResponse, recipientDTO } = recipient;
		bench = await openReplay({
			identity: identityNamed(to),
			at: backboneGetResponse.createdAt,
			random: scriptedRandom(),
			routes: { [`GET /api/v2/Messages/${recipientDTO.id}`]: result(backboneGetResponse) },
		});
		await storeRelationships(bench, to);
		const service = serviceOf(bench);
		const wire = await service.messageReceipt.fetch(recipientDTO.id, {});
		await bench.context.store.transact((tx) => service.messageReceipt.receive(tx, wire));
		expect(await service.messages.list()).toEqual([recipientDTO]);
	});
});

itReadsItsVectors(__filename);
