/** Notes which test file computes which numbered expression: the code under test calls it in a run of `npm run mutate`. */
const { appendFileSync } = require('node:fs');

const noted = new Set();

module.exports = (number) => {
	if (noted.has(number)) return;
	noted.add(number);
	const test = globalThis.expect?.getState().testPath ?? '';
	appendFileSync(process.env.ENMESHED_MUTATION_REACHED, `${number}\t${test}\n`);
};
