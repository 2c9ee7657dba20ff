import { forOperation } from '../../descriptions/common';
import { problemLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields = [
	{
		...problemLocator(),
		description:
			"The problem to try once more. To try several, place 'Get Problems' before this node.",
	},
];

const inputSchema = parameterSchema((z, { locator }) => z.object({ problem: locator }));

export const retryProblem: Operation = {
	properties: forOperation('account', 'retryProblem', fields),
	output: 'retriedProblem',

	async execute(call) {
		const { gateway, signal } = call;
		const { problem } = await parseParameters(call, fields, inputSchema);
		const retried = await gateway.problems.retry({ ids: [problem] }, { signal });
		return retried.map((problem) => toRecord(problem));
	},
};
