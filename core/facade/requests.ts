import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { Json } from '../model/json';
import type { RequestDto } from '../model/record/request';
import type { RequestField } from '../store/store';

export interface OutgoingRequestUseCases {
	/** Result tree of consumption 2.2. */
	validate(input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	/**
	 * `content` and `peer`. Creates a draft, which is sent as the content of a message (http-api 8.9).
	 */
	create(input: unknown, options?: Cancellable): Promise<RequestDto>;
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Discards a request that is still a draft. */
	discard(id: string, options?: Cancellable): Promise<void>;
	/**
	 * Outcome by what the request asks for: a type of value, the title of a form field, `FreeText`,
	 * `Authentication` or `Consent`. Each name has its value, a list in the order of the items if the
	 * request asks several times, or null if the peer refused. Empty before the answer.
	 */
	answers(id: string, options?: Cancellable): Promise<RequestAnswersDto>;
	/** Does the same for several requests by their ids; unknown ids are left out. */
	answersOfAll(
		ids: readonly string[],
		options?: Cancellable,
	): Promise<Readonly<Record<string, RequestAnswersDto>>>;
}

export type RequestAnswersDto = Readonly<Record<string, Json>>;

/**
 * Requests of peers. Decisions are `items`, one entry per item of the request, in its order:
 * `{accept: false, code?, message?}` or `{accept: true}` with the members that the item's type
 * needs, and `{items}` for a group (consumption 5.4).
 */
export interface IncomingRequestUseCases {
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Result tree of consumption 2.2. */
	canAccept(id: string, input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	canReject(id: string, input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	/** Returns the decided request; its response is being sent to the peer. */
	accept(id: string, input: unknown, options?: Cancellable): Promise<RequestDto>;
	reject(id: string, input: unknown, options?: Cancellable): Promise<RequestDto>;
	/** Deletes an expired request; refuses all others. */
	delete(id: string, options?: Cancellable): Promise<void>;
}

export interface ValidationResultDto {
	readonly isSuccess: boolean;
	readonly code?: string;
	readonly message?: string;
	readonly items: ValidationResultDto[];
}
