import { systemRandom } from '../../../core/base/random';
import type { Gateway } from '../../../core';
import { readCipherField, writeCipherField } from '../../../core/crypto/json-forms';
import { asSecretKey } from '../../../core/crypto/keys';
import { decryptText, encrypt } from '../../../core/crypto/secret-key';
import { generateSignatureKeyPair } from '../../../core/crypto/signature-keys';
import { sealTemplate } from '../../../core/domain/template/template-envelope';
import { deriveAddress } from '../../../core/model/address';
import { parseReference } from '../../../core/model/reference';
import { inOneHour, SandboxNetwork } from '../../support/gateways';

/* docs/protocol/transport.md 4.2, 20.3: templates that are not what they are said to be. */

const notGenuine = 'error.transport.signatureNotValid';
const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 'genuine' };
const forged = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 'forged' };

let network: SandboxNetwork;
let owner: Gateway;
let victim: Gateway;
let id: string;
let reference: string;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	owner = await network.gateway();
	victim = await network.gateway();
	({ id, truncatedReference: reference } = await owner.templates.create({
		expiresAt: inOneHour(),
		content,
	}));
});
afterEach(() => network.close());

/** What a reader of the reference can make: content of their own under the key of the template. */
function forge(): { createdBy: string; content: string } {
	const keys = generateSignatureKeyPair(systemRandom);
	const address = deriveAddress(keys.publicKey, 'localhost');
	const sealed = sealTemplate(forged, { address, keys }, systemRandom);
	const signed = decryptText(sealed.secretKey, readCipherField(sealed.content));
	const key = asSecretKey(parseReference(reference).key);
	return {
		createdBy: address,
		content: writeCipherField(encrypt(key, signed, systemRandom)),
	};
}

/** The Backbone shows the template with these members changed. */
function show(change: object): void {
	const row = network.backbone.state.templates.get(id);
	network.backbone.faults.add({
		method: 'GET',
		path: /RelationshipTemplates/,
		action: { kind: 'status', status: 200, body: { result: { ...row, ...change } } },
	});
}

async function expectRefused(gateway: Gateway): Promise<void> {
	await expect(gateway.templates.loadPeer({ reference })).rejects.toMatchObject({
		code: notGenuine,
	});
}

describe('a template', () => {
	it('that is shown as made by another identity is refused', async () => {
		show({ createdBy: forge().createdBy });
		await expectRefused(victim);
		expect(await victim.templates.list()).toEqual([]);
	});

	it('of another identity under the name of its owner is refused', async () => {
		show({ content: forge().content });
		await expectRefused(victim);
	});

	it('that is known is not replaced by the template of another identity that has its reference', async () => {
		const known = await victim.templates.loadPeer({ reference });
		show(forge());
		await expectRefused(victim);
		expect(await victim.templates.get(id)).toEqual(known);
	});

	it('of our own does not either', async () => {
		const own = await owner.templates.get(id);
		show(forge());
		await expectRefused(owner);
		expect(await owner.templates.get(id)).toEqual(own);
	});

	it('in the place of another one is not taken for it', async () => {
		show({ id: 'RLTother000000000000' });
		await expect(victim.templates.loadPeer({ reference })).rejects.toMatchObject({
			code: 'error.gateway.backbone.unexpectedAnswer',
		});
		expect(await victim.templates.list()).toEqual([]);
	});
});
