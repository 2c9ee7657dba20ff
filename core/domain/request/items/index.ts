import type { JsonObject } from '../../../model/json';
import type { ItemHandler } from './item-handler';
import { readAttributeHandler } from './read-attribute';
import { shareAttributeHandler } from './share-attribute';

const handlers = {
	ReadAttributeRequestItem: readAttributeHandler,
	ShareAttributeRequestItem: shareAttributeHandler,
} as const satisfies Record<string, ItemHandler>;

/** Undefined for types that are only known by name. */
export function handlerOf(item: JsonObject): ItemHandler | undefined {
	const type = item['@type'];
	if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return undefined;
	return handlers[type as keyof typeof handlers];
}
