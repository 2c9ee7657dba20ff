import type { IncomingMessage, ServerResponse } from 'node:http';

import { acceptRequest, readRequest, rejectRequest } from '../answer-request';
import { changeContact, connect } from '../change-contact';
import { deleteData, saveData } from '../change-data';
import { openCode } from '../open-code';
import type { People } from '../people';
import type { Person } from '../person';
import { sendMail } from '../send-mail';
import { shownPerson, showState } from '../show-state';
import * as schemas from './call-schemas';
import { sendFile } from './file-answer';
import { readBody, sendJson } from './json-body';
import { sendChanges } from './change-stream';
import { WalletError } from './wallet-error';

interface Call {
	readonly people: People;
	readonly person: Person;
	/** variable parts of the path after the person */
	readonly ids: readonly string[];
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

type Answer = (call: Call) => Promise<unknown>;

/**
 * Calls about a person by method and path; each returns its answer, or sends it and returns
 * nothing.
 */
const calls: ReadonlyArray<readonly [method: string, path: RegExp, answer: Answer]> = [
	['GET', /^state$/, ({ person }) => showState(person)],
	['GET', /^changes$/, ({ person, response }) => sendChanges(person, response)],
	['POST', /^name$/, rename],
	[
		'POST',
		/^codes$/,
		async ({ person, request }) =>
			await openCode(person, await readBody(request, schemas.codeSchema)),
	],
	['GET', /^requests\/([^/]+)$/, ({ person, ids: [id = ''] }) => readRequest(person, id)],
	['POST', /^requests\/([^/]+)\/accept$/, accept],
	['POST', /^requests\/([^/]+)\/reject$/, reject],
	['POST', /^templates\/([^/]+)\/connect$/, connectWith],
	['POST', /^contacts\/([^/]+)$/, change],
	['POST', /^mails$/, send],
	['POST', /^mails\/([^/]+)\/read$/, markAsRead],
	['GET', /^mails\/([^/]+)\/files\/([^/]+)$/, attachment],
	['GET', /^files\/([^/]+)$/, file],
	['POST', /^data$/, save],
	['POST', /^data\/([^/]+)\/delete$/, remove],
];

/** Answers a call of the page. */
export async function answerCall(
	people: People,
	path: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const [, id, rest = ''] = /^\/api\/people(?:\/([^/]+)\/(.+))?$/.exec(path) ?? [];
	if (path === '/api/people') {
		sendJson(response, await answerPeople(people, request));
		return;
	}
	const person = id === undefined ? undefined : people.get(id);
	for (const [method, pattern, answer] of calls) {
		const match = pattern.exec(rest);
		if (person === undefined || match === null || method !== request.method) continue;
		const ids = match.slice(1).map((part) => decodeURIComponent(part));
		const result = await answer({ people, person, ids, request, response });
		if (!response.headersSent) sendJson(response, result ?? {});
		return;
	}
	throw new WalletError(404, 'There is no such page in the wallet.');
}

async function answerPeople(people: People, request: IncomingMessage): Promise<unknown> {
	if (request.method !== 'POST') return people.list().map(shownPerson);
	const { name } = await readBody(request, schemas.personSchema);
	return shownPerson(await people.create(name));
}

async function rename({ people, person, request }: Call): Promise<void> {
	people.rename(person.id, (await readBody(request, schemas.personSchema)).name);
}

async function accept({ person, ids: [id = ''], request }: Call): Promise<unknown> {
	const { answers } = await readBody(request, schemas.acceptSchema, schemas.largeBodyBytes);
	return await acceptRequest(person, id, answers);
}

async function reject({ person, ids: [id = ''], request }: Call): Promise<void> {
	await readBody(request, schemas.noBody);
	await rejectRequest(person, id);
}

async function connectWith({ person, ids: [id = ''], request }: Call): Promise<void> {
	await readBody(request, schemas.noBody);
	await connect(person, id);
}

async function change({ person, ids: [address = ''], request }: Call): Promise<void> {
	await changeContact(person, address, (await readBody(request, schemas.contactSchema)).action);
}

async function send({ person, request }: Call): Promise<void> {
	await sendMail(person, await readBody(request, schemas.mailSchema, schemas.largeBodyBytes));
}

async function markAsRead({ person, ids: [id = ''], request }: Call): Promise<void> {
	await readBody(request, schemas.noBody);
	await person.gateway.messages.markAsRead(id);
}

async function attachment({ person, ids: [id = '', fileId = ''], response }: Call): Promise<void> {
	sendFile(response, await person.gateway.messages.downloadAttachment(id, fileId));
}

async function file({ person, ids: [id = ''], response }: Call): Promise<void> {
	sendFile(response, await person.gateway.files.download(id));
}

async function save({ person, request }: Call): Promise<void> {
	await saveData(person, await readBody(request, schemas.dataSchema, schemas.largeBodyBytes));
}

async function remove({ person, ids: [id = ''], request }: Call): Promise<void> {
	await readBody(request, schemas.noBody);
	await deleteData(person, id);
}
