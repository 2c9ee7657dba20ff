import { ownText } from '../../../core/model/json';
import type { Gateway, Mail } from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';
import { openCarelessPeer } from '../../support/peer/careless-peer';

/* docs/protocol/content.md 11.1: `bodyFormat` of a mail, which version 7.1 has added. */

let network: SandboxNetwork;
let gateway: Gateway;
let peer: Gateway;
let peerConfig: ReturnType<SandboxNetwork['config']>;
let own: string;
let address: string;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	peerConfig = network.config();
	gateway = await network.gateway();
	peer = await network.gateway(peerConfig);
	({ addressA: own, addressB: address } = await relate(gateway, peer));
});
afterEach(() => network.close());

const mail = (bodyFormat: unknown) => {
	const { recipients, content } = mailTo(address, 'Your visit', 'Please bring **both** forms.');
	return { recipients, content: loosely<Mail>({ ...content, bodyFormat }) };
};

it('is sent, and kept on both sides', async () => {
	const sent = await gateway.messages.send(mail('Markdown'));
	expect(ownText(sent.content, 'bodyFormat')).toBe('Markdown');
	const kept = await gateway.messages.get(sent.id);
	expect(ownText(kept.content, 'bodyFormat')).toBe('Markdown');
	await settle(peer);
	const received = await peer.messages.get(sent.id);
	expect(received.content).toEqual(sent.content);
});

it('finds mails, of which those that name none are plain text', async () => {
	const formatted = await gateway.messages.send(mail('Markdown'));
	const named = await gateway.messages.send(mail('PlainText'));
	const plain = await gateway.messages.send(mail(null));
	const found = async (bodyFormat: string | string[]) => {
		const messages = await gateway.messages.list({ query: { 'content.bodyFormat': bodyFormat } });
		return messages.map(({ id }) => id);
	};
	expect(await found('Markdown')).toEqual([formatted.id]);
	expect(await found('PlainText')).toEqual([named.id, plain.id]);
	expect(await found('!PlainText')).toEqual([formatted.id]);
	expect(await failureOf(found('~Mark'))).toMatchObject({
		code: 'error.runtime.validation.invalidPropertyValue',
	});
});

it.each(['PlainText', 'Markdown'])(
	'%s does not make our peers take us for a wallet',
	async (format) => {
		await gateway.messages.send(mail(format));
		await settle(peer);
		const item = {
			'@type': 'FreeTextRequestItem' as const,
			freeText: 'Why?',
			mustBeAccepted: true,
		};
		const verdict = await peer.outgoingRequests.validate({ content: { items: [item] }, peer: own });
		expect(verdict).toMatchObject({ isSuccess: true });
	},
);

it('may be missing or null, as before', async () => {
	const { content } = await gateway.messages.send(mail(null));
	expect(content).not.toHaveProperty('bodyFormat');
});

it.each(['Html', '', 'markdown', 7])('%p is refused before sending', async (format) => {
	expect(await failureOf(gateway.messages.send(mail(format)))).toMatchObject({
		code: 'error.runtime.requestDeserialization',
		message: expect.stringContaining('bodyFormat') as string,
	});
});

it('that is not known does not keep a mail from arriving', async () => {
	await peer.close();
	const careless = await openCarelessPeer(peerConfig);
	const text = { to: [own], cc: [], subject: 'Hi', body: 'Text' };
	await careless.send(own, { '@type': 'Mail', ...text, bodyFormat: 'Html' });
	await careless.close();
	await settle(gateway);
	expect((await gateway.messages.list()).map(({ content }) => content)).toEqual([
		{ '@type': 'Mail', ...text },
	]);
});
