/** One numbered step of a story, with its line in the file. */
export interface Sentence {
	readonly line: number;
	readonly text: string;
}

export interface Story {
	readonly number: number;
	readonly title: string;
	readonly sentences: readonly Sentence[];
}

const heading = /^## (\d+)\. (.+)$/;
const step = /^\d+\. +(.+)$/;
const continuation = /^ {2,}(\S.*)$/;

/** Reads the stories of a Markdown text: a numbered heading each, and numbered steps below it. */
export function readStories(markdown: string): Story[] {
	const stories: Array<Story & { sentences: Sentence[] }> = [];
	let open: { line: number; text: string } | undefined;
	for (const [index, row] of markdown.split('\n').entries()) {
		const [, number, title] = heading.exec(row) ?? [];
		const [, first] = step.exec(row) ?? [];
		const [, further] = continuation.exec(row) ?? [];
		if (number !== undefined && title !== undefined) {
			stories.push({ number: Number(number), title, sentences: [] });
			open = undefined;
		} else if (first !== undefined) {
			open = { line: index + 1, text: first };
			stories.at(-1)?.sentences.push(open);
		} else if (further !== undefined && open !== undefined) {
			open.text += ` ${further}`;
		} else {
			open = undefined;
		}
	}
	return stories;
}
