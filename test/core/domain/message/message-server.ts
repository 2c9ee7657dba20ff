import { isoInstant, type Clock } from '../../../../core/base/clock';
import { json, problem, type Responder } from '../../backbone/fixture-server';

interface Posted {
	readonly body: string;
	readonly recipients: ReadonlyArray<{ readonly address: string; readonly encryptedKey: string }>;
}

/** What happens to a message that is posted. */
export type Reception =
	'accepts' | 'losesCall' | 'losesAnswer' | 'refuses' | 'refusesForNow' | 'waits';

/** The messages of one sender at a Backbone. */
export class MessageServer {
	reception: Reception = 'accepts';

	/** receptions of the next messages, before `reception` */
	readonly next: Reception[] = [];

	/** answers to requests for the list, instead of the list itself */
	listing: Responder | undefined;

	/** `Date` header of answers to messages */
	date: string | undefined;

	/** bodies in the order of their calls */
	readonly posted: string[] = [];

	private readonly stored: Array<Posted & { readonly id: string; readonly createdAt: string }> = [];

	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly sender: string,
		private readonly clock: Clock,
	) {}

	get routes(): Readonly<Record<string, Responder>> {
		return { 'POST /api/v2/Messages': this.receive, 'GET /api/v2/Messages': this.list };
	}

	/** Number of messages that were accepted. */
	get storedCount(): number {
		return this.stored.length;
	}

	/** Stores a message as a call does whose answer is on its way. */
	store(message: Posted): { readonly id: string; readonly createdAt: string } {
		const id = `MSG${String(this.stored.length + 1).padStart(17, '0')}`;
		const createdAt = isoInstant(this.clock.now());
		this.stored.push({ ...message, id, createdAt });
		return { id, createdAt };
	}

	/** Refuses the newest or the oldest call that waits. */
	refuseWaiting(which: 'newest' | 'oldest'): void {
		(which === 'newest' ? this.waiting.pop() : this.waiting.shift())?.();
	}

	private readonly receive: Responder = (request, response) => {
		const message = JSON.parse(request.body) as Posted;
		this.posted.push(message.body);
		const reception = this.next.shift() ?? this.reception;
		if (reception === 'losesCall') response.destroy();
		else if (reception === 'waits') {
			this.waiting.push(() => refuse(request, response));
		} else if (reception === 'refuses') refuse(request, response);
		else if (reception === 'refusesForNow') {
			problem(400, `${validation}.message.maxNumberOfUnreceivedMessagesReached`)(request, response);
		} else {
			const result = this.store(message);
			if (reception === 'losesAnswer') response.destroy();
			else
				json(
					201,
					{ result },
					this.date === undefined ? {} : { date: this.date },
				)(request, response);
		}
	};

	private readonly list: Responder = (request, response) => {
		if (this.listing !== undefined) return this.listing(request, response);
		const pageNumber = Number(request.query.get('pageNumber'));
		const pageSize = Number(request.query.get('pageSize'));
		const first = (pageNumber - 1) * pageSize;
		const result = this.stored.slice(first, first + pageSize).map((message) => ({
			...message,
			createdBy: this.sender,
			createdByDevice: 'DVC00000000000000001',
			attachments: [],
		}));
		const totalRecords = this.stored.length;
		const totalPages = Math.ceil(totalRecords / pageSize);
		const pagination = { pageNumber, pageSize, totalPages, totalRecords };
		const date = new Date(this.clock.now()).toUTCString();
		json(200, { result, pagination }, { date })(request, response);
	};
}

const validation = 'error.platform.validation';

const refuse: Responder = problem(400, `${validation}.invalidPropertyValue`);
