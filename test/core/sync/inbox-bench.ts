import { silentLogger } from '../../../core/base/logger';
import type { WireMessage } from '../../../core/backbone/dto';
import { RelationshipService } from '../../../core/domain/relationship/relationship-service';
import type { ExternalEventFailure, InboxEvent } from '../../../core/model/record/sync';
import type { AccountStore } from '../../../core/store/open-store';
import { InboxApplier } from '../../../core/sync/inbox-applier';
import type { ChangedIds, StepServices } from '../../../core/sync/steps/step';
import { SendBench, type SendingProcess } from '../domain/message/send-bench';
import { problem, result, type Responder } from '../backbone/fixture-server';

const messageCount = 60;
const unknown = problem(404, 'error.platform.recordNotFound');

export interface Outcome {
	/** `applied`, or the error of the sync */
	readonly outcome: unknown;
	readonly touched: ChangedIds[];
	/** id and code of each failed event */
	readonly failures: Array<readonly string[]>;
	/** messages of the failures */
	readonly reasons: readonly string[];
}

/** Report of a sync, which several passes may extend. */
export interface Report {
	readonly touched: ChangedIds[];
	readonly failures: ExternalEventFailure[];
}

/** Answers of the Backbone about messages. */
export interface MessageAnswers {
	/** messages that the list shows */
	listed: WireMessage[];
	/** answer to a request for several messages, instead of `listed` */
	list: Responder | undefined;
	/** answers to requests for one message, by its number */
	single: Record<number, Responder>;
}

/** Inbox of an account, and a Backbone whose answers about messages the test decides. */
export class InboxBench {
	private constructor(
		readonly sends: SendBench,
		readonly process: SendingProcess,
		readonly answers: MessageAnswers,
	) {}

	static async open(): Promise<InboxBench> {
		const answers: MessageAnswers = { listed: [], list: undefined, single: {} };
		const sends = await SendBench.open(routesOf(answers));
		return new InboxBench(sends, await sends.start(), answers);
	}

	get store(): AccountStore {
		return this.process.store;
	}

	/** Runs one pass over the inbox. */
	async apply(
		options: { readonly signal?: AbortSignal } = {},
		report: Report = { touched: [], failures: [] },
	): Promise<Outcome> {
		const { store, sends } = this;
		const backbone = sends.connect();
		const context = { ...{ store, backbone, clock: sends.clock }, logger: silentLogger };
		const relationships = new RelationshipService(
			context as unknown as ConstructorParameters<typeof RelationshipService>[0],
		);
		const services = { messageReceipt: this.process.messageReceipt, relationships } as StepServices;
		const outcome = await new InboxApplier({ ...context, services })
			.apply(report, options)
			.then(() => 'applied')
			.catch((error: unknown) => error);
		const { touched, failures } = report;
		return {
			...{ outcome, touched, failures: failures.map(({ eventId, code }) => [eventId, code]) },
			reasons: failures.map(({ message }) => message),
		};
	}

	/** An event about the message with the same number. */
	event(index: number, parts: Partial<InboxEvent> = {}): InboxEvent {
		return {
			...{ id: `SYI${index}`, runId: 'SYR1', type: 'MessageReceived', index },
			createdAt: new Date(this.sends.clock.now() - 1_000).toISOString(),
			...{ payload: { id: `MSG${index}` }, state: 'pending', attempts: 0 },
			...parts,
		};
	}

	async add(...events: readonly InboxEvent[]): Promise<void> {
		await this.store.transact(async (tx) => {
			for (const event of events) await tx.inbox.insert(event, undefined);
		});
	}

	/** Adds events, one for each of the first messages. */
	async addFirst(count: number): Promise<void> {
		await this.add(...Array.from({ length: count }, (_, index) => this.event(index)));
	}

	message(index: number, value: unknown = index): WireMessage {
		return this.sends.received(`MSG${index}`, {
			content: { '@type': 'ArbitraryMessageContent', value: value as string },
		});
	}

	/** Ids of the stored messages, in the order of insertion. */
	async storedIds(): Promise<string[]> {
		return (await this.store.read((tx) => tx.messages.list())).map(({ record }) => record.id);
	}

	/** States and attempts of the events. */
	async states(): Promise<string[]> {
		return (await this.store.read((tx) => tx.inbox.list())).map(
			({ record: { id, state, attempts } }) => `${id} ${state} ${attempts}`,
		);
	}

	get listCalls(): number {
		return this.sends.callsTo('Messages');
	}

	get singleCalls(): number {
		return Array.from({ length: messageCount }, (_, index) =>
			this.sends.callsTo(`Messages/MSG${index}`),
		).reduce((sum, count) => sum + count, 0);
	}

	async close(): Promise<void> {
		await this.sends.close();
	}
}

/** Changes that a pass reports for these messages. */
export const changed = (...indexes: readonly number[]): ChangedIds[] =>
	indexes.map((index) => ({ messageId: `MSG${index}` }));

const routesOf = (answers: MessageAnswers): Record<string, Responder> => {
	const routes: Record<string, Responder> = {
		'GET /api/v2/Messages': (request, response) => {
			const ids = request.query.getAll('ids');
			const found = answers.listed.filter(({ id }) => ids.includes(id));
			(answers.list ?? result(found))(request, response);
		},
	};
	for (let index = 0; index < messageCount; index++) {
		routes[`GET /api/v2/Messages/MSG${index}`] = (request, response) =>
			(answers.single[index] ?? unknown)(request, response);
	}
	return routes;
};
