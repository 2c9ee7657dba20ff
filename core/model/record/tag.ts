/** Tag with its display names by language, and its child tags. */
export interface TagDto {
	/** names by language code, for example `en` */
	readonly displayNames: Readonly<Record<string, string>>;
	/** tags below this one, by their keys */
	readonly children: Readonly<Record<string, TagDto>>;
}

/**
 * AttributeTagCollectionDTO: suggested tags by attribute value type (docs/protocol/http-api.md
 * 7.2).
 */
export interface TagCollectionDto {
	/** language codes of the display names */
	readonly supportedLanguages: readonly string[];
	/** tags by type of attribute value, then by key */
	readonly tagsForAttributeValueTypes: Readonly<Record<string, Readonly<Record<string, TagDto>>>>;
}
