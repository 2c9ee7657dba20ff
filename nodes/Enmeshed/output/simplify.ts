import type {
	AttributeDto,
	ContactDto,
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
	ContactOutput,
	FileOutput,
	MessageOutput,
	RelationshipOutput,
	SuccessionOutput,
	SyncStatusOutput,
	TemplateOutput,
	TemplateQrCodeOutput,
	TokenOutput,
} from '../schemas/output-schemas';
import { mailMembers } from './mail-members';
import { readableValues } from './readable-value';
import { defined } from '../helpers/members';
import { describeAttribute, type PeerProfile, type PeerProfiles } from '../gateway/peers';

/*
 * Small, flat forms of records that are easy to read in expressions. Absent members are left out.
 */

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
		...defined({
			templateTitle: titleOf(relationship.template),
			purpose: relationship.purpose,
			createdAt: relationship.auditLog.at(0)?.createdAt,
			changedAt: relationship.auditLog.at(-1)?.createdAt,
			reactivationRequestedBy: whoAsksBack(relationship),
			peerDeletionStatus: relationship.peerDeletionInfo?.deletionStatus,
			peerDeletionDate: relationship.peerDeletionInfo?.deletionDate,
		}),
	};
}

/**
 * Side that requested the reactivation of a terminated relationship, while the request has no
 * answer.
 */
function whoAsksBack({ auditLog, peer }: RelationshipDto): 'me' | 'peer' | undefined {
	const last = auditLog.at(-1);
	if (last?.reason !== 'ReactivationRequested') return undefined;
	return last.createdBy === peer ? 'peer' : 'me';
}

/** Values of a contact as in the other outputs, and what is known of its wallet. */
export function simplifyContact(contact: ContactDto): ContactOutput {
	const { address, name, status, since, walletVersion, ...more } = contact;
	const { relationshipId, templateId, templateTitle, attributes, sharedAttributes, ...others } =
		more;
	const { relationshipAttributes, ...found } = others;
	return {
		peer: address,
		...defined({ peerName: name }),
		status,
		since,
		wallet: walletText(walletVersion),
		relationshipId,
		templateId,
		...defined({ templateTitle }),
		attributes: readableValues(attributes),
		relationshipAttributes,
		sharedAttributes: readableValues(sharedAttributes),
		...found,
	};
}

function walletText(version: ContactDto['walletVersion']): string {
	if (version === undefined) return 'not known yet';
	return Number.isInteger(version) ? `version ${version}` : `version ${version} or later`;
}

export function simplifyTemplate(template: TemplateDto): TemplateOutput {
	return {
		...describeQrCode(template),
		isOwn: template.isOwn,
		createdAt: template.createdAt,
		...defined({
			maxNumberOfAllocations: template.maxNumberOfAllocations,
			forIdentity: template.forIdentity,
			purpose: template.purpose,
		}),
		isPasswordProtected: template.passwordProtection !== undefined,
	};
}

/** Whole record of a template, preceded by title and link. */
export function describeTemplate(template: TemplateDto): TemplateDto & TemplateQrCodeOutput {
	return { ...describeQrCode(template), ...template };
}

export function describeQrCode(template: TemplateDto): TemplateQrCodeOutput {
	return {
		id: template.id,
		...defined({ title: titleOf(template) }),
		link: template.reference.url,
		truncatedReference: template.truncatedReference,
		...defined({ expiresAt: template.expiresAt }),
	};
}

export function simplifyFile(file: FileDto): FileOutput {
	return {
		id: file.id,
		filename: file.filename,
		...(file.title === '' ? {} : { title: file.title }),
		...defined({ description: file.description }),
		mimetype: file.mimetype,
		filesize: file.filesize,
		...defined({ tags: file.tags }),
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
		...defined({ forIdentity: token.forIdentity }),
		isPasswordProtected: token.passwordProtection !== undefined,
		link: token.reference.url,
		truncatedReference: token.truncatedReference,
	};
}

export function simplifyAttribute(attribute: AttributeDto): AttributeOutput {
	const { type, value } = describeAttribute(attribute);
	const { content } = attribute;
	return {
		id: attribute.id,
		type,
		value,
		owner: attribute.owner,
		...defined({ peer: attribute.shareInfo?.peer }),
		createdAt: attribute.createdAt,
		...defined({
			tags: content['@type'] === 'IdentityAttribute' ? content.tags : undefined,
			succeededBy: attribute.succeededBy,
			deletionStatus: attribute.deletionInfo?.deletionStatus,
		}),
	};
}

/** New version of an attribute, with id and value of the version that it replaces. */
export function simplifySuccession({
	predecessor,
	successor,
	notificationId,
}: SuccessionDto & { readonly notificationId?: string }): SuccessionOutput {
	return {
		...simplifyAttribute(successor),
		predecessorId: predecessor.id,
		previousValue: describeAttribute(predecessor).value,
		...defined({ notificationId }),
	};
}

export async function simplifyMessage(
	message: MessageDto,
	profiles: PeerProfiles,
): Promise<MessageOutput> {
	const sender = message.isOwn ? undefined : await profiles.ofAddress(message.createdBy);
	return {
		id: message.id,
		type: message.content['@type'],
		direction: message.isOwn ? 'sent' : 'received',
		sender: message.createdBy,
		...defined({ senderName: sender?.name }),
		recipients: message.recipients.map(({ address }) => address),
		...mailMembers(message.content),
		attachments: message.attachments,
		isRead: message.wasReadAt !== undefined,
		createdAt: message.createdAt,
	};
}

export function simplifySyncStatus(status: SyncStatusDto): SyncStatusOutput {
	return {
		...defined({
			lastSyncAt: status.lastSyncRun?.completedAt,
			lastReconciliationAt: status.lastReconciliation?.completedAt,
		}),
		pushConnected: status.pushConnected,
		push: { ...status.push },
		pendingEvents: status.pendingEvents,
		unresolvedSends: status.unresolvedSends,
		parkedEvents: [...status.parkedEvents],
		consumers: status.consumers.map((consumer) => ({ ...consumer })),
		problemCounts: { ...status.problemCounts },
		...defined({ lastFailure: status.lastFailure, paused: status.paused }),
	};
}

export function titleOf(template: Pick<TemplateDto, 'content'>): string | undefined {
	const { content } = template;
	return content['@type'] === 'RelationshipTemplateContent' ? content.title : undefined;
}

function nameOf(profile: PeerProfile): { peerName?: string } {
	return defined({ peerName: profile.name });
}
