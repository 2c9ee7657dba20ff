import { judged } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import { refusedCharacters } from '../../../core/model/content/values/allowed-characters';
import { Dice } from '../../scenario/convergence/dice';
import { SandboxNetwork } from '../../support/gateways';
import { Peer, type PeerObject } from '../../support/peer/peer';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { befriend, officialSide } from '../requests/official-side';
import { ourSide, type OurSide } from '../requests/our-side';
import { until } from '../requests/side';
import { generatedItem, itemKinds, type GeneratedItem, type ItemKind } from './generated-items';
import { loosely } from '../../support/loosely';

jest.setTimeout(600_000);

/*
 * What we say of an item for a peer whose version is known, compared with what an official runtime of
 * that version does with it. A second runtime, of which nothing is known, judges, because our gateway
 * sends such a peer everything.
 */

const itemsPerKind = size({ quick: 12, full: 50 });

describe.each([6, 7] as const)('items for wallets of version %i', (generation) => {
	let network: SandboxNetwork;
	let ours: OurSide;
	let known: Peer;
	let judge: Peer;

	beforeAll(async () => {
		network = await SandboxNetwork.open({ behaviour: 'kind', maxUnreceivedMessages: 10_000 });
		ours = await ourSide(network);
		known = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
		judge = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
		await befriend(known, ours, network);
		await befriend(judge, ours, network);
		await revealGeneration();
	});
	afterAll(async () => {
		await known?.stop();
		await judge?.stop();
		await network.close();
	});

	/** Lets the first runtime send something that only its version writes. */
	async function revealGeneration(): Promise<void> {
		const item =
			generation === 6
				? { '@type': 'AuthenticationRequestItem' as const, mustBeAccepted: true }
				: {
						'@type': 'ConsentRequestItem' as const,
						mustBeAccepted: true,
						consent: 'c',
						requiresInteraction: true,
					};
		const request = { '@type': 'Request' as const, items: [item] };
		const id = await officialSide(known, network).ask(ours.address, request);
		await ours.toDecide(id);
	}

	interface Verdicts {
		readonly ours: boolean;
		readonly theirs: boolean;
		readonly why: string;
	}

	async function sendAll(kind: ItemKind): Promise<ReadonlyMap<string, GeneratedItem>> {
		const dice = new Dice(newSeed());
		const parties = {
			sender: ours.address,
			recipient: judge.address,
			createAttribute: async (content: JsonObject) => {
				const { id, content: stored } = await ours.gateway.attributes.create(judged({ content }));
				return { id, content: stored as JsonObject };
			},
			uploadFile: () => ours.uploadFile(),
		};
		const sent = new Map<string, GeneratedItem>();
		for (let count = 0; count < itemsPerKind; count++) {
			const generated = await generatedItem(kind, dice, parties);
			sent.set(
				await ours.ask(judge.address, { '@type': 'Request', items: [generated.item] }),
				generated,
			);
		}
		return sent;
	}

	async function ourVerdict({ item }: GeneratedItem): Promise<JsonObject & { isSuccess: boolean }> {
		const content = { '@type': 'Request' as const, items: [item] };
		const result = await ours.gateway.outgoingRequests.validate({
			content: loosely(content),
			peer: known.address,
		});
		return result as unknown as JsonObject & { isSuccess: boolean };
	}

	/** The runtime's: undefined if it could read and accept the request. */
	async function theirProblem(
		requestId: string,
		{ acceptance }: GeneratedItem,
		requests: ReadonlyMap<string, PeerObject>,
	): Promise<string | undefined> {
		if (!requests.has(requestId)) return 'it is not readable';
		const answer = { requestId, items: [{ accept: true, ...acceptance }] };
		const service = 'consumption.incomingRequests';
		const possible = await judge.call<PeerObject>(service, 'canAccept', answer);
		if (possible['isSuccess'] !== true) return JSON.stringify(possible['items']);
		try {
			await judge.call(service, 'accept', answer);
			return undefined;
		} catch (error) {
			return String(error);
		}
	}

	/** Requests of the judge, once it has worked through all messages. */
	async function judgedRequests(): Promise<ReadonlyMap<string, PeerObject>> {
		await network.settleParties([judge.syncing]);
		return await until('decidable requests', async () => {
			const requests = await judge.incomingRequests();
			const isOpen = ({ status }: PeerObject): boolean =>
				/Open|DecisionRequired/.test(String(status));
			if (requests.some(({ status }) => status === 'Open' || status === 'DecisionRequired'))
				return undefined;
			return new Map(requests.filter((one) => isOpen(one)).map((one) => [one.id, one]));
		});
	}

	it.each(itemKinds)('%s: our verdict is the one of the official runtime', async (kind) => {
		const sent = await sendAll(kind);
		const requests = await judgedRequests();
		const differences: Array<Verdicts & { readonly item: JsonObject }> = [];
		for (const [requestId, generated] of sent) {
			const verdict = await ourVerdict(generated);
			const problem = await theirProblem(requestId, generated, requests);
			if (verdict.isSuccess === (problem === undefined)) continue;
			const why = problem ?? JSON.stringify(verdict);
			const { item } = generated;
			differences.push({ ours: verdict.isSuccess, theirs: problem === undefined, why, item });
		}
		expect(differences).toEqual([]);
	});
});

describe('texts for wallets of version 7', () => {
	let network: SandboxNetwork;
	let wallet: Peer;

	beforeAll(async () => {
		network = await SandboxNetwork.open();
		wallet = await Peer.start(7, { baseUrl: network.backbone.baseUrl });
	});
	afterAll(async () => {
		await wallet?.stop();
		await network.close();
	});

	// shows generation-7 4.1: characters (content.md 13.3.1); generation-7 5: paragraph 1
	it('of single characters and letters with accents are allowed as by the official runtime', async () => {
		const dice = new Dice(newSeed());
		const text = (...codePoints: number[]): string => String.fromCodePoint(...codePoints);
		const isAllowed = (part: string): boolean => refusedCharacters(part).length === 0;
		const units = Array.from({ length: 0x3000 }, (_, codePoint) => text(codePoint));
		const accents = Array.from({ length: 0x70 }, (_, index) => text(0x300 + index));
		const letters = units.filter((unit) => isAllowed(unit));
		const pairs = letters.flatMap((letter) => accents.map((accent) => letter + accent));
		const samples = [
			...pairs.filter((pair) => isAllowed(pair)),
			...['C\u0328\u0306', 'K\u035FH', 'K\u035Fh', 'k\u035Fh', 'l\u0325\u0304', 's\u031B\u0304'],
			...['k\u035FH', 'A\u030B\u0304', '\u0304a'],
			...Array.from({ length: size({ quick: 100, full: 2_000 }) }, () => dice.pick(units)),
			...Array.from({ length: size({ quick: 100, full: 2_000 }) }, () => dice.pick(pairs)),
		];
		const differences = [];
		for (const [index, sample] of samples.entries()) {
			const value = { '@type': 'DisplayName' as const, value: `${index} ${sample}.` };
			const isTaken = await wallet.createAttribute(value).then(
				() => true,
				(error: unknown) => !/forbidden/.test(String(error)),
			);
			if (isTaken !== isAllowed(sample))
				differences.push({ sample: JSON.stringify(sample), isTaken });
		}
		expect(differences).toEqual([]);
	});
});
