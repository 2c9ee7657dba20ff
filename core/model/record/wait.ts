import * as z from 'zod';
import { jsonObjectSchema, type JsonObject } from '../json';

/** ids of the requests that several people have answered; absent if one answer is awaited */
const references = z.array(z.string()).optional();

/**
 * How a wait ended. `timedOut`: its deadline or the expiry of the request has passed; `ended`: an
 * answer has become impossible.
 */
export const waitOutcomeSchema = z.discriminatedUnion('kind', [
	z.object({
		/** an answer arrived, or as many as wanted */
		kind: z.literal('answered'),
		/** id of the answered request, or of the mail */
		reference: z.string(),
		/** ids of the answered requests; absent if one answer is awaited */
		references,
	}),
	z.object({
		/** the deadline of the wait or the expiry of the request has passed */
		kind: z.literal('timedOut'),
		/** ids of the requests that were answered before; absent if one answer is awaited */
		references,
	}),
	z.object({
		/** an answer has become impossible */
		kind: z.literal('ended'),
		/**
		 * why no answer can come any more; `notNeeded`: the answers of others were enough; `notEnough`:
		 * too few of the people who were asked can still answer
		 */
		reason: z.enum([
			'peerLeft',
			'peerDeleted',
			'notSent',
			'templateDeleted',
			'notNeeded',
			'notEnough',
		]),
		/** ids of the requests that were answered before; absent if one answer is awaited */
		references,
	}),
]);
/** How a wait ended: with an answer, by time, or because an answer has become impossible. */
export type WaitOutcome = z.infer<typeof waitOutcomeSchema>;

/**
 * When the answers of several people are enough. `all`: when each of them has answered or cannot
 * answer any more; `first`: when `wanted` people have answered; `majority`: when more than half of
 * them have given the same answer, or when that cannot happen any more.
 */
const groupRuleSchema = z.object({
	/** which answers are enough */
	goOn: z.enum(['all', 'first', 'majority']),
	/** number of answers, for `first` */
	wanted: z.number().int().min(1).optional(),
});
/** When the answers of several people are enough to go on. */
export type GroupRule = z.infer<typeof groupRuleSchema>;

/** Question that is put to further people when the first ones have not decided. */
const escalationSchema = z.object({
	/** ISO time by the clock of the store */
	at: z.string(),
	/** addresses; empty in place of a person who was left meanwhile */
	peers: z.array(z.string()),
	/** content of the request, or of the mail */
	content: jsonObjectSchema,
});
/** Question that is put to further people after some time without a decision. */
export type Escalation = z.infer<typeof escalationSchema>;

/**
 * Execution of n8n that waits for a person (docs/adr/0028). There is one record for each node of an
 * execution, because a node waits for one answer at a time.
 */
export const waitRecordSchema = z.object({
	/** identifies the node within its execution: instance of n8n, execution and node */
	id: z.string(),
	/**
	 * random part of the signed address, which distinguishes this wait from earlier ones of the node
	 */
	key: z.string(),
	kind: z.enum(['request', 'mail', 'template', 'group']),
	/** id of the request, of the send of the mail, or of the template; for a group its key */
	subject: z.string(),
	/** id of the wait of the group, for the question to one of several people; it resumes nothing */
	memberOf: z.string().optional(),
	/** what the person of a group has decided, for the rule `majority` */
	vote: z.string().optional(),
	group: z
		.object({
			rule: groupRuleSchema,
			/** number of people who are asked */
			size: z.number().int(),
			/** set when all questions are sent */
			isAsked: z.literal(true).optional(),
			escalation: escalationSchema.optional(),
		})
		.optional(),
	peer: z.string().optional(),
	answersWanted: z.number().int().min(2).optional(),
	createdAt: z.string(),
	/** time of the Backbone after which a mail of the peer counts as the reply */
	after: z.string().optional(),
	/** time of the mail by the own clock; absent in waits of earlier versions */
	askedAt: z.string().optional(),
	/** newest message of the peer that was stored before the mail, which no reply precedes */
	latestReceived: z.string().optional(),
	/** deadline by the clock of the store */
	until: z.string().optional(),
	/** signed address that resumes the execution; empty for a wait that resumes nothing */
	resumeUrl: z.string(),
	/**
	 * time between the outcome and the first call, in which a page can still show the outcome; a wait
	 * that resumes nothing is removed after it
	 */
	holdMs: z.number().int().optional(),
	note: jsonObjectSchema,
	/** mail to the person that is still to be sent; absent once it was sent */
	reminder: z
		.object({
			at: z.string(),
			subject: z.string(),
			body: z.string(),
		})
		.optional(),
	outcome: waitOutcomeSchema.optional(),
	/** state of the calls that resume the execution, once there is an outcome */
	resumption: z
		.object({
			/** earliest next call; in the future while a process is calling */
			notBefore: z.string(),
			/** number of calls so far */
			calls: z.number().int(),
			/** set when the node has handed over the outcome; another call confirms that n8n went on */
			isTaken: z.literal(true).optional(),
			/** set when a person wants another call at once */
			isWanted: z.literal(true).optional(),
			/**
			 * time since which n8n answers without a break that it does not know the execution, or fails
			 * to continue it although the outcome was handed over
			 */
			missingSince: z.string().optional(),
			/** failure of the latest call; `since` is the time of the first one */
			failure: z
				.object({
					since: z.string(),
					code: z.string(),
					message: z.string(),
				})
				.optional(),
		})
		.optional(),
});
export type WaitRecord = z.infer<typeof waitRecordSchema>;

/**
 * Returns the time at which a wait needs work without any news: its deadline or reminder while
 * there is no outcome, then the next call that resumes its execution.
 */
export function dueAtOf(wait: WaitRecord): string | undefined {
	const { outcome, until, reminder, resumption, group } = wait;
	if (outcome !== undefined) return resumption?.notBefore;
	const begun = group !== undefined && group.isAsked !== true ? abandonedAt(wait) : undefined;
	const times = [until, reminder?.at, group?.escalation?.at, begun];
	const [earliest] = times.filter((time) => time !== undefined).sort();
	return earliest;
}

const longestAskingMs = 3_600_000;

/** Time at which a group whose questions were not all sent counts as abandoned: its node has died. */
export function abandonedAt({ createdAt }: Pick<WaitRecord, 'createdAt'>): string {
	return new Date(Date.parse(createdAt) + longestAskingMs).toISOString();
}

/** Wait as the node sees it. */
export interface WaitDto {
	/** identifies the node within its execution: instance of n8n, execution and node */
	readonly id: string;
	/**
	 * random part of the signed address, which distinguishes this wait from earlier ones of the node
	 */
	readonly key: string;
	/**
	 * what the execution waits for: the answer to a request, a mail, an answer to a template, or the
	 * answers of a group of people
	 */
	readonly kind: 'request' | 'mail' | 'template' | 'group';
	/** id of the request, of the send of the mail, or of the template; for a group its key */
	readonly subject: string;
	/** absent for a template, which anyone may answer */
	readonly peer?: string | undefined;
	/** number of people whose answers to a template are awaited, if more than one */
	readonly answersWanted?: number | undefined;
	/** ISO time of the beginning */
	readonly createdAt: string;
	/** deadline by the clock of the store */
	readonly until?: string | undefined;
	/** data of the node, which returns with the outcome */
	readonly note: JsonObject;
	/** how the wait ended; absent while it lasts */
	readonly outcome?: WaitOutcome | undefined;
	/** true once the node has handed over the outcome */
	readonly isTaken: boolean;
	/** number of answers that have arrived, while more than one is awaited */
	readonly answersSoFar?: number;
}

/** Input for a new wait; its other members follow from the message or template. */
export interface NewWait extends Pick<WaitDto, 'id' | 'key' | 'note'> {
	/** signed address that resumes the execution; empty for a wait that resumes nothing */
	readonly resumeUrl: string;
	/** ISO text */
	readonly until?: string | undefined;
	/** mail that is sent if there is no answer yet */
	readonly reminder?:
		| {
				/** ISO time at which it is sent */
				readonly at: string;
				/** subject of the mail */
				readonly subject: string;
				/** text of the mail */
				readonly body: string;
		  }
		| undefined;
	/**
	 * milliseconds between the outcome and the first call of n8n, in which a page can show it; a wait
	 * that resumes nothing is removed after them
	 */
	readonly holdMs?: number | undefined;
	/** number of people whose answers to a template are awaited; absent: one */
	readonly answersWanted?: number | undefined;
	/** id of the wait of a group, for the question to one of its people */
	readonly memberOf?: string | undefined;
}

/** Input for the wait of a group, which begins before its people are asked. */
export interface NewGroup extends Pick<NewWait, 'id' | 'key' | 'note' | 'resumeUrl' | 'until'> {
	/** when the answers are enough */
	readonly rule: GroupRule;
	/** number of people who are asked */
	readonly size: number;
	/** question to further people, if there is no decision after some time */
	readonly escalation?:
		| (Omit<Escalation, 'content'> & {
				/** content of the request, or of the mail, as JSON */
				readonly content: object;
		  })
		| undefined;
}
