import type {
	AttributeDto,
	FileDto,
	MessageDto,
	RelationshipDto,
	SuccessionDto,
	SyncStatusDto,
	TemplateDto,
	TokenDto,
} from '../../../core';
import type {
	AttributeOutput,
	CreatedTemplateOutput,
	FileOutput,
	MessageOutput,
	RelationshipOutput,
	SuccessionOutput,
	SyncStatusOutput,
	TemplateOutput,
	TemplateQrCodeOutput,
	TokenOutput,
} from '../schemas/output-schemas';
import { describeAttribute, type PeerProfile, type PeerProfiles } from './peers';

/* Records as small, flat objects that read well in expressions. Absent members are left out. */

export async function simplifyRelationship(
	relationship: RelationshipDto,
	profiles: PeerProfiles,
): Promise<RelationshipOutput> {
	const profile = await profiles.ofRelationship(relationship.id);
	return {
		id: relationship.id,
		status: relationship.status,
		peer: relationship.peer,
		...nameOf(profile),
		sharedAttributes: profile.sharedAttributes,
		templateId: relationship.template.id,
		...optional('templateTitle', titleOf(relationship.template)),
		...optional('createdAt', relationship.auditLog.at(0)?.createdAt),
		...optional('changedAt', relationship.auditLog.at(-1)?.createdAt),
		...optional('reactivationRequestedBy', whoAsksBack(relationship)),
		...optional('peerDeletionStatus', relationship.peerDeletionInfo?.deletionStatus),
		...optional('peerDeletionDate', relationship.peerDeletionInfo?.deletionDate),
	};
}

/** Of a terminated relationship: whose request to make it active again waits for an answer. */
function whoAsksBack({ auditLog, peer }: RelationshipDto): 'me' | 'peer' | undefined {
	const last = auditLog.at(-1);
	if (last?.reason !== 'ReactivationRequested') return undefined;
	return last.createdBy === peer ? 'peer' : 'me';
}

export function simplifyTemplate(template: TemplateDto): TemplateOutput {
	return {
		...describeQrCode(template),
		isOwn: template.isOwn,
		createdAt: template.createdAt,
		...optional('expiresAt', template.expiresAt),
		...optional('maxNumberOfAllocations', template.maxNumberOfAllocations),
		...optional('forIdentity', template.forIdentity),
		isPasswordProtected: template.passwordProtection !== undefined,
	};
}

/** The whole record of a template, with title and link in front. */
export function describeTemplate(template: TemplateDto): CreatedTemplateOutput {
	return { ...describeQrCode(template), ...template };
}

export function describeQrCode(template: TemplateDto): TemplateQrCodeOutput {
	return {
		id: template.id,
		...optional('title', titleOf(template)),
		link: template.reference.url,
		truncatedReference: template.truncatedReference,
	};
}

export function simplifyFile(file: FileDto): FileOutput {
	return {
		id: file.id,
		filename: file.filename,
		...(file.title === '' ? {} : { title: file.title }),
		...optional('description', file.description),
		mimetype: file.mimetype,
		filesize: file.filesize,
		...optional('tags', file.tags),
		isOwn: file.isOwn,
		owner: file.owner,
		createdAt: file.createdAt,
		expiresAt: file.expiresAt,
		link: file.reference.url,
		truncatedReference: file.truncatedReference,
	};
}

export function simplifyToken(token: TokenDto): TokenOutput {
	return {
		id: token.id,
		content: token.content,
		isOwn: token.isOwn,
		createdBy: token.createdBy,
		createdAt: token.createdAt,
		expiresAt: token.expiresAt,
		...optional('forIdentity', token.forIdentity),
		isPasswordProtected: token.passwordProtection !== undefined,
		link: token.reference.url,
		truncatedReference: token.truncatedReference,
	};
}

export function simplifyAttribute(attribute: AttributeDto): AttributeOutput {
	const { type, value } = describeAttribute(attribute);
	const { tags } = attribute.content;
	return {
		id: attribute.id,
		type,
		value,
		owner: attribute.owner,
		...optional('peer', attribute.shareInfo?.peer),
		createdAt: attribute.createdAt,
		...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
		...optional('succeededBy', attribute.succeededBy),
		...optional('deletionStatus', attribute.deletionInfo?.deletionStatus),
	};
}

/** The new version, with what it replaces. */
export function simplifySuccession({
	predecessor,
	successor,
	notificationId,
}: SuccessionDto & { readonly notificationId?: string }): SuccessionOutput {
	return {
		...simplifyAttribute(successor),
		predecessorId: predecessor.id,
		previousValue: describeAttribute(predecessor).value,
		...optional('notificationId', notificationId),
	};
}

export async function simplifyMessage(
	message: MessageDto,
	profiles: PeerProfiles,
): Promise<MessageOutput> {
	const sender = message.isOwn ? undefined : await profiles.ofAddress(message.createdBy);
	return {
		id: message.id,
		type: textMember(message.content, '@type') ?? 'Unknown',
		direction: message.isOwn ? 'sent' : 'received',
		sender: message.createdBy,
		...optional('senderName', sender?.name),
		recipients: message.recipients.map(({ address }) => address),
		...optional('subject', textMember(message.content, 'subject')),
		...optional('body', textMember(message.content, 'body')),
		attachments: message.attachments,
		isRead: message.wasReadAt !== undefined,
		createdAt: message.createdAt,
	};
}

export function simplifySyncStatus(status: SyncStatusDto): SyncStatusOutput {
	return {
		...optional('lastSyncAt', status.lastSyncRun?.completedAt),
		...optional('lastReconciliationAt', status.lastReconciliation?.completedAt),
		pushConnected: status.pushConnected,
		push: { ...status.push },
		pendingEvents: status.pendingEvents,
		unresolvedSends: status.unresolvedSends,
		parkedEvents: [...status.parkedEvents],
		...optional('lastFailure', status.lastFailure),
		...optional('paused', status.paused),
	};
}

export function titleOf(template: Pick<TemplateDto, 'content'>): string | undefined {
	return textMember(template.content, 'title');
}

export function textMember(content: object, name: string): string | undefined {
	const value: unknown = Object.hasOwn(content, name)
		? (content as Record<string, unknown>)[name]
		: undefined;
	return typeof value === 'string' ? value : undefined;
}

/** The member, or nothing at all when there is no value. */
export function optional<Name extends string, Value>(
	name: Name,
	value: Value | undefined,
): { [Key in Name]?: Value } {
	return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value });
}

function nameOf(profile: PeerProfile): { peerName?: string } {
	return optional('peerName', profile.name);
}
