import type { collections } from './collections';

/* Fields by which the records of a collection are filtered and ordered: its columns. */

export type AccessKeyField = keyof (typeof collections)['accessKeys']['columns'];
/** Fields by which attributes are filtered and ordered. */
export type AttributeField = 'id' | keyof (typeof collections)['attributes']['columns'];
export type AttributeListenerField = keyof (typeof collections)['attributeListeners']['columns'];
/** Fields by which local notifications are filtered and ordered. */
export type LocalNotificationField = keyof (typeof collections)['localNotifications']['columns'];
export type IdentityMetadataField = keyof (typeof collections)['identityMetadata']['columns'];
/** Fields by which settings are filtered and ordered. */
export type SettingField = keyof (typeof collections)['settings']['columns'];
/** Fields by which drafts are filtered and ordered. */
export type DraftField = keyof (typeof collections)['drafts']['columns'];
/** Fields by which requests are filtered and ordered. */
export type RequestField = keyof (typeof collections)['requests']['columns'];
/** Fields by which templates are filtered and ordered. */
export type TemplateField = keyof (typeof collections)['templates']['columns'];
/** Fields by which relationships are filtered and ordered. */
export type RelationshipField = keyof (typeof collections)['relationships']['columns'];
export type RelationshipIntentField = keyof (typeof collections)['relationshipIntents']['columns'];
/** Fields by which messages are filtered and ordered. */
export type MessageField = keyof (typeof collections)['messages']['columns'];
/** Fields by which files are filtered and ordered. */
export type FileField = keyof (typeof collections)['files']['columns'];
/** Fields by which tokens are filtered and ordered. */
export type TokenField = keyof (typeof collections)['tokens']['columns'];
export type DeletionProcessField = keyof (typeof collections)['deletionProcesses']['columns'];
export type WorkField = keyof (typeof collections)['work']['columns'];
export type SendIntentField = keyof (typeof collections)['sendIntents']['columns'];
export type WaitField = keyof (typeof collections)['waits']['columns'];
export type InboxField = keyof (typeof collections)['inbox']['columns'];
export type IdempotencyKeyField = keyof (typeof collections)['idempotencyKeys']['columns'];
