import type { CollectionName, collections } from './collections';

/** Fields by which the records of a collection are filtered and ordered: its columns. */
type FieldOf<Name extends CollectionName> = keyof (typeof collections)[Name]['columns'];

export type AttributeField = FieldOf<'attributes'>;
export type AttributeListenerField = FieldOf<'attributeListeners'>;
export type LocalNotificationField = FieldOf<'localNotifications'>;
export type IdentityMetadataField = FieldOf<'identityMetadata'>;
export type SettingField = FieldOf<'settings'>;
export type DraftField = FieldOf<'drafts'>;
export type RequestField = FieldOf<'requests'>;
export type TemplateField = FieldOf<'templates'>;
export type RelationshipField = FieldOf<'relationships'>;
export type RelationshipIntentField = FieldOf<'relationshipIntents'>;
export type MessageField = FieldOf<'messages'>;
export type FileField = FieldOf<'files'>;
export type TokenField = FieldOf<'tokens'>;
export type DeletionProcessField = FieldOf<'deletionProcesses'>;
export type ObjectIntentField = FieldOf<'objectIntents'>;
export type SendIntentField = FieldOf<'sendIntents'>;
export type InboxField = FieldOf<'inbox'>;
