import type { ShownForm } from './inputs';
import type { ShownValue } from './request';

export interface ShownPerson {
	readonly id: string;
	readonly name: string;
	readonly address: string;
}

/** Line in the list of open requests. */
export interface OpenRequest {
	readonly id: string;
	readonly from: string;
	readonly title: string;
	readonly createdAt: string;
	readonly expiresAt?: string;
}

/** Actions by which a person ends a relationship or goes back on it. */
export type ContactAction = 'leave' | 'remove' | 'withdraw' | 'reactivate' | 'acceptReactivation';

export interface ShownContact {
	readonly address: string;
	readonly name: string;
	readonly isActive: boolean;
	readonly statusText: string;
	readonly since: string;
	readonly actions: readonly ContactAction[];
	readonly shared: readonly ShownValue[];
	readonly received: readonly ShownValue[];
	readonly facts: readonly ShownValue[];
}

export interface ShownAttachment {
	readonly id: string;
	readonly name: string;
	readonly bytes: number;
}

export interface ShownMail {
	readonly id: string;
	readonly isOwn: boolean;
	/** names of the other side */
	readonly with: string;
	/** addresses to which a reply goes */
	readonly replyTo: readonly string[];
	readonly subject: string;
	readonly body: string;
	/** true if the sender formatted the body; it is shown as it is, with a note */
	readonly isMarkdown: boolean;
	readonly at: string;
	readonly isUnread: boolean;
	readonly attachments: readonly ShownAttachment[];
}

/** Attribute of the person. */
export interface OwnAttribute {
	readonly id: string;
	readonly type: string;
	readonly label: string;
	readonly text: string;
	/** contacts that have it */
	readonly sharedWith: readonly string[];
}

export interface ShownFile {
	readonly id: string;
	readonly name: string;
	readonly bytes: number;
	readonly isOwn: boolean;
}

/** Everything that the page shows of a person, without the details of requests. */
export interface WalletState {
	readonly person: ShownPerson;
	readonly requests: readonly OpenRequest[];
	readonly contacts: readonly ShownContact[];
	readonly mails: readonly ShownMail[];
	readonly data: readonly OwnAttribute[];
	readonly files: readonly ShownFile[];
	/** forms with which the person adds data, by type */
	readonly dataForms: readonly ShownForm[];
}

/** Result of opening a code. */
export interface OpenedCode {
	readonly text: string;
	/** request to answer now */
	readonly requestId?: string;
	/** template to connect with, which asks for nothing */
	readonly templateId?: string;
}
