/** A tag with what it is called, by language, and the tags below it. */
export interface TagDto {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, TagDto>>;
}

/** AttributeTagCollectionDTO: suggestions by type of attribute value (http-api 7.2). */
export interface TagCollectionDto {
	readonly supportedLanguages: readonly string[];
	readonly tagsForAttributeValueTypes: Readonly<Record<string, Readonly<Record<string, TagDto>>>>;
}
