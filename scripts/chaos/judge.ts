import { ownText, type JsonObject } from '../../core/model/json';
import { Findings } from '../../test/support/findings';
import { summaryOf, type AccountEvidence, type Evidence, type MessageView } from './evidence';

/** Rules that can be violated. */
export type Rule =
	| 'views agree'
	| 'sent once'
	| 'events are complete'
	| 'counters are used once'
	| 'stores are sound'
	| 'nothing is stuck'
	| 'what was confirmed stays'
	| 'copies are reported'
	| 'nothing unexpected happens';

export interface Violation {
	readonly rule: Rule;
	readonly what: string;
}

type Check = (account: AccountEvidence, evidence: Evidence, findings: Findings) => void;

/**
 * Every message sent is at the Backbone and at each recipient, exactly once and with the same
 * content.
 */
const checkMessages: Check = (account, evidence, findings) => {
	const { name, address, messages } = account;
	const sent = evidence.messages.filter(({ from }) => from === address);
	const own = messages.filter(({ isOwn }) => isOwn);
	expectSameItems(own.map(idOf), sent.map(idOf), `messages that ${name} has sent`, findings);
	const addressed = evidence.messages.filter(({ to }) => to.includes(address));
	const received = messages.filter(({ isOwn }) => !isOwn);
	expectSameItems(
		received.map(idOf),
		addressed.map(idOf),
		`messages that ${name} has received`,
		findings,
	);
	const views = viewsOf(evidence, account);
	for (const message of received) {
		const original = views.get(message.createdBy)?.get(message.id);
		if (original === undefined) continue;
		const [is, shouldBe] = [textOf(message), textOf(original)];
		findings.expect(is === shouldBe, `${message.id} of ${name} is ${is} instead of ${shouldBe}`);
	}
	const { official } = evidence;
	if (official === undefined) return;
	const toOfficial = sent.filter(({ to }) => to.includes(official.address));
	const there = official.messages.filter(({ createdBy }) => createdBy === address);
	// An official runtime stores a message twice if the Backbone repeats its event.
	expectSameItems(
		[...new Set(there.map(idOf))],
		toOfficial.map(idOf),
		`messages of ${name} at the official runtime`,
		findings,
	);
};

/** Messages of the other parties by sender and id. */
function viewsOf(
	{ accounts, official }: Evidence,
	own: AccountEvidence,
): Map<string, Map<string, MessageView>> {
	const parties = [...accounts, ...(official === undefined ? [] : [official])];
	return new Map(
		parties
			.filter(({ address }) => address !== own.address)
			.map(({ address, messages }) => [address, new Map(messages.map((one) => [one.id, one]))]),
	);
}

function textOf({ content, attachments }: MessageView): string {
	const { '@type': type, subject, body, id }: JsonObject = content;
	// Official runtimes add members, and represent attachments as objects.
	if (type === 'Mail') return JSON.stringify([type, subject, body, attachments.length]);
	return JSON.stringify([type, id, attachments.length]);
}

const checkRelationships: Check = (account, evidence, findings) => {
	const { name, relationships } = account;
	const known = new Map(evidence.relationships.map(({ id, summary }) => [id, summary]));
	for (const relationship of relationships) {
		const is = summaryOf(relationship);
		findings.expectEqual(is, known.get(relationship.id), `${relationship.id} of ${name}`);
	}
	const expected = evidence.accounts.length - 1 + (evidence.official === undefined ? 0 : 1);
	findings.expectEqual(relationships.length, expected, `the number of relationships of ${name}`);
};

/** Allowed statuses of a request at its sender, by its status at the peer. */
const statusesAtSender: Readonly<Record<string, string>> = {
	ManualDecisionRequired: 'Open',
	Completed: 'Completed',
};

const checkRequests: Check = (account, evidence, findings) => {
	const { name, address } = account;
	const [peer] = evidence.accounts.filter((other) => other.address !== address);
	if (peer === undefined) return;
	const sent = account.requests.filter(({ isOwn, status }) => isOwn && status !== 'Draft');
	const received = new Map(
		peer.requests.filter(({ isOwn }) => !isOwn).map((request) => [request.id, request]),
	);
	expectSameItems(
		[...received.keys()],
		sent.map(idOf),
		`requests of ${name} at its peer`,
		findings,
	);
	for (const { id, status, response } of sent) {
		const there = received.get(id);
		if (there === undefined) continue;
		// A restored account has forgotten its decision, and is asked again.
		if (peer.name === evidence.restored && there.status === 'ManualDecisionRequired') continue;
		findings.expectEqual(status, statusesAtSender[there.status], `the status of the request ${id}`);
		const isAccepted = response?.content['result'] === 'Accepted';
		for (const { name: party, requestedAttributes } of [account, peer]) {
			const made = requestedAttributes.filter((request) => request === id).length;
			findings.expectEqual(made, isAccepted ? 1 : 0, `attributes of ${party} from ${id}`);
		}
	}
};

/**
 * Each confirmed send exists once, under the id that every repetition returned, and as many equal
 * mails as the fullest execution of a workflow has sent.
 */
const checkSends: Check = ({ name, ledger, messages }, _, findings) => {
	const idsBySubject = new Map<unknown, string[]>();
	for (const { id, isOwn, content } of messages) {
		if (!isOwn || content['@type'] !== 'Mail') continue;
		const { subject } = content;
		idsBySubject.set(subject, [...(idsBySubject.get(subject) ?? []), id]);
	}
	const confirmed = new Map<unknown, Array<readonly string[]>>();
	for (const { input, ids } of ledger.sends.values()) {
		const { subject } = input.content;
		confirmed.set(subject, [...(confirmed.get(subject) ?? []), ids]);
	}
	for (const [subject, sends] of confirmed) {
		const ids = idsBySubject.get(subject) ?? [];
		findings.expect(
			ids.length === sends.length,
			`'${subject}' of ${name} is there ${ids.length} times instead of ${sends.length}`,
		);
		const answered = sends.flatMap((answers) => [...new Set(answers)]);
		const isSame = answered.every((id) => ids.includes(id));
		const isDistinct = new Set(answered).size === answered.length;
		findings.expect(
			isSame && isDistinct && answered.length <= sends.length,
			`'${subject}' of ${name} was confirmed as ${answered.join(', ')} instead of ${ids.join(', ')}`,
		);
	}
	const unasked = [...idsBySubject.keys()].filter((subject) => !confirmed.has(subject));
	findings.expectEqual(unasked, [], `${name} has sent what was not asked for`);
};

const checkOfficialSends: Check = ({ name, address, messages }, { official }, findings) => {
	for (const [subject, to] of official?.sends ?? []) {
		if (to !== address) continue;
		const times = messages.filter(
			({ isOwn, content }) => !isOwn && ownText(content, 'subject') === subject,
		);
		findings.expect(times.length === 1, `${name} has '${subject}' ${times.length} times`);
	}
};

/** The sequence numbers of the outbox start at 1 and have no gaps. */
const checkSequence: Check = ({ name, events }, _, findings) => {
	const wrong = events.findIndex(({ sequence }, index) => sequence !== index + 1);
	findings.expect(
		wrong < 0,
		`event ${wrong + 1} of the outbox of ${name} has the number ${events[wrong]?.sequence}`,
	);
};

/** Every consumer received every event, in order of the first delivery. */
const checkDeliveries: Check = ({ name, ledger, events }, _, findings) => {
	for (const [consumer, delivered] of ledger.deliveries) {
		const numbers = [...delivered];
		const wrong = events.findIndex(({ sequence }, index) => sequence !== numbers[index]);
		findings.expect(
			wrong < 0 && numbers.length === events.length,
			`${consumer} of ${name} was given ${numbers.length} of ${events.length} events, and ` +
				`number ${numbers[wrong]} in the place of ${events[wrong]?.sequence}`,
		);
	}
};

/** One event exists for each message, and one for the end of each request. */
const checkEventsOfMessages: Check = (account, _, findings) => {
	const { name, events, messages } = account;
	const told = (event: string): string[] =>
		events.filter((other) => other.name === event).map(({ data }) => String(data['id']));
	for (const [event, isOwn] of [
		['transport.messageSent', true],
		['transport.messageReceived', false],
	] as const) {
		const stored = messages.filter((message) => message.isOwn === isOwn).map(idOf);
		expectSameItems(told(event), stored, `${event} of ${name}`, findings);
	}
	const changes = events.filter(({ name: event }) => event.endsWith('RequestStatusChanged'));
	const ends = changes.filter(({ data }) => data['newStatus'] === 'Completed');
	const completed = account.requests.filter(({ status }) => status === 'Completed').map(idOf);
	const endIds = ends.map(({ data }) => String((data['request'] as { id?: string }).id));
	expectSameItems(endIds, completed, `ends of requests told to ${name}`, findings);
};

/** No counter encrypts two texts with the keys of one relationship. */
const checkCounters: Check = ({ name, counters }, _, findings) => {
	for (const [relationshipId, used] of counters) {
		const seen = new Set<unknown>();
		const twice = used.filter((counter) => seen.size === seen.add(counter).size);
		findings.expectEqual(twice, [], `${name} has used counters of ${relationshipId} twice`);
		findings.expect(used.every(Number.isInteger), `${name} has ciphers without a counter`);
	}
};

/** No work waits for another attempt or for a person. */
const checkQuiet: Check = (account, _, findings) => {
	const { name, status, problems, unfinished, eventsAtBackbone } = account;
	findings.expectEqual(status.parkedEvents, [], `${name} has given up events`);
	findings.expectEqual(status.pendingEvents, 0, `${name} has events to apply`);
	findings.expectEqual(status.unresolvedSends, 0, `${name} has sends of unknown outcome`);
	findings.expectEqual(problems, [], `${name} has problems`);
	findings.expectEqual(eventsAtBackbone, 0, `events that ${name} has not fetched`);
	for (const [what, count] of Object.entries(unfinished)) {
		findings.expectEqual(count, 0, `${name} has unfinished ${what}`);
	}
};

const checkConfirmed: Check = (account, _, findings) => {
	const { name, ledger, messages, requests, templates, files, wrongFiles } = account;
	const unread = messages.filter(({ id, wasReadAt }) => ledger.read.has(id) && !wasReadAt);
	findings.expectEqual(unread.map(idOf), [], `${name} has lost marks of read messages`);
	const missing = (wanted: Iterable<string>, found: readonly string[]): string[] => {
		const known = new Set(found);
		return [...wanted].filter((id) => !known.has(id));
	};
	const asked = requests.filter(({ status }) => status !== 'Draft').map(idOf);
	findings.expectEqual(missing(ledger.templates, templates), [], `${name} has lost templates`);
	findings.expectEqual(missing(ledger.files.keys(), files), [], `${name} has lost files`);
	findings.expectEqual(missing(ledger.asked, asked), [], `${name} has lost requests`);
	const results = new Map(requests.map(({ id, response }) => [id, response?.content['result']]));
	const turned = [...ledger.decisions].filter(([id, decision]) => results.get(id) !== decision);
	findings.expectEqual(turned, [], `${name} has lost decisions`);
	findings.expectEqual(wrongFiles, [], `attachments that ${name} has received are wrong`);
};

function idOf({ id }: { readonly id: string }): string {
	return id;
}

/** Compares two multisets; names the first few differing items. */
function expectSameItems(
	is: readonly string[],
	shouldBe: readonly string[],
	what: string,
	findings: Findings,
): void {
	const balance = new Map<string, number>();
	for (const item of is) balance.set(item, (balance.get(item) ?? 0) + 1);
	for (const item of shouldBe) balance.set(item, (balance.get(item) ?? 0) - 1);
	const wrong = [...balance].filter(([, surplus]) => surplus !== 0).slice(0, 5);
	const named = wrong.map(([item, surplus]) => `${item} ${surplus > 0 ? 'surplus' : 'missing'}`);
	findings.expectEqual(named, [], what);
}

const checks: Readonly<Record<Exclude<Rule, 'copies are reported'>, readonly Check[]>> = {
	'views agree': [checkMessages, checkRelationships, checkRequests],
	'sent once': [checkSends, checkOfficialSends],
	'events are complete': [checkSequence, checkDeliveries, checkEventsOfMessages],
	'counters are used once': [checkCounters],
	'stores are sound': [
		({ name, damage }, _evidence, findings) =>
			findings.expectEqual(damage, [], `the store of ${name} is damaged`),
	],
	'nothing is stuck': [checkQuiet],
	'what was confirmed stays': [checkConfirmed],
	'nothing unexpected happens': [
		({ ledger }, _evidence, findings) =>
			findings.expectEqual(ledger.complaints, [], 'these calls and processes ended otherwise'),
	],
};

/** What a restore forgets (docs/operations.md), and what stopped processes are not told. */
const notAfterRestore: readonly Rule[] = ['events are complete', 'what was confirmed stays'];

/** Finds all violations while no work is in progress; empty if there are none. */
export function judge(evidence: Evidence): Violation[] {
	const isRestored = evidence.restored !== undefined;
	const all = Object.keys(checks) as Array<keyof typeof checks>;
	const rules = all.filter((rule) => !isRestored || !notAfterRestore.includes(rule));
	const violations = rules.flatMap((rule) => {
		const findings = new Findings();
		for (const check of checks[rule]) {
			for (const account of evidence.accounts) check(account, evidence, findings);
		}
		return findings.found.map((what) => ({ rule, what }));
	});
	const others = evidence.complaints.map((what) => ({
		rule: 'nothing unexpected happens' as const,
		what,
	}));
	return [...violations, ...others, ...unreportedCopies(evidence)];
}

/** Each of two copies that send beside each other lists the other, and nothing else. */
function unreportedCopies({ copies = [] }: Evidence): Violation[] {
	const findings = new Findings();
	for (const { name, problems } of copies) {
		const expected = ['error.gateway.messages.sentByAnotherCopy'];
		findings.expectEqual(problems, expected, `problems of ${name}`);
	}
	return findings.found.map((what) => ({ rule: 'copies are reported', what }));
}
