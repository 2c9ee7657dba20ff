import { safeParse } from '../../base/schema-parse';
import { waitOrAbort } from '../../base/abort';
import type { Random } from '../../base/random';
import type { Clock } from '../../base/clock';
import type { GatewayError } from '../../base/errors';
import { SingleFlight } from '../../base/single-flight';
import { parseUntrustedJson } from '../../base/untrusted-json';
import { ownMember } from '../../model/json';
import type { BackboneVersion } from '../port/backbone';
import { backboneErrors } from '../backbone-errors';
import type { ClockSkew } from './clock-skew';
import type { Deadlines } from './deadline';
import * as z from 'zod';
import type { HttpAnswer, HttpExchange } from './http-exchange';
import { problemOf } from './problem';
import { AnswerFailure, repeat } from './repeat';
import { readRetryAfter, type RetryLimits } from './retry-policy';

/** Major version as a JSON string or a number (`docs/protocol/backbone-api.md` 5). */
const versionSchema = z.object({
	majorVersion: z
		.union([z.string().regex(/^\d{1,6}$/), z.number().int().min(0)])
		.transform((value) => Number(value)),
});

export const supportedMajorVersions = { min: 6, max: 7 } as const;

/**
 * Checks that the reported major version is supported.
 * @throws `error.gateway.backbone.versionNotSupported`
 */
export function judgeVersion(majorVersion: number, api: 'v1' | 'v2'): BackboneVersion {
	const { min, max } = supportedMajorVersions;
	if (majorVersion >= min && majorVersion <= max) return { majorVersion, api };
	const words = majorVersion < min ? 'too old' : 'too new';
	throw backboneErrors.create('versionNotSupported', {
		message: `The Backbone has major version ${majorVersion}, which is ${words}: ${min} to ${max} are supported.`,
		facts: { majorVersion, min, max },
	});
}

export interface VersionGateOptions {
	readonly exchange: HttpExchange;
	readonly deadlines: Deadlines;
	readonly skew: ClockSkew;
	readonly clock: Clock;
	readonly random: Random;
	readonly retry: RetryLimits;
}

/** Determines once which API the Backbone serves (`docs/protocol/backbone-api.md` 1, 5). */
export class VersionGate {
	private known: BackboneVersion | undefined;

	private readonly flight = new SingleFlight<BackboneVersion>();

	constructor(private readonly options: VersionGateOptions) {}

	/** Returns the version. Failures are not remembered: the next caller asks the Backbone again. */
	async get(signal: AbortSignal): Promise<BackboneVersion> {
		if (this.known !== undefined) return this.known;
		return waitOrAbort(
			this.flight.run(() => this.find()),
			{ signal },
		);
	}

	private async find(): Promise<BackboneVersion> {
		const found = (await this.ask('v2')) ?? (await this.ask('v1'));
		if (found === undefined) throw this.foreign('it knows neither /api/v2 nor /api/v1', 404);
		this.known = found;
		return found;
	}

	/** Undefined if the Backbone does not serve this API. */
	private async ask(api: 'v1' | 'v2'): Promise<BackboneVersion | undefined> {
		const target = `/api/${api}/Version`;
		const { deadlines, random, retry, exchange } = this.options;
		const answer = await deadlines.run({ method: 'GET', path: target }, undefined, (linked) =>
			repeat(
				async (signal) => {
					const given = await exchange.run(
						{
							method: 'GET',
							target,
							headers: { accept: 'application/json' },
							maxAnswerBytes: 16 * 1024,
						},
						signal,
					);
					if (given.status >= 500 || given.status === 429) throw this.failureOf(given, target);
					return given;
				},
				{ isRepeatable: true, limits: retry, random },
				linked,
			),
		);
		if (answer.status === 404) return undefined;
		return judgeVersion(this.read(answer), api);
	}

	private read(answer: HttpAnswer): number {
		if (answer.status !== 200) {
			throw this.foreign(
				`it answered the request for its version with ${answer.status}`,
				answer.status,
			);
		}
		let body: unknown;
		try {
			body = parseUntrustedJson(answer.body.toString('utf8'));
		} catch {
			throw this.foreign('it does not answer with JSON', 200);
		}
		const version = safeParse(versionSchema, ownMember(body, 'result'));
		if (version.success) return version.data.majorVersion;
		throw this.foreign('its answer has no majorVersion', 200);
	}

	private failureOf(answer: HttpAnswer, path: string): AnswerFailure {
		const { skew, clock } = this.options;
		const context = { method: 'GET', path, isPagedList: false, skew, secrets: [] };
		const retryAfterMs = readRetryAfter(answer.header('retry-after'), clock.now());
		return new AnswerFailure(
			problemOf(answer.status, undefined, context),
			answer.status,
			retryAfterMs,
		);
	}

	private foreign(reason: string, status: number): GatewayError {
		return backboneErrors.create('notABackbone', {
			message: `The server at ${this.options.exchange.host} is not an enmeshed Backbone: ${reason}.`,
			// The version is requested before the call itself, so the call was not sent.
			facts: { status, sent: false },
		});
	}
}
