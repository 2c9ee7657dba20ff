import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { Enmeshed } from '../../nodes/Enmeshed/Enmeshed.node';
import { findOperation } from '../../nodes/Enmeshed/actions/resources';

const { description } = new Enmeshed();

describe.each(['create', 'sendAndWait'])(
	"the option 'Accept Unproven Answers' of %s",
	(operation) => {
		const properties = findOperation('relationshipTemplate', operation)?.properties ?? [];
		const options = properties.find(({ name }) => name === 'options')?.options ?? [];
		const option = options.find(({ name }) => name === 'acceptUnprovenAnswers') as INodeProperties;

		it.each([
			['a password and connected people', { password: '1234' }, { askConnectedPeers: true }, true],
			['a password and content as JSON', { password: '1234' }, { contentMode: 'json' }, true],
			['a password and new people only', { password: '1234' }, { askConnectedPeers: false }, false],
			['connected people and no password', {}, { askConnectedPeers: true }, false],
		])('with %s: %#', (_what, values, fields, isShown) => {
			expect(option.default).toBe(false);
			const chosen = { ...fields, options: values };
			expect(NodeHelpers.displayParameter(values, option, null, description, chosen)).toBe(isShown);
		});
	},
);
