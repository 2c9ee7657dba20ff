/** Content types that the official receiver of the vectors knows. */
const known = new Set([
	'ArbitraryRelationshipTemplateContent',
	'RelationshipTemplateContent',
	'ArbitraryRelationshipCreationContent',
	'RelationshipCreationContent',
	'ArbitraryMessageContent',
	'Mail',
	'Notification',
	'TokenContentFile',
	'TokenContentRelationshipTemplate',
	'TokenContentDeviceSharedSecret',
]);

export const isKnownContentType = (type: string): boolean => known.has(type);

/** Codes of the official receiver for what it cannot read: it has none, ours are named. */
export const notReadable = 'error.runtime.requestDeserialization';
export const unknownType = 'error.runtime.unknownType';
