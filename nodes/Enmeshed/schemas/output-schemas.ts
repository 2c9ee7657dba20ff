import { z } from 'zod';
import {
	announcementDtoSchema,
	attributeDtoSchema,
	contactDtoSchema,
	foundContactDtoSchema,
	identityDtoSchema,
	problemDtoSchema,
	relationshipDtoSchema,
	requestDtoSchema,
	retriedProblemDtoSchema,
} from '../../../core';
import { awaitedAnswerOutputSchema } from './awaited-answer';
import { answersSchema, sharedAttributesSchema } from './value-outputs';
import {
	challengeOutputSchema,
	identityDeletionOutputSchema,
	identityMetadataOutputSchema,
	sentNotificationOutputSchema,
} from './account-outputs';
import {
	contactExportOutputSchema,
	erasureReceiptOutputSchema,
	historyEntryOutputSchema,
} from './contact-data-schemas';

/*
 * Simplified output of the operations. The build uses the schemas for the editor's preview; the
 * nodes use only the inferred types.
 */

const relationshipOutputSchema = z.object({
	id: z.string(),
	status: relationshipDtoSchema.shape.status,
	peer: z.string(),
	peerName: z.string().optional(),
	sharedAttributes: sharedAttributesSchema,
	templateId: z.string(),
	templateTitle: z.string().optional(),
	purpose: z.string().optional(),
	createdAt: z.string().optional(),
	changedAt: z.string().optional(),
	reactivationRequestedBy: z.enum(['me', 'peer']).optional(),
	peerDeletionStatus: z.enum(['ToBeDeleted', 'Deleted']).optional(),
	peerDeletionDate: z.string().optional(),
});
export type RelationshipOutput = z.infer<typeof relationshipOutputSchema>;

/** Pictures that operations add on request. */
const qrCodeTexts = { qrCodeDataUrl: z.string().optional(), qrCodeSvg: z.string().optional() };

/** Output of an operation that removed its object. */
const deletedOutputSchema = z.object({ deleted: z.literal(true) });

const templateOutputSchema = z.object({
	id: z.string(),
	title: z.string().optional(),
	link: z.string(),
	truncatedReference: z.string(),
	expiresAt: z.string().optional(),
	isOwn: z.boolean(),
	createdAt: z.string(),
	maxNumberOfAllocations: z.number().optional(),
	forIdentity: z.string().optional(),
	purpose: z.string().optional(),
	isPasswordProtected: z.boolean(),
	...qrCodeTexts,
});
export type TemplateOutput = z.infer<typeof templateOutputSchema>;

const unansweredTemplateOutputSchema = templateOutputSchema.extend({
	state: z.enum(['open', 'expired']),
});

/** What a page or a mail that shows the QR code needs. */
const templateQrCodeOutputSchema = z.object({
	id: z.string(),
	title: z.string().optional(),
	link: z.string(),
	truncatedReference: z.string(),
	expiresAt: z.string().optional(),
	...qrCodeTexts,
});
export type TemplateQrCodeOutput = z.infer<typeof templateQrCodeOutputSchema>;

const lettersOutputSchema = z.object({
	letters: z.number(),
	pages: z.number(),
});

const attributeOutputSchema = z.object({
	id: z.string(),
	type: z.string(),
	value: z.unknown(),
	owner: attributeDtoSchema.shape.owner,
	peer: z.string().optional(),
	createdAt: z.string(),
	tags: z.array(z.string()).optional(),
	succeededBy: z.string().optional(),
	deletionStatus: z.string().optional(),
});
export type AttributeOutput = z.infer<typeof attributeOutputSchema>;

/** New version of an attribute, with a notification if a peer was notified. */
const successionOutputSchema = attributeOutputSchema.extend({
	predecessorId: z.string(),
	previousValue: z.unknown(),
	notificationId: z.string().optional(),
	notifiedPeers: z.array(z.string()).optional(),
});
export type SuccessionOutput = z.infer<typeof successionOutputSchema>;

/** Contains the peers that were notified, if the operation was asked to do so. */
const upsertedAttributeOutputSchema = attributeOutputSchema.extend({
	result: z.enum(['created', 'updated', 'unchanged']),
	previousValue: z.unknown(),
	notifiedPeers: z.array(z.string()).optional(),
});

/** Names a person as events and relationships do. */
const contactOutputSchema = z.object({
	peer: z.string(),
	peerName: z.string().optional(),
	...contactDtoSchema.pick({ status: true, since: true }).shape,
	/** for example `version 6`, `version 7.2 or later` or `not known yet` */
	wallet: z.string(),
	...contactDtoSchema.pick({ relationshipId: true, templateId: true, templateTitle: true }).shape,
	attributes: sharedAttributesSchema,
	...contactDtoSchema.pick({ relationshipAttributes: true, sharedAttributes: true, purpose: true })
		.shape,
});
export type ContactOutput = z.infer<typeof contactOutputSchema>;

const foundContactOutputSchema = contactOutputSchema.extend(
	foundContactDtoSchema.pick({ peopleFound: true, found: true }).shape,
);

/** Contains a notification if a peer was notified. */
const deletedAttributeOutputSchema = deletedOutputSchema.extend({
	notificationId: z.string().optional(),
});

const fileOutputSchema = z.object({
	id: z.string(),
	filename: z.string(),
	title: z.string().optional(),
	description: z.string().optional(),
	mimetype: z.string(),
	filesize: z.number(),
	tags: z.array(z.string()).optional(),
	isOwn: z.boolean(),
	owner: z.string(),
	createdAt: z.string(),
	expiresAt: z.string(),
	link: z.string(),
	truncatedReference: z.string(),
	...qrCodeTexts,
});
export type FileOutput = z.infer<typeof fileOutputSchema>;

const tokenOutputSchema = z.object({
	id: z.string(),
	content: z.record(z.string(), z.unknown()),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdAt: z.string(),
	expiresAt: z.string(),
	forIdentity: z.string().optional(),
	isPasswordProtected: z.boolean(),
	link: z.string(),
	truncatedReference: z.string(),
});
export type TokenOutput = z.infer<typeof tokenOutputSchema>;

const requestOutputSchema = z.object({
	id: z.string(),
	title: z.string().optional(),
	status: requestDtoSchema.shape.status,
	result: z.string().optional(),
	answers: answersSchema.optional(),
	peer: z.string(),
	peerName: z.string().optional(),
	messageId: z.string().optional(),
	templateId: z.string().optional(),
	createdAt: z.string(),
	expiresAt: z.string().optional(),
	answeredAt: z.string().optional(),
	refusedAnswers: requestDtoSchema.shape.refusedAnswers,
});
export type RequestOutput = z.infer<typeof requestOutputSchema>;

/** Contains what the peer asks for, which this account has to decide. */
const incomingRequestOutputSchema = requestOutputSchema.extend({
	content: z.record(z.string(), z.unknown()),
});
export type IncomingRequestOutput = z.infer<typeof incomingRequestOutputSchema>;

const validationOutputSchema = z.object({
	isSuccess: z.boolean(),
	problems: z.array(
		z.object({ item: z.string().optional(), code: z.string(), message: z.string() }),
	),
	hints: z.array(z.object({ item: z.string(), message: z.string() })),
});
export type ValidationOutput = z.infer<typeof validationOutputSchema>;

/** Output of an operation that sends something, or only checks what it would send. */
function sentOrChecked<Shape extends z.ZodRawShape>(sent: z.ZodObject<Shape>) {
	return sent.partial().extend(validationOutputSchema.partial().shape);
}

/** Object behind a reference under its type, with the relationship if the operation connects. */
const loadedOutputSchema = z.object({
	type: z.enum(['RelationshipTemplate', 'File', 'Token', 'DeviceOnboardingInfo']),
	id: z.string(),
	template: templateOutputSchema.optional(),
	file: fileOutputSchema.optional(),
	token: tokenOutputSchema.optional(),
	relationship: relationshipOutputSchema.optional(),
});

/** Problem that is listed, or was tried again or given up. */
const handledProblemOutputSchema = z.object({
	...retriedProblemDtoSchema.pick({ id: true, kind: true }).shape,
	outcome: z.enum(['discarded', 'failed', 'solved', 'waiting']).optional(),
	...problemDtoSchema.omit({ id: true, kind: true }).partial().shape,
});

/** Relationship that was ended, or the note that it was removed. */
const endedRelationshipOutputSchema = relationshipOutputSchema
	.partial()
	.extend(deletedOutputSchema.partial().shape);

const messageOutputSchema = z.object({
	id: z.string(),
	type: z.string(),
	direction: z.enum(['received', 'sent']),
	sender: z.string(),
	senderName: z.string().optional(),
	recipients: z.array(z.string()),
	subject: z.string().optional(),
	body: z.string().optional(),
	bodyFormat: z.string().optional(),
	attachments: z.array(z.string()),
	isRead: z.boolean(),
	createdAt: z.string(),
});
export type MessageOutput = z.infer<typeof messageOutputSchema>;

const syncOutputSchema = z.object({
	relationships: z.array(relationshipOutputSchema),
	messages: z.array(messageOutputSchema),
	pendingFailures: z.array(
		z.object({ eventId: z.string(), type: z.string(), code: z.string(), message: z.string() }),
	),
});

const syncStatusOutputSchema = z.object({
	lastSyncAt: z.string().optional(),
	lastReconciliationAt: z.string().optional(),
	pushConnected: z.boolean(),
	push: z.object({
		state: z.enum(['off', 'connecting', 'connected', 'unavailable', 'elsewhere']),
		since: z.string().optional(),
		lastEventAt: z.string().optional(),
		message: z.string(),
		code: z.string().optional(),
	}),
	pendingEvents: z.number(),
	unresolvedSends: z.number(),
	parkedEvents: syncOutputSchema.shape.pendingFailures,
	consumers: z.array(
		z.object({
			name: z.string(),
			isRunning: z.boolean(),
			position: z.number(),
			waitingEvents: z.number(),
			waitingSince: z.string().optional(),
			parkedEvents: z.number(),
		}),
	),
	problemCounts: z.object({
		receivedEvent: z.number(),
		delivery: z.number(),
		sending: z.number(),
		unfinishedChange: z.number(),
		wait: z.number(),
	}),
	lastFailure: z.object({ code: z.string(), message: z.string(), at: z.string() }).optional(),
	paused: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type SyncStatusOutput = z.infer<typeof syncStatusOutputSchema>;

/** Schemas by the name that operations give as their `output`. */
export const outputSchemas = {
	announcement: announcementDtoSchema,
	attribute: attributeOutputSchema,
	awaitedAnswer: awaitedAnswerOutputSchema,
	challenge: challengeOutputSchema,
	contact: contactOutputSchema,
	contactExport: contactExportOutputSchema,
	deleted: deletedOutputSchema,
	deletedAttribute: deletedAttributeOutputSchema,
	erasureReceipt: erasureReceiptOutputSchema,
	endedRelationship: endedRelationshipOutputSchema,
	file: fileOutputSchema,
	foundContact: foundContactOutputSchema,
	historyEntry: historyEntryOutputSchema,
	identity: identityDtoSchema.extend({ syncStatus: syncStatusOutputSchema }),
	identityDeletion: identityDeletionOutputSchema,
	identityMetadata: identityMetadataOutputSchema,
	answeredRequest: sentOrChecked(incomingRequestOutputSchema),
	incomingRequest: incomingRequestOutputSchema,
	letters: lettersOutputSchema,
	loaded: loadedOutputSchema,
	message: messageOutputSchema,
	problem: handledProblemOutputSchema,
	relationship: relationshipOutputSchema,
	request: requestOutputSchema,
	sentNotification: sentNotificationOutputSchema,
	sentRequest: sentOrChecked(requestOutputSchema),
	succession: successionOutputSchema,
	sync: syncOutputSchema,
	template: templateOutputSchema,
	templateQrCode: templateQrCodeOutputSchema,
	unansweredTemplate: unansweredTemplateOutputSchema,
	upsertedAttribute: upsertedAttributeOutputSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
export type OutputName = keyof typeof outputSchemas;
