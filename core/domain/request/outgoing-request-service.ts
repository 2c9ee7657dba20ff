import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { GatewayError } from '../../base/errors';
import { withMembers } from '../../model/content/parse';
import {
	attributesSharedAs7,
	parseOwnRequest,
	withOneId,
	withType,
	type UntypedRequest,
} from '../../model/content/requests/requests';
import {
	parseTemplateContent,
	requestsOf,
	withRequests,
	type TemplateContent,
} from '../../model/content/template-content';
import { newId } from '../../model/ids';
import { requestInputSchema } from '../../model/input/request';
import { compareInstants } from '../../model/instant';
import type { RequestDto, RequestRecord } from '../../model/record/request';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type {
	HintOptions,
	OutgoingRequestUseCases,
	ValidationFailureDto,
	ValidationResultDto,
} from '../../facade/requests';
import { isShareable } from '../attribute/attribute-kinds';
import type { Account } from '../identity/account';
import { parseInput } from '../validation';
import { factsForSending, type FileAccess, type FilesInItems } from './items/file-facts';
import { namedForPeer } from './attribute-names';
import { readAnswers, type RequestAnswers } from './request-answers';
import { publishRequest } from './request-changes';
import { toRequestDto } from './request-dto';
import { requestErrors } from './request-errors';
import { noticeExpired } from './request-expiry';
import { flatItemsOf } from './request-items';
import { transitionOf } from './request-transitions';
import { validateRequest } from './request-validation';
import { firstFailure, hintsIn } from './validation-result';
import { outgoingRequestQueryFields } from './request-query';
import type { Needs } from '../needs';
import { requestListOf } from './request-list';

export interface OutgoingRequestDependencies extends Needs<
	'store' | 'clock' | 'random' | 'logger'
> {
	readonly account: Pick<Account, 'address'>;
	readonly files: FileAccess;
	/** true if peers get an own attribute under the id that it has here */
	readonly hasOneId?: boolean;
	/** Updates the stored mark of the peer's planned deletion from the Backbone. */
	readonly reviewPeer: (peer: string, options: Cancellable) => Promise<void>;
}

type CreationOptions = Pick<HintOptions, 'onHint'> & { readonly files?: FilesInItems };

/** Handles requests that this account sends (docs/protocol/consumption.md 4). */
export class OutgoingRequestService implements OutgoingRequestUseCases {
	constructor(private readonly dependencies: OutgoingRequestDependencies) {}

	/**
	 * Returns the result tree (docs/protocol/consumption.md 2.2); a rule that the request breaks is a
	 * result, not an error. Without a peer, the request is meant for a template.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.requestDeserialization`, `error.runtime.unknownType`,
	 * `error.runtime.servalError`
	 */
	async validate(input: unknown, options: Cancellable = {}): Promise<ValidationResultDto> {
		const { content, peer } = parseInput(requestInputSchema, input);
		const own = await this.sharedAttributes(content, options);
		return await this.check(parseOwnRequest(content, own), peer, options);
	}

	/**
	 * Creates a draft for a peer; sending its content in a message opens it
	 * (docs/protocol/consumption.md 4.3).
	 *
	 * @throws as `validate`, and the code at the root of its result
	 */
	async create(input: unknown, options: HintOptions = {}): Promise<RequestDto> {
		const { content, peer } = parseInput(requestInputSchema, input);
		if (peer === undefined) {
			throw requestErrors.create('invalidContent', {
				message: "'peer' is not valid: is missing.",
				facts: { field: 'peer' },
			});
		}
		const request = parseOwnRequest(content, await this.sharedAttributes(content, options));
		const files = await this.factsOf(request, options);
		await this.dependencies.reviewPeer(peer, options);
		return await this.dependencies.store.transact(
			async (tx) => toRequestDto(await this.createIn(tx, request, peer, { files, ...options })),
			options,
		);
	}

	/**
	 * Like {@link create}, inside a transaction.
	 *
	 * @param request parsed; its id is replaced
	 * @throws the code at the root of the result tree
	 */
	async createIn(
		tx: WriteTransaction,
		request: UntypedRequest,
		peer: string,
		{ files = new Map(), onHint }: CreationOptions = {},
	): Promise<RequestRecord> {
		const result = await this.checkIn(tx, request, peer, files);
		requireValid('content', result);
		this.passHints(result, onHint);
		const now = isoInstant(this.dependencies.clock.now());
		const id = newId('request', this.dependencies.random);
		const { hasOneId = false } = this.dependencies;
		const named = await namedForPeer(tx, request, { peer, hasOneId });
		const record: RequestRecord = {
			id,
			isOwn: true,
			peer,
			createdAt: now,
			status: 'Draft',
			content: withMembers(withType(named), { id }),
			statusLog: [],
		};
		await tx.requests.insertIfNew(record, undefined);
		await publishRequest(tx, 'consumption.outgoingRequestCreated', record, now);
		return record;
	}

	/** @throws `error.transport.recordNotFound`, `error.runtime.unknown` when it is not a draft */
	async discard(id: string, options: Cancellable = {}): Promise<void> {
		await noticeExpired(this.dependencies, options);
		await this.dependencies.store.transact(async (tx) => {
			const record = (await tx.requests.get(id))?.record;
			if (record?.isOwn !== true) throw unknown('unknownRequest', id);
			transitionOf(record, 'discard');
			await tx.requests.delete(id);
		}, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<RequestDto> {
		return toRequestDto(await this.load(id, options));
	}

	readonly list = requestListOf(() => this.dependencies, true, outgoingRequestQueryFields);

	/**
	 * Answers to a request, by what the request asked for; empty while there is no answer.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async answers(id: string, options: Cancellable = {}): Promise<RequestAnswers> {
		const record = await this.load(id, options);
		return (await readAnswers(this.dependencies.store, [record], options))[id] ?? {};
	}

	/**
	 * Answers to several requests, by their ids; ids that do not belong to outgoing requests are left
	 * out.
	 */
	async answersOfAll(
		ids: readonly string[],
		options: Cancellable = {},
	): Promise<Record<string, RequestAnswers>> {
		const entries = await this.dependencies.store.read((tx) => tx.requests.getMany(ids), options);
		const own = entries.map(({ record }) => record).filter(({ isOwn }) => isOwn);
		return await readAnswers(this.dependencies.store, own, options);
	}

	/**
	 * Prepares this account's template content for sending: parses it, checks its requests, and fills
	 * in the expiry (docs/protocol/consumption.md 4.7).
	 *
	 * @param templateExpiresAt ISO text
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.requestDeserialization`, `error.runtime.unknownType`,
	 * `error.runtime.servalError`,
	 * `error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate`, or the code
	 * at the root of the result tree
	 */
	async prepareTemplateContent(
		content: unknown,
		templateExpiresAt: string,
		options: HintOptions,
	): Promise<TemplateContent> {
		const own = await this.sharedAttributes(content, options);
		const parsed = parseTemplateContent(content, own);
		if (parsed['@type'] !== 'RelationshipTemplateContent') return parsed;
		const { onNewRelationship: onNew } = parsed;
		const { expiresAt } = onNew;
		const expires = typeof expiresAt === 'string';
		if (expires && compareInstants(expiresAt, templateExpiresAt) > 0) {
			throw requestErrors.create('expiresAfterTemplate', {
				message: 'The request expires after the template that carries it.',
				facts: { field: 'content.onNewRelationship.expiresAt' },
			});
		}
		for (const { name, request } of requestsOf(parsed)) {
			const result = await this.check(request, undefined, options);
			requireValid(`content.${name}`, result);
			this.passHints(result, options.onHint);
		}
		const { hasOneId } = this.dependencies;
		const named = hasOneId === true ? withRequests(parsed, withOneId) : parsed;
		if (expires) return named;
		const onNewRelationship = withMembers(named.onNewRelationship, {
			expiresAt: templateExpiresAt,
		});
		return withMembers(named, { onNewRelationship });
	}

	/** Own attributes that Share items name as version 7 does. */
	private async sharedAttributes(
		content: unknown,
		options: Cancellable,
	): Promise<ReadonlySet<string>> {
		const { store, account } = this.dependencies;
		const ids = attributesSharedAs7(content);
		if (ids.length === 0) return new Set();
		const entries = await store.read((tx) => tx.attributes.getMany(ids), options);
		const own = entries.filter(({ record }) => isShareable(record, account.address));
		return new Set(own.map(({ record }) => record.id));
	}

	private async check(
		request: UntypedRequest,
		peer: string | undefined,
		options: Cancellable,
	): Promise<ValidationResultDto> {
		const files = await this.factsOf(request, options);
		if (peer !== undefined) await this.dependencies.reviewPeer(peer, options);
		return await this.dependencies.store.read(
			(tx) => this.checkIn(tx, request, peer, files),
			options,
		);
	}

	private async checkIn(
		tx: ReadTransaction,
		request: UntypedRequest,
		peer: string | undefined,
		files: FilesInItems,
	): Promise<ValidationResultDto> {
		const { account, clock, hasOneId = false } = this.dependencies;
		const parties = { ownAddress: account.address, peer };
		const context = { tx, ...parties, nowMs: clock.now(), files, hasOneId };
		return await validateRequest(request, context);
	}

	/**
	 * Logs the hints, because the answers of the HTTP gateway keep their shape, and reports them to
	 * the caller.
	 */
	private passHints(result: ValidationResultDto, onHint: HintOptions['onHint']): void {
		for (const hint of hintsIn(result)) {
			this.dependencies.logger.warn('some wallets do not read or accept a request', { hint });
			onHint?.(hint);
		}
	}

	private async factsOf(request: UntypedRequest, options: Cancellable): Promise<FilesInItems> {
		return await factsForSending(flatItemsOf(request), this.dependencies.files, options);
	}

	private async load(id: string, options: Cancellable): Promise<RequestRecord> {
		await noticeExpired(this.dependencies, options);
		const entry = await this.dependencies.store.read((tx) => tx.requests.get(id), options);
		if (entry?.record.isOwn === true) return entry.record;
		throw unknown('notFound', id);
	}
}

function unknown(name: 'notFound' | 'unknownRequest', id: string): GatewayError {
	return requestErrors.create(name, {
		message: `There is no outgoing request with the ID '${id}' in this account.`,
		facts: { requestId: id },
	});
}

/** Throws the code at the root of the tree, with the message of the first failed leaf. */
function requireValid(field: string, result: ValidationResultDto): void {
	const failed = firstFailure(result);
	if (result.isSuccess || failed === undefined) return;
	const { leaf, path } = failed;
	const items = path.map((index) => `items.${index}`);
	throw new GatewayError({
		code: result.code,
		kind: 'invalid',
		message: leaf.message,
		remedy: remedyOf(leaf, path) ?? 'Correct the named item of the request.',
		facts: { itemCode: leaf.code, field: [field, ...items].filter(Boolean).join('.') },
	});
}

/** Remedy for a problem of the whole request; problems of an item are corrected there. */
function remedyOf({ code }: ValidationFailureDto, path: readonly number[]): string | undefined {
	if (path.length > 0) return undefined;
	const { create: _create, ...definitions } = requestErrors;
	return Object.values(definitions).find((definition) => definition.code === code)?.remedy;
}
