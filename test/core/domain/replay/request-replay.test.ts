import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { requestScenes } from '../../../support/vector-parts';
import { readVectors, vectorData } from '../../../support/vectors';
import type { RecordedScenario, RecordedStep } from './consumption-player';
import type { RecordedEvent } from './recorded-events';
import { RequestPlayer } from './request-player';

/* The recorded scenes of requests (docs/protocol/consumption.md 18), played again. */

const { scenarios } = readVectors<{ scenarios: readonly RecordedScenario[] }>('consumption.json');
const played = scenarios.filter(({ name }) => requestScenes.includes(name));

type Change = (recorded: RecordedStep) => Partial<RecordedStep>;

const unreadable: Change = () => ({ error: { code: 'error.runtime.requestDeserialization' } });
const success = { isSuccess: true, items: [] };

/** A proposal that does not fit its query is told by the check (interface-summary.md 7). */
const proposalMismatch: Change = () => ({
	result: {
		isSuccess: false,
		code: 'error.consumption.validation.inheritedFromItem',
		items: [
			{
				isSuccess: false,
				code: 'error.consumption.requests.attributeQueryMismatch',
				items: [],
			},
		],
	},
});

/** Something more is told, after the first of the recorded events. */
const alsoTold =
	(...more: readonly RecordedEvent[]): Change =>
	({ events = {} }) => {
		const [first, ...rest] = events['A'] ?? [];
		return {
			events: { ...events, A: [...(first === undefined ? [] : [first]), ...more, ...rest] },
		};
	};

const succession = (predecessor: string, successor: string): Change =>
	alsoTold({ ns: 'consumption.peerSharedAttributeSucceeded', predecessor, successor });

const groupAnsweredAsItem = {
	isSuccess: false,
	code: 'error.consumption.requests.decide.validation.requestItemGroupAnsweredAsRequestItem',
	items: [],
};

/** Where ours follows a recommendation of the specification, or says 'ours': by scene and step. */
const ours: Readonly<Record<string, Readonly<Record<number, Change>>>> = {
	// A group inside a group is unreadable (4.1).
	'validation of outgoing requests': { 11: unreadable, 53: proposalMismatch, 63: proposalMismatch },
	'deciding: structure, mustBeAccepted, groups': {
		// A group that is answered like an item has the code that is made for it (5.5).
		6: () => ({
			result: {
				isSuccess: false,
				code: 'error.consumption.validation.inheritedFromItem',
				items: [success, success, groupAnsweredAsItem],
			},
		}),
		// `accept` has to be there, and true or false (5.4).
		7: unreadable,
	},
	// A succession that comes with an answer is announced (6.14).
	CreateAttributeRequestItem: { 15: succession('<ATT1>', '<ATT3>') },
	'ReadAttributeRequestItem with IdentityAttributeQuery and IQLQuery': {
		20: succession('<ATT3>', '<ATT4>'),
	},
	// Wallets of version 7 cannot read the template without a title (content.md 13.3).
	'template: request rejected': { 3: ({ result }) => ({ result: withTitles(result) }) },
	// What was answered in time is completed whenever we see it (4.6).
	'template: expiry': {
		12: alsoTold(
			{ ns: 'consumption.attributeCreated', id: '<ATT1>' },
			{ ns: 'consumption.outgoingRequestCreatedAndCompleted', id: '<REQ2>', status: 'Completed' },
			{
				ns: 'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
				id: '<REQ2>',
				status: 'Completed',
			},
		),
		13: ({ result }) => ({
			result: [...(result as unknown[]), { id: '<REQ2>', status: 'Completed' }],
		}),
		14: ({ result }) => ({
			result: [
				...(result as unknown[]),
				{
					id: '<ATT1>',
					value: 'V',
					key: 'k',
					owner: '<B>',
					shareInfo: { peer: '<B>', requestReference: '<REQ2>' },
				},
			],
		}),
	},
};

function withTitles(request: unknown): unknown {
	const isBare = (item: unknown): boolean =>
		(item as { '@type': string })['@type'] === 'AuthenticationRequestItem';
	const { content, ...rest } = request as { content: { items: object[] } };
	const items = content.items.map((item) =>
		isBare(item) ? { ...item, title: 'Authentication' } : item,
	);
	return { ...rest, content: { ...content, items } };
}

function changed(scene: string, step: RecordedStep, index: number): RecordedStep {
	const change = ours[scene]?.[index];
	if (change === undefined) return step;
	const { error: _error, ...rest } = step;
	return { ...rest, ...change(step) };
}

/** Codes in the place of which ours has another outcome. */
function isReplaced(path: string): boolean {
	const [, scene = '', step = '', member] =
		/^scenarios\/(\d+)\/steps\/(\d+)\/(\w+)/.exec(path) ?? [];
	const name = vectorData<{ scenarios: readonly RecordedScenario[] }>('consumption.json').scenarios[
		Number(scene)
	]?.name;
	return member === 'error' && ours[name ?? '']?.[Number(step)] !== undefined;
}

describe('the official software is matched step by step', () => {
	it('in every scene that is named here', () => {
		expect(played.map(({ name }) => name).sort()).toEqual([...requestScenes].sort());
	});

	it.each(played.map((scenario) => [scenario.name, scenario] as const))(
		'%s',
		async (name, scenario) => {
			const steps = scenario.steps.map((step, index) => changed(name, step, index));
			const player = await new RequestPlayer({ ...scenario, steps }).begin();
			try {
				for (const [index, step] of steps.entries()) {
					await player.play(step).catch((error: unknown) => {
						throw new Error(`Step ${index} (${step.op ?? ''} of ${step.actor ?? ''})`, {
							cause: error,
						});
					});
				}
			} finally {
				await player.close();
			}
		},
		60_000,
	);
});

itReadsItsVectors(__filename, isReplaced);
