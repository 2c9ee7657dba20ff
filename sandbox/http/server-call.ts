import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unauthorized } from './backbone-error';
import { JsonBody } from './body';
import type { Call, Caller } from './context';
import { readQuery } from './query';

/** Call that parses its request lazily, and once. */
export class ServerCall implements Call {
	parameters: readonly string[] = [];

	readonly version: 'v1' | 'v2';

	private parsedQuery: URLSearchParams | undefined;

	private parsedJson: JsonBody | undefined;

	private knownCaller: Caller | undefined;

	constructor(
		readonly request: IncomingMessage,
		readonly response: ServerResponse,
		readonly segments: readonly string[],
		private readonly search: string,
		readonly body: Buffer,
		private readonly callerOf: (accessToken: string) => Caller | undefined,
	) {
		this.version = segments[1]?.toLowerCase() === 'v2' ? 'v2' : 'v1';
	}

	get query(): URLSearchParams {
		return (this.parsedQuery ??= readQuery(this.search));
	}

	json(): JsonBody {
		return (this.parsedJson ??= JsonBody.parse(this.body));
	}

	caller(): Caller {
		const found = this.optionalCaller();
		if (found === undefined) throw new Unauthorized();
		return found;
	}

	optionalCaller(): Caller | undefined {
		if (this.knownCaller !== undefined) return this.knownCaller;
		const { authorization = '' } = this.request.headers;
		const accessToken = /^Bearer (.+)$/i.exec(authorization)?.[1];
		if (accessToken !== undefined) this.knownCaller = this.callerOf(accessToken);
		return this.knownCaller;
	}
}
