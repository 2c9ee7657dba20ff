import { systemRandom } from '../../../core/base/random';
import type { IdKind } from '../../../core/model/ids';
import { clientIdKinds, idPrefixes, idSchema, isId, newId } from '../../../core/model/ids';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

const { ids } = readVectors<{
	ids: { cases: Array<{ kind: string; id: string; valid: boolean }> };
}>('crypto.json');

const kindWithPrefix = (prefix: string): IdKind => {
	const kinds = Object.keys(idPrefixes) as IdKind[];
	const kind = kinds.find((candidate) => idPrefixes[candidate] === prefix);
	if (kind === undefined) throw new Error(`No kind with prefix ${prefix}`);
	return kind;
};

describe('ids', () => {
	it.each(ids.cases)('decides that $id is a $kind: $valid', ({ kind: prefix, id, valid }) => {
		const kind = kindWithPrefix(prefix);
		expect(isId(kind, id)).toBe(valid);
		expect(idSchema(kind).safeParse(id).success).toBe(valid);
	});

	it.each(clientIdKinds)('makes a %s id that its own check accepts', (kind) => {
		const id = newId(kind, systemRandom);
		expect(isId(kind, id)).toBe(true);
	});

	it.each([
		['ERRABCDEFGHJKLMNPQ12', true],
		['ERRabcdefghjklmnpq12', false],
		['ERRABCDEFGHIJKLMN012', false],
	])('decides that %s is an id of an error: %s', (id, valid) => {
		expect(isId('error', id)).toBe(valid);
	});

	it('names the expected form when a text is refused', () => {
		expect(idSchema('templateKey').safeParse('RLT1').error?.issues[0]?.message).toBe(
			"expected 'TRPRTK' followed by 14 letters or digits",
		);
	});
});

itReadsItsVectors(__filename);
