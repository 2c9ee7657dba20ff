import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { attributeScenes as names } from '../../../support/vector-parts';
import { readVectors } from '../../../support/vectors';
import { ConsumptionPlayer, type RecordedScenario } from './consumption-player';

/* The recorded scenes of attributes and notifications (docs/protocol/consumption.md 18), played again. */

const { scenarios } = readVectors<{ scenarios: readonly RecordedScenario[] }>('consumption.json');
const played = scenarios.filter(({ name }) => names.includes(name));

describe('the official software is matched step by step', () => {
	it('in every scene that is named here', () => {
		expect(played.map(({ name }) => name).sort()).toEqual([...names].sort());
	});

	it.each(played.map((scenario) => [scenario.name, scenario] as const))(
		'%s',
		async (_name, scenario) => {
			const player = await new ConsumptionPlayer().open(scenario);
			try {
				for (const [index, step] of scenario.steps.entries()) {
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

itReadsItsVectors(__filename);
