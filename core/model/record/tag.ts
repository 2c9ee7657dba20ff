/** Tag with its display names by language, and its child tags. */
export interface TagDto {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, TagDto>>;
}

/**
 * AttributeTagCollectionDTO: suggested tags by attribute value type (docs/protocol/http-api.md
 * 7.2).
 */
export interface TagCollectionDto {
	readonly supportedLanguages: readonly string[];
	readonly tagsForAttributeValueTypes: Readonly<Record<string, Readonly<Record<string, TagDto>>>>;
}
