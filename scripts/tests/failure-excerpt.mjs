import { stripVTControlCharacters } from 'node:util';

const shownLines = 15;

const isCall = (line) => /^\s+at /.test(line);

/** The first lines of a failure message of jest, without colours, and the call in the project that failed. */
export function failureExcerpt(message) {
	const lines = stripVTControlCharacters(message).split('\n');
	const text = lines.filter((line) => line.trim() !== '' && !isCall(line)).slice(0, shownLines);
	const place = lines.find((line) => isCall(line) && !/node_modules|node:/.test(line));
	return [...text, ...(place === undefined ? [] : [place])].map((line) => `    ${line}`);
}
