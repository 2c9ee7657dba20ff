import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(__dirname, '..', '..', '..');

export interface Instruction {
	readonly name: string;
	/** words after the name, without the ends of continued lines */
	readonly text: string;
}

export interface Stage {
	readonly base: string;
	readonly name: string | undefined;
	readonly instructions: readonly Instruction[];
}

/** Stages of a Dockerfile, which is named by its path in the repository. */
export function readDockerfile(file: string): Stage[] {
	const stages: Array<Stage & { instructions: Instruction[] }> = [];
	const defaults: Record<string, string> = {};
	for (const { name, text } of instructionsIn(readFileSync(join(projectRoot, file), 'utf8'))) {
		const current = stages.at(-1);
		if (name === 'FROM') {
			const [base = '', , alias] = replaceVariables(text, defaults).split(' ');
			stages.push({ base, name: alias, instructions: [] });
		} else if (current !== undefined) {
			current.instructions.push({ name, text });
		} else if (name === 'ARG') {
			const [variable = '', value = ''] = text.split('=');
			defaults[variable] = value;
		} else throw new Error(`${name} stands before the first FROM of ${file}`);
	}
	return stages;
}

/** Replaces `${NAME}`; an unknown name is an error, which Docker would replace by nothing. */
export function replaceVariables(text: string, values: Readonly<Record<string, string>>): string {
	return text.replaceAll(/\$\{(\w+)\}/g, (_match, name: string) => {
		const value = values[name];
		if (value === undefined) throw new Error(`The Dockerfile sets no ${name}`);
		return value;
	});
}

function instructionsIn(text: string): Instruction[] {
	const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
	return lines
		.join('\n')
		.replaceAll(/\\\n\s*/g, '')
		.split('\n')
		.map((line) => {
			const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
			if (name === '') throw new Error(`Not an instruction: ${line}`);
			return { name, text: rest };
		});
}
