import type { Cancellable } from '../base/abort';
import type { ErrorCode } from '../base/error-codes';
import type { ListInput } from './lists';
import type {
	CreateRequestInput,
	DecideRequestInput,
	ValidateRequestInput,
} from '../model/input/request';
import type { Json } from '../model/json';
import type { RequestDto } from '../model/record/request';
import type { RequestField } from '../store/store';

/** Requests to peers: what they are asked for, and what they answered. */
export interface OutgoingRequestUseCases {
	/** Result tree of consumption 2.2. */
	validate(input: ValidateRequestInput, options?: Cancellable): Promise<ValidationResultDto>;
	/**
	 * `content` and `peer`. Creates a draft, which is sent as the content of a message (http-api
	 * 8.9).
	 */
	create(input: CreateRequestInput, options?: HintOptions): Promise<RequestDto>;
	/**
	 * Returns an own request.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	/** Lists the own requests. */
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Discards a request that is still a draft. */
	discard(id: string, options?: Cancellable): Promise<void>;
	/**
	 * Outcome by what the request asks for: a type of value, the title of a form field, `FreeText`,
	 * `Authentication`, `Consent`, `ShareAuthorizationRequest` or `ShareCredentialOffer`. Each name
	 * has its value, a list in the order of the items if the request asks several times, or null if
	 * the peer refused. Empty before the answer.
	 */
	answers(id: string, options?: Cancellable): Promise<RequestAnswersDto>;
	/** Does the same for several requests by their ids; unknown ids are left out. */
	answersOfAll(
		ids: readonly string[],
		options?: Cancellable,
	): Promise<Readonly<Record<string, RequestAnswersDto>>>;
}

/** Answers to a request, by what it asked for: {@link OutgoingRequestUseCases.answers}. */
export type RequestAnswersDto = Readonly<Record<string, Json>>;

/**
 * Requests of peers. Decisions are `items`, one entry per item of the request, in its order:
 * `{accept: false, code?, message?}` or `{accept: true}` with the members that the item's type
 * needs, and `{items}` for a group (consumption 5.4).
 */
export interface IncomingRequestUseCases {
	/**
	 * Returns a request of a peer.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<RequestDto>;
	/** Lists the requests of peers. */
	list(input?: ListInput<RequestField>, options?: Cancellable): Promise<RequestDto[]>;
	/** Result tree of consumption 2.2. */
	canAccept(
		id: string,
		input: DecideRequestInput,
		options?: Cancellable,
	): Promise<ValidationResultDto>;
	/** Checks the decisions of a rejection; result tree of consumption 2.2. */
	canReject(
		id: string,
		input: DecideRequestInput,
		options?: Cancellable,
	): Promise<ValidationResultDto>;
	/** Returns the decided request; its response is being sent to the peer. */
	accept(id: string, input: DecideRequestInput, options?: Cancellable): Promise<RequestDto>;
	/** Rejects the request and sends the response to the peer. */
	reject(id: string, input: DecideRequestInput, options?: Cancellable): Promise<RequestDto>;
	/** Deletes an expired request; refuses all others. */
	delete(id: string, options?: Cancellable): Promise<void>;
}

/** Of calls that check content before they use it. */
export interface HintOptions extends Cancellable {
	/**
	 * receives what wallets of other versions cannot read, show or accept; of a request each hint
	 * with the number of its item
	 */
	readonly onHint?: ((hint: string) => void) | undefined;
}

interface ValidationNodeDto {
	/**
	 * what wallets of other versions cannot read in an item or refuse, if it is not known that the
	 * wallet of the peer is none of them
	 */
	readonly hint?: string;
	/** results of the parts, in the order of the parts */
	readonly items: ValidationResultDto[];
}

/** Node without an error, in itself and below. */
export interface ValidationSuccessDto extends ValidationNodeDto {
	/** no error in this part and below */
	readonly isSuccess: true;
	/** never set */
	readonly code?: undefined;
	/** never set */
	readonly message?: undefined;
}

/** Node with an error, in itself or below. */
export interface ValidationFailureDto extends ValidationNodeDto {
	/** an error in this part or below */
	readonly isSuccess: false;
	/** code of the error */
	readonly code: ErrorCode;
	/** explanation of the error */
	readonly message: string;
}

/** Result of checking a request or a decision, with a node for each item of the request. */
export type ValidationResultDto = ValidationSuccessDto | ValidationFailureDto;
export type {
	AcceptItemInput,
	CreateRequestInput,
	DecideRequestInput,
	ItemDecisionInput,
	RejectItemInput,
	RequestInput,
	ValidateRequestInput,
} from '../model/input/request';
