import { Enmeshed } from '../../../nodes/Enmeshed/Enmeshed.node';
import { prompts } from './prompts';

interface Offered {
	readonly id: string;
	readonly words: ReadonlyMap<string, number>;
}

const tooUsual = new Set(
	'the and for with that who has have have not this our from all are was'.split(' '),
);

/** Words without their endings, as a reader of rules compares them. */
function wordsOf(text: string): string[] {
	return text
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word.length > 2 && !tooUsual.has(word))
		.map((word) => word.replace(/(ies|ing|ed|es|s|e|y)$/, ''));
}

/** What the panel and n8n's builder show of each operation; its action counts most. */
function offeredOperations(): Offered[] {
	return new Enmeshed().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) => {
			const [resource] = displayOptions?.show?.['resource'] ?? [];
			return options.flatMap((option) => {
				if (!('value' in option)) return [];
				const words = new Map<string, number>();
				const texts = [
					[option.action, 3],
					[option.name, 2],
					[option.description, 1],
				] as const;
				for (const [text = '', weight] of texts) {
					for (const word of wordsOf(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
				}
				return [{ id: `${String(resource)}.${String(option.value)}`, words }];
			});
		});
}

/** The operation whose words fit the task best; words that many operations have count less. */
function chosenFor(task: string, offered: readonly Offered[]): string {
	const rarity = (word: string): number => {
		const count = offered.filter(({ words }) => words.has(word)).length;
		return count === 0 ? 0 : Math.log(1 + offered.length / count);
	};
	const scoreOf = ({ words }: Offered): number => {
		const fitting = wordsOf(task).reduce(
			(sum, word) => sum + (words.get(word) ?? 0) * rarity(word),
			0,
		);
		// An operation that says much else fits less.
		return fitting / Math.sqrt(words.size);
	};
	const [best] = [...offered].sort((a, b) => scoreOf(b) - scoreOf(a));
	return best?.id ?? '';
}

describe('a reader of our descriptions', () => {
	it('chooses the operation for a task in plain words', () => {
		const offered = offeredOperations();
		const wrong = prompts
			.map(({ task, wanted }) => ({ task, wanted, chosen: chosenFor(task, offered) }))
			.filter(({ wanted, chosen }) => !wanted.includes(chosen))
			.map(({ task, chosen }) => `${task}: ${chosen}`);
		expect(wrong).toEqual([]);
	});
});
