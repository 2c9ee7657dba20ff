import { eventCatalogue } from '../../core';
import { works } from '../../scripts/docs/interoperability';
import { noteLeftOut } from '../support/backbone/backbone-notes';
import { NeedsSandbox, target } from '../support/backbone/backbone-target';
import { SandboxNetwork, TestNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { pairs, titleOf, type Column } from './matrix/columns';
import { fileRows } from './matrix/file-rows';
import { identityRows } from './matrix/identity-rows';
import { messageRows } from './matrix/message-rows';
import { officialParty } from './matrix/official-party';
import { ourParty } from './matrix/our-party';
import { ColumnOutcome, matrixOf, neither } from './matrix/outcome';
import { NoSuchOperation, type Party } from './matrix/party';
import { differingPayloads } from './matrix/payloads';
import { differencesFromPage } from './matrix/shown-matrix';
import { relationshipRows } from './matrix/relationship-rows';
import type { Row } from './matrix/row';
import { NotAllowedHere, Stage, syncOf } from './matrix/stage';
import { templateRows } from './matrix/template-rows';
import { tokenRows } from './matrix/token-rows';

jest.setTimeout(120_000);

/* Every operation and event of the transport layer, between us and everybody, in both roles. */

/** The last row of the last group deletes its actor. */
const groups = [
	relationshipRows,
	templateRows,
	fileRows,
	tokenRows,
	messageRows,
	identityRows,
] as const;
const transportEvents = Object.keys(eventCatalogue)
	.filter((name) => name.startsWith('transport.'))
	.map((name) => name.replace('transport.', ''))
	.sort();
const outcomes: ColumnOutcome[] = [];

/**
 * Several rows have more than one recipient, which is the shipped limit. Official runtimes apply an event
 * that is repeated once more, and take a repeated one for news.
 */
async function networkOf({ majorVersion, follower }: Column): Promise<TestNetwork> {
	if (target !== undefined) return await TestNetwork.open({ majorVersion });
	return await SandboxNetwork.open({
		majorVersion,
		maxMessageRecipients: 5,
		...(follower === 'ours' ? {} : { repeatedShare: 0 }),
	});
}

async function play({ name, play: how }: Row, stage: Stage, network: TestNetwork): Promise<void> {
	if (typeof how === 'function') {
		await how(stage).catch((error: unknown) => {
			if (!(error instanceof NotAllowedHere)) throw error;
			noteLeftOut(name, error.message);
		});
		return;
	}
	if (!(network instanceof SandboxNetwork)) throw new NeedsSandbox();
	await how.withControls(Object.assign(stage, { backbone: network.backbone }));
}

/** A run against a server leaves out rows. */
function requireAllRows(): void {
	if (target !== undefined) throw new NeedsSandbox();
}

/** Against a server: the pairs of its version. */
const played = pairs.filter(([column]) => column !== undefined && isPlayed(column));

function isPlayed({ follower, majorVersion }: Column): boolean {
	if (target === undefined) return true;
	const isOfficial = follower !== 'ours';
	return majorVersion === target.majorVersion && !(isOfficial && target.isOnlyOurs);
}

describe.each(played.map((columns) => [columns.map(titleOf).join(' and '), columns] as const))(
	'%s',
	(_title, columns) => {
		let network: TestNetwork;
		let peer: Peer | undefined;
		/** lives as long as both columns; its other side is told by them */
		let resident: Party;
		let friend: Party;
		let friendship: string;

		const newcomer = async (): Promise<Party> => await ourParty(network);

		beforeAll(async () => {
			const [column] = columns as readonly [Column];
			const { follower } = column;
			network = await networkOf(column);
			if (follower !== 'ours') {
				peer = await Peer.start(follower, network.credentials);
			}
			resident = peer === undefined ? await newcomer() : officialParty(peer, network);
			friend = await newcomer();
			friendship = await new Stage(friend, resident, '', newcomer).relate();
		});

		afterAll(async () => {
			await network.endPeer(peer);
			await network.close();
		});

		/** A friend of the resident, or an identity new to it, plays the other role. */
		async function stageFor({ between }: Row, column: Column): Promise<Stage> {
			const other = between === 'friends' ? friend : await newcomer();
			const parties: [Party, Party] =
				column.follower === resident.kind ? [other, resident] : [resident, other];
			const [actor, follower] = parties;
			const id = between === 'friends' ? friendship : '';
			// What happened to the resident among strangers does not belong to this row.
			if (between === 'friends') for (const party of parties) await syncOf(party);
			return new Stage(actor, follower, id, newcomer, [resident, friend]);
		}

		const pairOutcomes = columns.map((column) => new ColumnOutcome(column));
		outcomes.push(...pairOutcomes);

		describe.each(pairOutcomes.map((outcome) => [titleOf(outcome.column), outcome] as const))(
			'%s',
			(_name, outcome) => {
				const { column } = outcome;
				describe.each(groups.map((group) => [group.title, group.rows] as const))(
					'%s',
					(_group, rows) => {
						it.each(rows.map((row) => [row.name, row] as const))('%s', async (_row, row) => {
							const stage = await stageFor(row, column);
							const excuse =
								row.cannot?.actor?.[column.actor] ?? row.cannot?.follower?.[column.follower];
							if (excuse === undefined) {
								await play(row, stage, network);
								outcome.heard.set(row, stage.heard);
							} else {
								if (typeof row.play !== 'function') requireAllRows();
								await expect(play(row, stage, network)).rejects.toThrow(NoSuchOperation);
							}
							outcome.cells.set(row, excuse ?? works);
						});
					},
				);

				it('every event was published by some party', () => {
					requireAllRows();
					const silent = transportEvents.filter((event) => outcome.publishersOf(event) === neither);
					expect(silent).toEqual([]);
				});
			},
		);

		const [ours, theirs] = pairOutcomes;
		const generation = theirs?.column.actor;
		if (ours === undefined || theirs === undefined || generation === undefined) return;
		it('both publish the same members', () => {
			requireAllRows();
			expect(differingPayloads(ours, theirs, generation as 6 | 7)).toEqual([]);
		});
	},
);

it('is what docs/interoperability.md shows', () => {
	requireAllRows();
	const seen = matrixOf(outcomes, groups, transportEvents);
	expect(differencesFromPage('transport', seen)).toEqual([]);
});
