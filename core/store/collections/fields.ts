import type { collections } from './collections';

/* Fields by which the records of a collection are filtered and ordered: its columns. */

export type AttributeField = keyof (typeof collections)['attributes']['columns'];
export type AttributeListenerField = keyof (typeof collections)['attributeListeners']['columns'];
export type LocalNotificationField = keyof (typeof collections)['localNotifications']['columns'];
export type IdentityMetadataField = keyof (typeof collections)['identityMetadata']['columns'];
export type SettingField = keyof (typeof collections)['settings']['columns'];
export type DraftField = keyof (typeof collections)['drafts']['columns'];
export type RequestField = keyof (typeof collections)['requests']['columns'];
export type TemplateField = keyof (typeof collections)['templates']['columns'];
export type RelationshipField = keyof (typeof collections)['relationships']['columns'];
export type RelationshipIntentField = keyof (typeof collections)['relationshipIntents']['columns'];
export type MessageField = keyof (typeof collections)['messages']['columns'];
export type FileField = keyof (typeof collections)['files']['columns'];
export type TokenField = keyof (typeof collections)['tokens']['columns'];
export type DeletionProcessField = keyof (typeof collections)['deletionProcesses']['columns'];
export type ObjectIntentField = keyof (typeof collections)['objectIntents']['columns'];
export type SendIntentField = keyof (typeof collections)['sendIntents']['columns'];
export type WaitField = keyof (typeof collections)['waits']['columns'];
export type InboxField = keyof (typeof collections)['inbox']['columns'];
