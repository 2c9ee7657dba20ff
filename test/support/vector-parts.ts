import { vectorData } from './vectors';

/**
 * A part of a file of vectors, and the test file that reads each of its values, or why none has to.
 *
 * The path is the one of its values, whole steps from the beginning: `*` is any one step, `**` any
 * number of them, `a|b` one of these, and `[note=counter 1]` the entry of a list with that member.
 */
export type VectorPart =
	{ readonly path: string; readonly by: string } | { readonly path: string; readonly why: string };

const about = { path: 'about|reference', why: 'says what the file is and who recorded it' };
const labels = 'labels of the official form at rest; ours has other names';
const official = 'a state of the official software that our secrets do without';
const saysAgain = 'says again what the name of the list says';
const wireOnly = 'what the Backbone adds on the way; the content is what is judged';

const primitives = 'core/crypto/primitives.test.ts';
const hashing = 'core/crypto/password-hash.test.ts';
const addresses = 'core/model/address.test.ts';
const establishment = 'core/crypto/relationship-secrets.test.ts';
const references = 'core/model/reference.test.ts';
const bodies = 'core/backbone/recorded-bodies.test.ts';
const templates = 'core/domain/envelopes/template-envelope.test.ts';
const relationships = 'core/domain/relationship/relationship-envelope.test.ts';
const messages = 'core/domain/message/message-envelope.test.ts';
const others = 'core/domain/envelopes/other-envelopes.test.ts';
const identityReplay = 'core/domain/replay/identity-replay.test.ts';
const challengeReplay = 'core/domain/replay/challenge-replay.test.ts';
const templateReplay = 'core/domain/replay/template-replay.test.ts';
const relationshipReplay = 'core/domain/replay/relationship-replay.test.ts';
const messageReplay = 'core/domain/replay/message-replay.test.ts';
const fileReplay = 'core/domain/replay/file-replay.test.ts';
const content = 'core/model/content/content.test.ts';
const createAttribute = 'core/domain/attribute/create-attribute.test.ts';

/** Recorded scenes of attributes and notifications. */
export const attributeScenes: readonly string[] = [
	'repository attribute: create, trim, duplicates, validation',
	'repository attribute: succession and deletion of a chain',
	'composite repository attribute',
	'default repository attributes',
	'share a repository attribute, accepted',
	'relationship attribute: create and share, succession, sharing with a third identity, deletion',
	'received notifications',
	'identity metadata, settings, drafts',
];

/** Scenes of requests, which request-replay.test.ts plays. */
export const requestScenes: readonly string[] = [
	'validation of outgoing requests',
	'outgoing request life cycle',
	'deciding: structure, mustBeAccepted, groups',
	'deciding: items without attributes',
	'CreateAttributeRequestItem',
	'ReadAttributeRequestItem with IdentityAttributeQuery and IQLQuery',
	'ReadAttributeRequestItem with RelationshipAttributeQuery',
	'ReadAttributeRequestItem with ThirdPartyRelationshipAttributeQuery',
	'ProposeAttributeRequestItem',
	'template: new relationship, accepted, later rejected',
	'template: request rejected',
	'template: existing relationship',
	'template: expiry',
	'late response by message',
	'decider module',
	'deciding: request from Message, relationship Active',
	'deciding: request from Message, relationship Terminated',
	'deciding: request from Template, relationship none',
	'deciding: request from Template, relationship Pending',
	'deciding: request from Template, relationship Rejected',
	'deciding: request from Template, relationship Active',
];

/** Secrets of a relationship as the official software keeps them. */
const officialLabels: VectorPart = {
	path: 'cases|relationships/*/**/@type|alg|cnt',
	why: labels,
};
const officialKeys = (path: string): VectorPart => ({
	path: `${path}/ptk|pik`,
	why: 'keys that are needed to make the secrets, and not kept with them',
});

/** For each file its parts; a value belongs to the first part that fits. */
export const vectorParts: Readonly<Record<string, readonly VectorPart[]>> = {
	'crypto.json': [
		about,
		{ path: 'hashes/*/sha256Hex', why: 'a hash that Node makes where it is needed' },
		{ path: 'base64|hashes|signatureKeys|signatures', by: primitives },
		{ path: 'signatureKeysInvalid|secretKeysInvalid/*/valid', why: saysAgain },
		{
			path: 'signatureKeysInvalid|secretKeysInvalid/*/json/pub|key',
			why: 'not looked at where the algorithm is refused before',
		},
		{
			path: 'signatureKeysInvalid/[error=Error]/error',
			why: 'the official software has no code for it; ours is named in the test',
		},
		{
			path: 'signatureKeysInvalid/[description=public key missing]/error',
			why: 'the official code names another mistake; ours is named in the test',
		},
		{ path: 'signatureKeysInvalid|secretKeysInvalid', by: primitives },
		{
			path: 'encryption/*/cipherJson/cph|nnc',
			why: 'not looked at where the cipher is refused before; else read through readCipher',
		},
		{ path: 'encryption|counterNonces|keyExchange', by: primitives },
		{ path: 'keyDerivation/*/error', why: 'the official software has no code for it' },
		{ path: 'keyDerivation', by: primitives },
		{ path: 'passwordHashes/*/reason', why: 'a remark' },
		{ path: 'passwordHashes', by: hashing },
		{ path: 'addresses/*/key', why: 'the name of the key whose text stands beside it' },
		{ path: 'addressesInvalid/*/expectedHostname', why: 'refused for the address alone' },
		{ path: 'deletedIdentityPseudonyms/*/clientInput|backboneInput', why: 'a remark' },
		{ path: 'addresses|addressesInvalid|deletedIdentityPseudonyms', by: addresses },
		{ path: 'dates/parse/*/apiPatternAccepts', why: 'of the HTTP face, which is not built' },
		{ path: 'dates', by: 'core/model/instant.test.ts' },
		{ path: 'ids/pattern', why: 'the rule in words; its cases are tested' },
		{ path: 'ids/cases/*/referenceCheckAccepts', why: 'our references check the whole id' },
		{ path: 'ids', by: 'core/model/ids.test.ts' },
	],
	'references.json': [
		about,
		{ path: 'produce/*/jsonInsideMessages', why: 'attachments: see transport-messages.json' },
		{ path: 'parse|reject|typedReject|sharedPasswordPart/*/valid', why: saysAgain },
		{ path: 'typedReject/*/error', why: 'the official software has no code for it' },
		...['four password parts', 'location empty'].map((description) => ({
			path: `reject/[description=${description}]/error`,
			why: 'accepted by us (crypto-and-identity 19)',
		})),
		{
			path: 'reject/[description=key padded]/error',
			why: 'our code names the key; it is in the test',
		},
		{ path: 'tolerated/*/fields', why: 'what a sloppy reader makes of it; our choices differ' },
		{ path: 'produce|parse|reject|typedReject|sharedPasswordPart|tolerated', by: references },
	],
	'relationship-secrets.json': [
		about,
		officialLabels,
		{ path: 'cases/*/templatorSecretsInitial|requestorSecretsInitial/rx|tx/typ', why: official },
		{ path: 'cases/*/publicResponse/sta/typ', why: 'ignored by every reader, as ours tests' },
		officialKeys('cases/*/templatorSecretsInitial|requestorSecretsInitial'),
		{ path: 'cases', by: establishment },
		{
			path: 'stateNegative/[strictOrder=true]',
			why: 'we do not check the order: official senders repeat 0 (crypto-and-identity 7)',
		},
		{ path: 'stateNegative/*/receiverCounter', why: 'only a strict order would need it' },
		{ path: 'stateNegative/*/valid', why: saysAgain },
		{ path: 'stateNegative/*/otherTemplateExchangeKeypair/**/@type|alg', why: labels },
		{ path: 'stateNegative', by: establishment },
	],
	'wire-objects.json': [
		about,
		{ path: 'templates|messages|tokens/*/valid', why: 'all are' },
		{ path: '**/signatureKeyUsed|ownerSignatureKeyUsed|signatureKeys', why: 'a remark' },
		{ path: 'identities/*/identityJson|devicePrivateKeyJson', by: others },
		{ path: 'identities/*/creation/decodedIdentityPublicKey', by: others },
		{ path: 'identities/*/creation/decodedSignature|signedUtf8', by: others },
		{ path: 'identities', by: identityReplay },
		{ path: 'templates/*/createRequestBody', by: bodies },
		{ path: 'templates', by: templates },
		{ path: 'relationship/statusAtRequestor', why: 'given by the Backbone' },
		{ path: 'relationship/createRequestBody|acceptRequestBody', by: bodies },
		{ path: 'relationship', by: relationships },
		{
			path: 'files/*/uploadParts/*/partHeaders',
			why: 'written by the HTTP library; the contract of the Backbone port looks at the form',
		},
		{ path: 'files', by: others },
		{ path: 'messages/*/messageId', why: 'given by the Backbone' },
		{ path: 'messages', by: messages },
		{ path: 'tokens/*/createRequestBody|loadQuery', by: bodies },
		{ path: 'tokens|challenges', by: others },
		{ path: 'auth', by: bodies },
	],
	'receiver-cases.json': [
		about,
		{ path: 'receiverOfMessages', by: messages },
		{ path: 'cases/*/sender|receiver', why: 'names of identities, whose keys the tests take' },
		{ path: 'cases/*/devicePublicKeyOfSender', why: 'no receiver checks that signature' },
		{
			path: 'cases/*/backboneObject/id|createdAt|createdByDevice|expiresAt|deletedAt|status|auditLog',
			why: wireOnly,
		},
		{
			path: 'cases/*/backboneObject/maxNumberOfAllocations|forIdentity|relationshipTemplateId|to',
			why: wireOnly,
		},
		{ path: 'cases/[object=message]/backboneObject/createdBy|attachments', why: wireOnly },
		{
			path: 'cases/*/backboneObject/recipients/*/receivedAt|receivedByDevice',
			why: wireOnly,
		},
		{
			path: 'cases/[note=receiver missing in the envelope]/backboneObject/body|recipients',
			why: 'refused before they are looked at',
		},
		...['rejected: object not readable', 'signatureNotValid', 'plaintextMismatch']
			.concat('signatureListMismatch', 'ownAddressNotInList')
			.map((code) => (code.includes(':') ? code : `error.transport.messages.${code}`))
			.map((result) => ({
				path: `cases/[result=${result}]/signedJson`,
				why: 'what was signed, to explain the refusal',
			})),
		{ path: 'cases/[object=message]', by: messages },
		{ path: 'cases/[object=template]', by: templates },
		{ path: 'cases/[object=relationship creation]', by: relationships },
	],
	'transport-templates.json': [
		about,
		{ path: 'identities/D', why: 'takes no part in these cases' },
		{ path: 'cases/*/cipherJson|signedPlaintext|serializedTemplate', by: templates },
		{ path: 'cases/*/templateExchangeKeypair/publicKey', by: templates },
		{ path: 'cases/*/reference|passwordProtection', by: templates },
		{ path: 'identities|cases', by: templateReplay },
	],
	'transport-relationships.json': [
		about,
		officialLabels,
		{ path: 'cases/*/templatorSide/templatorSecrets/rx|tx/typ', why: official },
		{ path: 'cases/*/acceptance/requestorSecretsAfterAcceptance/rx|tx/typ', why: official },
		{ path: 'cases/*/request/requestorSecrets/pxk/id', why: official },
		officialKeys('cases/*/templatorSide/templatorSecrets'),
		officialKeys('cases/*/acceptance/requestorSecretsAfterAcceptance'),
		...['kxOfEphemeralWithTemplateKey', 'requestSecretKey', 'nonce', 'creationContentJson']
			.concat('signedPlaintext', 'serializedCreationContent')
			.map((member) => ({ path: `cases/*/request/${member}`, by: relationships })),
		{ path: 'cases/*/templatorSide/kxOfExchangeKeys', by: relationships },
		...['creationResponseContentJson', 'signedPlaintext', 'requestorKxOfExchangeKeys']
			.concat('serializedCreationResponseContent')
			.map((member) => ({ path: `cases/*/acceptance/${member}`, by: relationships })),
		{ path: 'identities|cases', by: relationshipReplay },
	],
	'transport-messages.json': [
		about,
		{
			path: 'cases/*/senderStoredDocument',
			why: 'the official form at rest; what it shows is in senderDTO',
		},
		{ path: 'relationships/*/secrets/*/**/@type|alg|cnt', why: labels },
		{ path: 'relationships/*/secrets/*/rx|tx/typ', why: official },
		officialKeys('relationships/*/secrets/*'),
		{ path: 'relationships/*/name', by: messages },
		{ path: 'cases/*/recipients/*/name', by: messages },
		...['relationship', 'txKey', 'txNonce', 'senderRelationshipSignaturePublicKey']
			.concat('encryptedKeyJson', 'encryptedKeyPlaintext')
			.map((member) => ({ path: `cases/*/recipients/*/${member}`, by: messages })),
		{ path: 'cases/*/backbonePostBody|bodyCipherJson|signedPlaintext', by: messages },
		{ path: 'counterNonceCases', by: messages },
		{ path: 'identities|relationships|cases', by: messageReplay },
	],
	'transport-files.json': [
		about,
		{ path: 'identities/C|D', why: 'take no part in these cases' },
		{
			path: 'cases/*/ownStoredDocument',
			why: 'the official form at rest; what it shows is in ownDTO',
		},
		{ path: 'cases/*/encryptedPropertiesJson|ownerSignatureJson', by: others },
		{ path: 'cases/*/ownerSignatureVerificationKey', by: others },
		{ path: 'identities|cases', by: fileReplay },
	],
	'transport-tokens.json': [
		about,
		{ path: 'identities/D', why: 'takes no part in these cases' },
		{ path: 'cases/*/cipherJson', by: others },
		{ path: 'identities|cases', by: 'core/domain/replay/token-replay.test.ts' },
	],
	'transport-misc.json': [
		about,
		{ path: 'identities/C|D', why: 'take no part in these cases' },
		{ path: 'identities', by: challengeReplay },
		{ path: 'challenges/*/signer', why: 'is A each time, whose keys are the ones used' },
		{ path: 'challenges/*/dto/type', why: saysAgain },
		{
			path: 'identityCreationRequestOfA/devicePassword|clientId|clientSecret|identityVersion',
			why: 'stand in the call as they are, which identity-replay.test.ts looks at',
		},
		{ path: 'challenges|identityCreationRequestOfA', by: others },
		{ path: 'pseudonyms', by: addresses },
		{ path: 'passwordHashes/*/saltBase64', why: 'the same bytes in the other alphabet' },
		{ path: 'passwordHashes', by: hashing },
		{ path: 'references/*/message|decoded', why: 'explains the entry to people' },
		{ path: 'references/*/ok/algorithm', why: 'is the only one there is' },
		{
			path: 'references/[name=id too short]/ok|reserialized',
			why: 'ours: an id that cannot exist is refused',
		},
		{
			path: 'references/[name=url without reference path]/ok|reserialized|url',
			why: 'ours: an id that cannot exist is refused',
		},
		{
			path: 'references/[name=password part with 4 components (newer runtimes)]/error',
			why: 'ours: it is accepted',
		},
		{ path: 'references', by: references },
	],
	'transport-events.json': [
		about,
		{ path: 'identities', why: 'addresses of the recording; the replay has its own' },
		{ path: 'samples/*/eventTargetAddress', why: 'our events are read from one account each' },
		{
			path: 'samples/transport.datawalletSynchronized',
			why: 'we keep no datawallet, which is for identities with several devices',
		},
		{
			path: 'finalizeBody',
			why: 'ours reports no failure but keeps what failed (ADR 0007), as its test sees at the Backbone',
		},
		{ path: '**', by: 'scenario/relationships/official-sequence.test.ts' },
	],
	'transport-queries.json': [
		about,
		{ path: 'single|arrays', by: 'core/domain/collection-query.test.ts' },
	],
	'content.json': [
		{ path: 'meta', why: 'says what the file is and who recorded it' },
		{ path: 'addresses', why: 'the names of the addresses in the cases' },
		{ path: 'cases/*/expected/class|kind', why: 'names of official classes' },
		{ path: 'cases/*/note|peer', why: 'a remark' },
		{ path: 'cases/*/expected/notStable', why: 'an accident there; ours stays the same' },
		/* The test lists the cases that are judged in another way, with the reason. */
		{ path: 'bases|cases', by: content },
		{ path: 'identityAttributeValueSchema', by: createAttribute },
		{ path: 'formField', by: 'core/model/content/form-field.test.ts' },
		{ path: 'iql', by: 'core/model/content/iql.test.ts' },
		{ path: 'hints|countries|languages', by: 'core/model/content/default-hints.test.ts' },
	],
	'generation-7-by-hand.json': [
		{ path: 'about', why: 'says what the file is' },
		{ path: 'accepted|refused|hints|iql', by: 'core/model/content/generation-7.test.ts' },
	],
	'consumption.json': [
		about,
		{ path: 'modules', why: 'says which parts of the official software took part' },
		{ path: 'scenarios/*/about', why: 'a remark' },
		{ path: 'scenarios/*/steps/*/note', why: 'a remark' },
		{
			path: 'scenarios/*/steps/*/error/plainDomainError',
			why: 'the status that the official Connector makes of it; ours is 400 for all (consumption 2.3)',
		},
		...attributeScenes.map((name) => ({
			path: `scenarios/[name=${name}]`,
			by: 'core/domain/replay/attribute-replay.test.ts',
		})),
		...requestScenes.map((name) => ({
			path: `scenarios/[name=${name}]`,
			by: 'core/domain/replay/request-replay.test.ts',
		})),
		{
			path: 'scenarios/[name=TransferFileOwnershipRequestItem]',
			why: 'its files are made up; scenario/requests/requests-with-files.test.ts does the same with real ones',
		},
	],
};

export function partOf(file: string, path: string): VectorPart | undefined {
	const steps = path.split('/');
	return vectorParts[file]?.find((part) => fits(part.path.split('/'), steps, vectorData(file)));
}

function fits(pattern: readonly string[], path: readonly string[], value: unknown): boolean {
	const [step, ...rest] = pattern;
	if (step === undefined) return true;
	const [name, ...below] = path;
	if (name === undefined) return false;
	const member = (value as Record<string, unknown>)[name.replaceAll('~1', '/')];
	if (step === '**') return fits(rest, path, value) || fits(pattern, below, member);
	return stepFits(step, name, member) && fits(rest, below, member);
}

function stepFits(step: string, name: string, member: unknown): boolean {
	const [, key, text] = /^\[(\w+)=(.*)\]$/.exec(step) ?? [];
	if (key !== undefined) return String((member as Record<string, unknown>)[key]) === text;
	return step === '*' || step.split('|').includes(name);
}
