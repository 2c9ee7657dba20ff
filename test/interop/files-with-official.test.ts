import type { FileDto, Gateway } from '../../core';
import { inOneHour, mailTo, TestNetwork } from '../support/gateways';
import { Peer, type Generation, type PeerObject } from '../support/peer';
import { arbitraryTemplate } from './contents';

jest.setTimeout(120_000);

const bytesOf = (text: string) => new TextEncoder().encode(text);

const textOf = ({ content }: { content: Uint8Array }): string => Buffer.from(content).toString();

describe.each<Generation>([6, 7])('files, tokens and the official runtime %d', (generation) => {
	let network: TestNetwork;
	let peer: Peer;
	let gateway: Gateway;
	let address: string;

	beforeAll(async () => {
		network = await TestNetwork.open();
		peer = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
		gateway = await network.gateway();
		({ address } = await gateway.account.getIdentity());
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: arbitraryTemplate({ ours: true }),
		});
		const loaded = await peer.loadTemplate(template.truncatedReference);
		const { id } = await peer.createRelationship(loaded.id, { theirs: true });
		await gateway.account.sync();
		await gateway.relationships.accept(id);
		await peer.sync();
	});

	afterAll(async () => {
		await peer.stop();
		await network.close();
	});

	const upload = (text: string, more: object = {}): Promise<FileDto> =>
		gateway.files.upload(
			{ filename: 'ours.txt', mimetype: 'text/plain', title: 'Ours', tags: ['x:a'], ...more },
			bytesOf(text),
		);

	const uploadAtPeer = (text: string): Promise<PeerObject> =>
		peer.call('transport.files', 'uploadOwnFile', {
			content: { $bytes: Buffer.from(text).toString('base64') },
			filename: 'theirs.txt',
			mimetype: 'text/plain',
			title: 'Theirs',
			description: 'of the peer',
			expiresAt: inOneHour(),
		});

	const atPeer = (reference: string, password?: string): Promise<PeerObject> =>
		peer.call('transport.files', 'getOrLoadFile', {
			reference,
			...(password === undefined ? {} : { password }),
		});

	const downloadAtPeer = async (id: string): Promise<string> => {
		const { content } = await peer.call('transport.files', 'downloadFile', { id });
		return Buffer.from((content as { $bytes: string }).$bytes, 'base64').toString();
	};

	it('our file is loaded and read by the peer, by each form of its reference', async () => {
		const own = await upload('from us');
		const loaded = await atPeer(own.truncatedReference);
		expect(loaded).toMatchObject({
			id: own.id,
			isOwn: false,
			filename: 'ours.txt',
			mimetype: 'text/plain',
			title: 'Ours',
			tags: ['x:a'],
			filesize: 7,
			createdBy: address,
			expiresAt: '9999-12-31T00:00:00.000Z',
			reference: own.reference,
		});
		expect(await atPeer(own.reference.url)).toEqual(loaded);
		expect(await downloadAtPeer(own.id)).toBe('from us');
	});

	it('their file is loaded and read by us', async () => {
		const theirs = await uploadAtPeer('from the peer');
		const { url } = theirs['reference'] as { url: string };
		const loaded = await gateway.files.getOrLoad({ reference: url });
		expect(loaded).toMatchObject({
			id: theirs.id,
			isOwn: false,
			owner: peer.address,
			filename: 'theirs.txt',
			title: 'Theirs',
			description: 'of the peer',
			reference: theirs['reference'],
		});
		expect(textOf(await gateway.files.download(theirs.id))).toBe('from the peer');
	});

	it('a protected and personal token for our file opens it for the peer', async () => {
		const own = await upload('behind a PIN');
		const token = await gateway.files.createToken(own.id, {
			forIdentity: peer.address,
			passwordProtection: { password: '4711', passwordIsPin: true },
		});
		await expect(atPeer(token.truncatedReference)).rejects.toMatchObject({
			code: 'error.transport.noPasswordProvided',
		});
		expect(await atPeer(token.truncatedReference, '4711')).toMatchObject({ id: own.id });
		expect(await downloadAtPeer(own.id)).toBe('behind a PIN');
	});

	it('a protected and personal token for their file opens it for us', async () => {
		const theirs = await uploadAtPeer('behind a password');
		const token = await peer.call('transport.files', 'createTokenForFile', {
			fileId: theirs.id,
			forIdentity: address,
			passwordProtection: { password: 'pass word' },
		});
		const { truncated: reference } = token['reference'] as { truncated: string };
		const loaded = await gateway.files.getOrLoad({ reference, password: 'pass word' });
		expect(loaded.id).toBe(theirs.id);
		expect(textOf(await gateway.files.download(theirs.id))).toBe('behind a password');
	});

	it('tokens with any JSON go both ways', async () => {
		const content = { any: ['thing', 1, null] };
		const expiresAt = inOneHour();
		const own = await gateway.tokens.create({ content, expiresAt });
		const loaded = await peer.call('transport.tokens', 'loadPeerToken', {
			reference: own.truncatedReference,
			ephemeral: false,
		});
		expect(loaded).toMatchObject({ id: own.id, content, isOwn: false, createdBy: address });
		const theirs = await peer.call('transport.tokens', 'createOwnToken', {
			content,
			expiresAt,
			ephemeral: false,
			passwordProtection: {
				password: '0815',
				passwordIsPin: true,
				passwordLocationIndicator: 'SMS',
			},
		});
		const { url: reference } = theirs['reference'] as { url: string };
		const opened = await gateway.tokens.loadPeer({ reference, password: '0815' });
		expect(opened).toMatchObject({
			id: theirs.id,
			content,
			createdBy: peer.address,
			passwordProtection: theirs['passwordProtection'],
			reference: theirs['reference'],
		});
	});

	it('attachments go both ways', async () => {
		const own = [await upload('first'), await upload('second')];
		const attachments = own.map(({ id }) => id);
		const sent = await gateway.messages.send({ ...mailTo(peer.address), attachments });
		await peer.sync();
		const received = await peer.message(sent.id);
		expect(received['attachments']).toMatchObject([
			{ id: attachments[0], filename: 'ours.txt', isOwn: false },
			{ id: attachments[1], isOwn: false },
		]);
		expect(await downloadAtPeer(attachments[1] ?? '')).toBe('second');

		const theirs = await uploadAtPeer('with a mail');
		const reply = await peer.call('transport.messages', 'sendMessage', {
			recipients: [address],
			content: { '@type': 'Mail', to: [address], cc: [], subject: 's', body: 'b' },
			attachments: [theirs.id, attachments[0]],
		});
		const { messages, pendingFailures } = await gateway.account.sync();
		expect(pendingFailures).toEqual([]);
		expect(messages).toMatchObject([{ id: reply.id, attachments: [theirs.id, attachments[0]] }]);
		expect(await gateway.messages.listAttachments(reply.id)).toMatchObject([
			{ id: theirs.id, isOwn: false, filename: 'theirs.txt' },
			own[0],
		]);
		expect(textOf(await gateway.messages.downloadAttachment(reply.id, theirs.id))).toBe(
			'with a mail',
		);
	});

	it('their file becomes ours, and the peer is told', async () => {
		const theirs = await uploadAtPeer('handed over');
		const { truncated: reference } = theirs['reference'] as { truncated: string };
		await gateway.files.getOrLoad({ reference });
		const token = String(theirs['ownershipToken']);
		expect(await gateway.files.claimOwnership(theirs.id, token)).toMatchObject({
			isOwn: true,
			owner: address,
			createdBy: peer.address,
		});
		await peer.sync();
		const event = await peer.waitForEvent('transport.fileOwnershipClaimed', ({ data }) => {
			return (data as PeerObject).id === theirs.id;
		});
		expect(event.data).toMatchObject({ id: theirs.id, isOwn: false });
		const deleted = await uploadAtPeer('locked');
		const locked = (deleted['reference'] as { truncated: string }).truncated;
		await gateway.files.getOrLoad({ reference: locked });
		await expect(
			gateway.files.claimOwnership(deleted.id, 'AAAAAAAAAAAAAAAAAAAA'),
		).rejects.toMatchObject({ code: 'error.platform.forbidden' });
		await peer.sync();
		const lockedEvent = await peer.waitForEvent('transport.fileOwnershipLocked');
		expect(lockedEvent.data).toMatchObject({ id: deleted.id, ownershipIsLocked: true });
	});
});
