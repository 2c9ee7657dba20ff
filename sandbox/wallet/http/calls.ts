import type { IncomingMessage, ServerResponse } from 'node:http';

import { z } from '../../../core';
import type { People } from '../people';
import type { Person } from '../person';
import { readBody } from './json-body';
import { WalletError } from './wallet-error';

const nameSchema = z.object({ name: z.string().trim().min(1).max(100) });

/** Answers a call of the page. */
export async function answerCall(
	people: People,
	path: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	if (path !== '/api/people') throw new WalletError(404, 'There is no such page in the wallet.');
	if (request.method === 'POST') {
		const { name } = await readBody(request, nameSchema);
		sendJson(response, shownPerson(await people.create(name)));
		return;
	}
	sendJson(response, people.list().map(shownPerson));
}

function shownPerson({ id, name, identity }: Person): object {
	return { id, name, address: identity.address };
}

function sendJson(response: ServerResponse, body: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
