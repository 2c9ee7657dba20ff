import { forOperation } from '../../descriptions/common';
import { problemLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields = [
	{
		...problemLocator(),
		description:
			"The problem to give up. To give up several, place 'Get Problems' before this node.",
	},
];

const inputSchema = parameterSchema((z, { locator }) => z.object({ problem: locator }));

export const discardProblem: Operation = {
	properties: forOperation('account', 'discardProblem', fields),
	output: 'discardedProblem',

	async execute(call) {
		const { gateway, signal } = call;
		const { problem } = await parseParameters(call, fields, inputSchema);
		const discarded = await gateway.problems.discard({ ids: [problem] }, { signal });
		return discarded.map((problem) => toRecord(problem));
	},
};
