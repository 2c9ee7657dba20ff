import type { Condition, NewGroup, Query, UnaskedMember } from '../../../core';
import { loadCore } from '../gateway/core';
import { isGatewayError } from '../errors/to-node-error';
import { parameterError } from '../errors/parameter-error';
import type { OperationCall } from '../operation/operation';
import { countAsDone } from '../sending/equal-sends';
import { newWait } from './begin-wait';
import { ask, contentOf, phrase, type Phrased, type Question } from './question';
import { after, type WaitTimes } from './wait-fields';
import type { WaitNote } from './wait-note';

/** Person of a group, with the question as the item of that person has it. */
interface Person {
	readonly call: OperationCall;
	readonly peer: string;
	readonly question: Question;
	/** distinguishes people who are asked for the same item */
	readonly part?: string;
}

/** Kinds of errors that concern one person; others concern all of them. */
const personal: readonly string[] = ['invalid', 'notFound', 'conflict'];

/**
 * Puts a question to several people, each of them once, and lets the execution wait for their answers
 * together. Who cannot be asked, because there is no active relationship, for example, counts as asked
 * without an answer. Fails if none of them can be asked, and when the Backbone is away; a repetition asks those
 * who were not asked before.
 *
 * @param readQuestion reads and validates the question of an item
 */
export async function askGroup(
	call: OperationCall,
	question: Question,
	times: WaitTimes,
	readQuestion: (call: OperationCall) => Promise<Question>,
): Promise<void> {
	const { gateway, signal } = call;
	const people = await peopleOf(call, question, readQuestion);
	const phrased = await phraseAll(call, people, times);
	const later = await laterOf(call, people, question, times);
	requireRule(call, question, people.length + (later?.escalation.peers.length ?? 0));
	const { noAnswer } = question.options;
	const answerAs = later?.phrased.answerAs ?? phrased[0]?.answerAs ?? 'request';
	const wait = newWait(call, { answerAs, noAnswer }, { until: times.until });
	const group: NewGroup = {
		...wait,
		size: people.length,
		rule: ruleOf(question),
		escalation: later?.escalation,
	};
	await gateway.waits.beginGroup(group, { signal });
	const { id, key } = group;
	await askAll(people, phrased, group, times)
		.then((unasked) => gateway.waits.groupAsked(id, key, unasked, { signal }))
		.catch(async (error: unknown) => {
			await gateway.waits.discard(id, key);
			await Promise.reject(error);
		});
}

/** Asks one after the other; returns who cannot be asked. */
async function askAll(
	people: readonly Person[],
	phrased: readonly Phrased[],
	group: NewGroup,
	{ reminder }: WaitTimes,
): Promise<UnaskedMember[]> {
	const unasked: UnaskedMember[] = [];
	let failure: unknown;
	for (const [index, { call, peer, question, part }] of people.entries()) {
		const form = phrased[index];
		if (form === undefined) continue;
		call.signal?.throwIfAborted();
		const { answerAs } = form;
		const { noAnswer } = question.options;
		const note: WaitNote = { answerAs, noAnswer, item: call.itemIndex };
		const member = call.gateway.waits.groupMember(group, index);
		const wait = { ...member, note, resumeUrl: '', reminder };
		await ask(call, { peer, phrased: form, ...(part === undefined ? {} : { part }) }, wait)
			.then(() => countAsDone(call))
			.catch((error: unknown) => {
				if (!isGatewayError(error) || !personal.includes(error.kind)) return Promise.reject(error);
				failure ??= error;
				const { code, message } = error;
				unasked.push({ index, peer, note: { ...note, error: { code, message } } });
			});
	}
	if (unasked.length === people.length) await Promise.reject(failure);
	return unasked;
}

/** People in the order of the items, of the list, or of their connections; each once. */
async function peopleOf(
	call: OperationCall,
	question: Question,
	readQuestion: (call: OperationCall) => Promise<Question>,
): Promise<Person[]> {
	const people = new Map<string, Person>();
	if (question.people !== 'items') {
		const peers =
			question.people === 'list' ? question.toList : await connectedPeers(call, question);
		for (const peer of peers) people.set(peer, { call, peer, question, part: peer });
	} else {
		// All are validated before the first one is asked.
		for (const itemIndex of call.functions.getInputData().keys()) {
			const own = { ...call, itemIndex, uploads: new Map<string, string>() };
			const asked = itemIndex === call.itemIndex ? question : await readQuestion(own);
			if (!people.has(asked.to))
				people.set(asked.to, { call: own, peer: asked.to, question: asked });
		}
	}
	if (people.size > 0) return [...people.values()];
	throw question.people === 'connected'
		? invalid(call, 'Ask', 'There is no connected person with this purpose')
		: invalid(call, 'People', 'Choose at least one person');
}

/** Addresses of all people with an active relationship, those who connected first in front. */
async function connectedPeers(
	{ gateway, signal }: OperationCall,
	{ purpose }: Question,
): Promise<string[]> {
	const { listAll } = await loadCore();
	const where: Array<Condition<'status' | 'purpose'>> = [
		{ field: 'status', op: 'eq', value: 'Active' },
	];
	if (purpose !== undefined) where.push({ field: 'purpose', op: 'eq', value: purpose });
	const list = (query: Query<'status' | 'purpose'>) =>
		gateway.relationships.list(query, { signal });
	const relationships = await listAll(list, where);
	return relationships
		.filter(({ peerDeletionInfo }) => peerDeletionInfo === undefined)
		.map(({ peer }) => peer)
		.reverse();
}

/** Forms of the question; people of one item get the same one. */
async function phraseAll(
	call: OperationCall,
	people: readonly Person[],
	times: WaitTimes,
): Promise<Phrased[]> {
	const [first] = people;
	if (first !== undefined && first.question.people !== 'items') {
		const addresses = people.map(({ peer }) => peer);
		const phrased = await phrase(call, first.question, times, addresses);
		return people.map(() => phrased);
	}
	const forms: Phrased[] = [];
	for (const person of people) forms.push(await phrase(person.call, person.question, times));
	return forms;
}

/** Escalation to people who are not asked at once. */
async function laterOf(
	call: OperationCall,
	people: readonly Person[],
	question: Question,
	times: WaitTimes,
): Promise<{ escalation: NonNullable<NewGroup['escalation']>; phrased: Phrased } | undefined> {
	const { values } = question.options.escalation ?? {};
	if (values === undefined) return undefined;
	const asked = new Set(people.map(({ peer }) => peer));
	const peers = [...new Set(values.people)].filter((peer) => !asked.has(peer));
	if (peers.length === 0) {
		throw invalid(call, 'Escalate', 'Choose at least one person who is not asked at once');
	}
	const phrased = await phrase(call, question, times, peers);
	const at = after(values.amount, values.unit);
	return { escalation: { at, peers, content: contentOf(phrased) }, phrased };
}

function ruleOf({ goOn, wanted }: Question): NewGroup['rule'] {
	return goOn === 'first' ? { goOn, wanted } : { goOn };
}

/** @throws NodeOperationError if the rule can never be met */
function requireRule(call: OperationCall, question: Question, size: number): void {
	const { goOn, wanted, responseType } = question;
	if (goOn === 'first' && wanted > size) {
		throw invalid(call, 'Number of Answers', `${wanted} answers cannot come from ${size} people`);
	}
	if (goOn === 'majority' && responseType === 'freeText') {
		throw invalid(call, 'Go On With', 'Free texts have no majority: choose another response type');
	}
}

function invalid({ functions, itemIndex }: OperationCall, field: string, description: string) {
	return parameterError(functions.getNode(), `The field '${field}' is not valid`, {
		description,
		itemIndex,
	});
}
