import { isGatewayError } from '../../core';
import { decisionItems, rejectedItems } from './forms/decision';
import { entriesOf } from './forms/request-entries';
import { showRequest } from './forms/show-request';
import { obstaclesByPath, wholeObstacle, type Asker } from './forms/validation-words';
import { WalletError } from './http/wallet-error';
import { Names } from './names';
import type { Person } from './person';
import { storeFile } from './send-mail';
import type { ItemAnswers, ShownItem, ShownRequest } from './shown/request';

/** Outcome of an answer: errors by the paths of the items that are to be corrected. */
export interface AnswerOutcome {
	readonly errors: Readonly<Record<string, string>>;
}

export async function readRequest(person: Person, id: string): Promise<ShownRequest> {
	const request = await findRequest(person, id);
	const shown = await showRequest(person.gateway, request, await askerOf(person, request));
	const groups = shown.groups.map((group) => ({
		...group,
		items: group.items.map((item) => withOwnName(item, person.name)),
	}));
	return { ...shown, groups };
}

/** Suggests the name of the person in the wallet where a given name is asked for the first time. */
function withOwnName(item: ShownItem, name: string): ShownItem {
	const { answer } = item;
	if (answer.kind !== 'attribute' || answer.stored.length > 0 || answer.isProposed) return item;
	const forms = answer.forms.map((form) =>
		form.type === 'GivenName'
			? { ...form, inputs: form.inputs.map((input) => ({ value: name, ...input })) }
			: form,
	);
	return { ...item, answer: { ...answer, forms } };
}

/** Accepts the request with these answers, unless some of them are to be corrected. */
export async function acceptRequest(
	person: Person,
	id: string,
	answers: ItemAnswers,
): Promise<AnswerOutcome> {
	const { gateway, identity } = person;
	const request = await findRequest(person, id);
	const items = await decisionItems(entriesOf(request.content), answers, {
		ownAddress: identity.address,
		storeFile: (file) => storeFile(person, file),
	});
	const check = await gateway.incomingRequests.canAccept(id, { items });
	const obstacle = wholeObstacle(request, await askerOf(person, request), check);
	if (obstacle !== undefined) throw new WalletError(400, obstacle);
	if (!check.isSuccess) return { errors: obstaclesByPath(check) };
	await gateway.incomingRequests.accept(id, { items }).catch((error: unknown) => {
		throw inWords(error);
	});
	return { errors: {} };
}

export async function rejectRequest(person: Person, id: string): Promise<void> {
	const request = await findRequest(person, id);
	await person.gateway.incomingRequests.reject(id, {
		items: rejectedItems(entriesOf(request.content)),
	});
}

async function findRequest({ gateway }: Person, id: string) {
	return await gateway.incomingRequests.get(id).catch(() => {
		throw new WalletError(404, 'This request does not exist any more.');
	});
}

async function askerOf(
	{ gateway }: Person,
	request: Awaited<ReturnType<typeof findRequest>>,
): Promise<Asker> {
	const contacts = await gateway.contacts.list();
	const status = contacts.find(({ address }) => address === request.peer)?.status;
	return { name: await new Names(gateway, contacts).ofAsker(request), status };
}

function inWords(error: unknown): unknown {
	if (!isGatewayError(error)) return error;
	switch (error.code) {
		case 'error.transport.relationships.relationshipTemplateIsExpired':
			return new WalletError(400, 'This code has expired meanwhile. Ask for a new one.');
		case 'error.gateway.relationships.refusedByBackbone':
			return new WalletError(
				400,
				'The code cannot be used any more: it may be used up, or have expired. Ask for a new one.',
			);
		case 'error.transport.relationships.relationshipNotYetDecomposedByPeer':
			return new WalletError(
				400,
				'The other side still keeps the former connection. It has to remove it before you can connect again.',
			);
		default:
			return error;
	}
}
