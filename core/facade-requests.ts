import type { Cancellable } from './base/abort';
import type { ListInput } from './facade-lists';
import type { Json } from './model/json';
import type { RequestDto } from './model/record/request';
import type { RequestField } from './store/store';

export interface OutgoingRequestUseCases {
	/** Result tree of consumption 2.2. */
	validate(input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	/** `content` and `peer`; a draft, which is sent as the content of a message (http-api 8.9). */
	create(input: unknown, options?: Cancellable): Promise<RequestDto>;
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Only a draft. */
	discard(id: string, options?: Cancellable): Promise<void>;
	/**
	 * The outcome by what was asked for: a type of value, the title of a form field, `FreeText`,
	 * `Authentication` or `Consent`. Once asked for, the value; several times, a list in the order of
	 * the items; refused, null. Empty while there is no answer.
	 */
	answers(id: string, options?: Cancellable): Promise<RequestAnswersDto>;
	/** The same for several at once, by their ids; unknown ones are left out. */
	answersOfAll(
		ids: readonly string[],
		options?: Cancellable,
	): Promise<Readonly<Record<string, RequestAnswersDto>>>;
}

export type RequestAnswersDto = Readonly<Record<string, Json>>;

/**
 * Requests of peers. Decisions are `items`, one entry per item of the request, in its order:
 * `{accept: false, code?, message?}` or `{accept: true}` with what the type of item needs, and
 * `{items}` for a group (consumption 5.4).
 */
export interface IncomingRequestUseCases {
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Result tree of consumption 2.2. */
	canAccept(id: string, input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	canReject(id: string, input: unknown, options?: Cancellable): Promise<ValidationResultDto>;
	/** The decided request; its response is on its way to the peer then. */
	accept(id: string, input: unknown, options?: Cancellable): Promise<RequestDto>;
	reject(id: string, input: unknown, options?: Cancellable): Promise<RequestDto>;
	/** Only one that has expired. */
	delete(id: string, options?: Cancellable): Promise<void>;
}

export interface ValidationResultDto {
	readonly isSuccess: boolean;
	readonly code?: string;
	readonly message?: string;
	readonly items: ValidationResultDto[];
}
