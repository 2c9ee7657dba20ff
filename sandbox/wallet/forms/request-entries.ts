export type JsonObject = Readonly<Record<string, unknown>>;

/** Request item, or group of items, in the content of a request. */
export interface Entry extends JsonObject {
	readonly '@type': string;
	readonly title?: string;
	readonly description?: string;
	readonly mustBeAccepted?: boolean;
	readonly items?: readonly Entry[];
}

export const entriesOf = (content: JsonObject): readonly Entry[] =>
	(content['items'] ?? []) as readonly Entry[];

export const isGroup = (entry: Entry): boolean => entry.items !== undefined;

export const objectOf = (value: unknown): JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
