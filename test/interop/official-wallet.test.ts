import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';
import { methods } from '../../nodes/Enmeshed/methods';
import { triggerFields } from '../../nodes/Enmeshed/trigger/trigger-fields';
import { defaultsOf, loadOptionsFunctions, triggerFunctions } from '../support/n8n/n8n-functions';
import { Peer, type Generation } from '../support/peer/peer';
import { until } from '../support/until';
import { NodeBench } from '../nodes/support/node-bench';

jest.setTimeout(120_000);

describe.each<Generation>([6, 7])('a wallet with the official runtime %d', (generation) => {
	let bench: NodeBench;
	let wallet: Peer;

	beforeAll(async () => {
		// The official runtime keeps a message twice when its event comes twice.
		bench = await NodeBench.open({ repeatedShare: 0 });
		wallet = await Peer.start(generation, { baseUrl: bench.network.backbone.baseUrl });
	});

	afterAll(async () => {
		await wallet.stop();
		await bench.close();
	});

	it('scans, shares, is accepted, gets a mail and answers, all through the nodes', async () => {
		const stub = triggerFunctions({
			credentials: bench.credential,
			parameters: {
				...defaultsOf(triggerFields),
				events: ['transport.relationshipChanged', 'transport.messageReceived'],
			},
		});
		stub.onEmit = (emission) => emission.settle({ status: 'success' });
		const trigger = await new EnmeshedTrigger().trigger.call(stub.functions);

		const [template] = await bench.run('relationshipTemplate', 'create', {
			title: 'Onboarding',
			requestItems: {
				items: [
					{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true, group: '' },
					{ kind: 'askFor', valueType: 'Surname', mustBeAccepted: true, group: '' },
				],
			},
		});
		const png = PNG.sync.read(Buffer.from(template?.binary?.['data']?.data ?? '', 'base64'));
		const scanned = jsQR(new Uint8ClampedArray(png.data), png.width, png.height)?.data ?? '';
		const request = await wallet.receiveRequest(scanned);
		const share = (type: string, value: string) => ({
			accept: true,
			newAttribute: {
				'@type': 'IdentityAttribute',
				owner: wallet.address,
				value: { '@type': type, value },
			},
		});
		await wallet.acceptRequest(request.id, [
			share('GivenName', 'Ada'),
			share('Surname', 'Lovelace'),
		]);

		await until(() => stub.emissions.length === 1);
		const arrived = stub.emissions[0]?.items[0]?.json ?? {};
		expect(arrived).toMatchObject({
			event: 'transport.relationshipChanged',
			status: 'Pending',
			peer: wallet.address,
			peerName: 'Ada Lovelace',
			// What the answers say is not said twice.
			answers: { GivenName: 'Ada', Surname: 'Lovelace' },
			sharedAttributes: {},
			templateId: template?.json['id'],
			templateTitle: 'Onboarding',
		});

		const accepted = await bench.one('relationship', 'accept', {
			relationship: arrived['relationshipId'],
		});
		expect(accepted).toMatchObject({ status: 'Active', peerName: 'Ada Lovelace' });
		const listed = await methods.listSearch?.['searchActivePeers']?.call(
			loadOptionsFunctions({ credentials: bench.credential }),
			'lovelace',
		);
		expect(listed?.results).toEqual([
			{ name: `Ada Lovelace …${wallet.address.slice(-8)} (active)`, value: wallet.address },
		]);

		// The official runtime takes events as they come: a mail before the acceptance is lost to it.
		await bench.network.settleParties([wallet.syncing]);
		const mail = { subject: 'Welcome', body: 'Hello Ada,\n\nnice to meet you. ' };
		await bench.run('message', 'sendMail', { to: wallet.address, ...mail });
		await bench.network.settleParties([wallet.syncing]);
		expect((await wallet.messages()).map(({ content }) => content)).toMatchObject([
			{ '@type': 'Mail', ...mail },
		]);

		const { address } = await bench.one('account', 'getIdentity');
		await wallet.sendMail(String(address), 'Thanks', 'See you.');
		await until(() => stub.emissions.length === 3);
		expect(stub.emissions.map(({ items }) => items[0]?.json['status'])).toEqual([
			'Pending',
			'Active',
			undefined,
		]);
		expect(stub.emissions[2]?.items[0]?.json).toMatchObject({
			event: 'transport.messageReceived',
			peerName: 'Ada Lovelace',
			subject: 'Thanks',
			body: 'See you.',
		});
		await trigger.closeFunction?.();
		expect(stub.failedExecutions).toEqual([]);
	});
});
