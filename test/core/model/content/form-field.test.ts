import { loosely } from '../../../support/loosely';
import { codeOf } from '../../../../core/base/errors';
import {
	contentTypes,
	parseReceivedContent,
} from '../../../../core/model/content/content-registry';
import {
	formFieldAnswerProblem,
	formFieldSettingsProblem,
} from '../../../../core/model/content/values/form-field-rules';
import type { Json, JsonObject } from '../../../../core/model/json';
import { failingRows } from '../../../support/failing-rows';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { contentVectors, expandText } from './content-vectors';

const requests = 'error.consumption.requests';

interface Outcome {
	readonly outcome: 'accepted' | 'rejected';
	readonly code?: string;
}

const rejected = (code: string): Outcome => ({ outcome: 'rejected', code: `${requests}.${code}` });

const codes = {
	mismatch: 'invalidAcceptParameters',
	serval: 'servalErrorDuringRequestItemProcessing',
	unexpected: 'unexpectedErrorDuringRequestItemProcessing',
};

function canCreate(settings: JsonObject): Outcome {
	return formFieldSettingsProblem(loosely(settings)) === undefined
		? { outcome: 'accepted' }
		: rejected('invalidRequestItem');
}

function canAccept(settings: JsonObject, answer: Json): Outcome {
	const problem = formFieldAnswerProblem(loosely(settings), answer);
	return problem === undefined ? { outcome: 'accepted' } : rejected(codes[problem.failure]);
}

/** The item that an accepted answer leads to, or why there can be none. */
function responseItemOf(answer: Json): { item: string } | { code: string | undefined } {
	const item = { '@type': 'FormFieldAcceptResponseItem', response: answer, result: 'Accepted' };
	try {
		return { item: JSON.stringify(parseReceivedContent(item)) };
	} catch (error) {
		return { code: codeOf(error) };
	}
}

const entries = contentVectors.formField.map((entry, index) => {
	const settings = expandText(entry.settings) as JsonObject;
	const answer = entry.response === undefined ? undefined : expandText(entry.response);
	return [`${index} ${String(settings['@type'])}`, { ...entry, settings, answer }] as const;
});

// shows generation-7 8.2: paragraph 1
describe('a form field', () => {
	it('behaves as recorded', () => {
		const failing = failingRows(entries, ({ op, settings, answer = null, expected }) => {
			expect(parseReceivedContent(settings)).toEqual(settings);
			const found = op === 'canCreate' ? canCreate(settings) : canAccept(settings, answer);
			expect(found.outcome).toBe(expected.outcome);
			expect(found.code).toBe(expected.code);
			if (expected.responseItem !== undefined) {
				expect(responseItemOf(answer)).toEqual({ item: expected.responseItem });
			}
			if (expected.thenAccept !== undefined) {
				expect(responseItemOf(answer)).toEqual({ code: expected.thenAccept });
			}
		});
		expect(failing).toEqual([]);
	});

	it('has settings of each type in the recorded cases', () => {
		const types = new Set(entries.map(([, { settings }]) => settings['@type']));
		const known = [...contentTypes().keys()].filter((name) => name.endsWith('FormFieldSettings'));
		expect([...types].sort()).toEqual(known.sort());
	});
});

itReadsItsVectors(__filename);
