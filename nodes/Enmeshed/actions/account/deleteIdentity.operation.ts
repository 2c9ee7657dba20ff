import type { INodeProperties } from 'n8n-workflow';
import type { IdentityDeletionProcessDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { parameterError } from '../../errors/parameter-error';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { loadCore } from '../../gateway/core';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { isToolVariant } from '../../operation/tool-variant';
import { toRecord } from '../../output/to-items';

const forStart = { show: { handling: ['start'] } };

const handling: INodeProperties = {
	displayName: 'What to Do',
	name: 'handling',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Cancel Deletion',
			value: 'cancel',
			description: 'Keep the identity; possible until the grace period ends',
		},
		{
			name: 'Get Status',
			value: 'status',
			description: 'See whether the identity of this account is being deleted, and when',
		},
		{
			name: 'Start Deletion',
			value: 'start',
			description: 'Delete the identity of this account when the grace period has ended',
			displayOptions: { hide: { '@tool': [true] } },
		},
	],
	default: 'status',
};

const loss: INodeProperties = {
	displayName:
		'<b>The identity of this account is deleted, with everything it has at the Backbone: all its relationships, messages, files and templates.</b> Its people see that it is gone, its QR codes stop working, and the address cannot be had again. During the grace period nothing is received or sent, and the deletion can be cancelled. After it, nothing brings the identity back. What is stored here stays until you remove it.',
	name: 'deletionNotice',
	type: 'notice',
	displayOptions: forStart,
	default: '',
};

const confirmation: INodeProperties = {
	displayName: 'Address to Delete',
	name: 'confirmation',
	type: 'string',
	noDataExpression: true,
	displayOptions: forStart,
	default: '',
	required: true,
	placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
	description:
		"Type the address of this account to confirm that it is to be deleted. 'Account: Get Identity' shows it.",
};

const graceField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	displayOptions: forStart,
	default: {},
	options: [
		{
			displayName: 'Grace Period',
			name: 'lengthOfGracePeriodInDays',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 3650 },
			default: 14,
			description: 'Days in which the deletion can be cancelled. The Backbone chooses without it.',
		},
	],
};

const handlingSchema = parameterSchema((z) =>
	z.object({ handling: z.enum(['cancel', 'start', 'status']) }),
);

const startSchema = parameterSchema((z, { number }) =>
	z.object({
		confirmation: z.unknown(),
		options: z.object({ lengthOfGracePeriodInDays: number.optional() }),
	}),
);

export const deleteIdentity: Operation = {
	properties: forOperation('account', 'deleteIdentity', [handling, loss, confirmation, graceField]),
	output: 'identityDeletion',

	async execute(call) {
		const { gateway, signal } = call;
		const chosen = await parseParameters(call, [handling], handlingSchema);
		const { address } = await gateway.account.getIdentity({ signal });
		return [toRecord({ address, ...(await handle[chosen.handling](call, address)) })];
	},
};

type Handle = (call: OperationCall, address: string) => Promise<object>;

const handle: Readonly<Record<'cancel' | 'start' | 'status', Handle>> = {
	async cancel({ gateway, signal }) {
		return described(await gateway.identityDeletion.cancel({ signal }));
	},
	async start(call, address) {
		await requirePerson(call);
		const entered = await parseParameters(call, [confirmation, graceField], startSchema);
		requireConfirmation(call, entered.confirmation, address);
		const { gateway, signal } = call;
		const input = defined(entered.options);
		return described(await gateway.identityDeletion.initiate(input, { signal }));
	},
	async status({ gateway, signal }) {
		const { isDeleted, deletionDate } = await gateway.account.checkIfDeleted({ signal });
		const newest = (await gateway.identityDeletion.list({ signal })).at(-1);
		const state = newest === undefined ? noProcess : described(newest);
		return { ...state, isDeleted, ...defined({ deletedAt: deletionDate }) };
	},
};

const noProcess = { status: 'None', isToBeDeleted: false };

function described(process: IdentityDeletionProcessDto): object {
	const { id, status, createdAt, gracePeriodEndsAt, cancelledAt } = process;
	const isToBeDeleted = status === 'Approved' || status === 'Deleting';
	return {
		status,
		isToBeDeleted,
		...defined({ startedAt: createdAt, gracePeriodEndsAt, cancelledAt }),
		id,
	};
}

/**
 * Refuses agents: a tool does not know whether a person has reviewed its call.
 *
 * @throws `error.gateway.identity.notByAgent`
 */
async function requirePerson({ functions }: OperationCall): Promise<void> {
	if (!isToolVariant(functions.getNode())) return;
	const { identityErrors } = await loadCore();
	throw identityErrors.create('notByAgent', {
		message: 'An agent cannot start the deletion of the identity',
	});
}

/** Accepts only what a person has typed in: an expression has the right value without a decision. */
function requireConfirmation(
	{ functions, itemIndex }: OperationCall,
	entered: unknown,
	address: string,
): void {
	const { name, displayName } = confirmation;
	const raw: unknown = functions.getNodeParameter(name, itemIndex, '', { rawExpressions: true });
	const isExpression = typeof raw === 'string' && raw.startsWith('=');
	if (!isExpression && typeof entered === 'string' && entered.trim() === address) return;
	throw parameterError(functions.getNode(), `The field '${displayName}' is not valid`, {
		description: isExpression
			? 'Type the address in instead of an expression. Nothing was deleted.'
			: 'It is not the address of this account. Nothing was deleted.',
		itemIndex,
	});
}
