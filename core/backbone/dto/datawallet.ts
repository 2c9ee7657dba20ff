import * as z from 'zod';
import { bytesSchema, maxContentBytes, numberSchema } from './wire';

/** `docs/protocol/backbone-api.md` 10. We have one device and write no modifications. */
export const wireDatawalletSchema = z.object({ version: numberSchema(0, Number.MAX_SAFE_INTEGER) });
export type WireDatawallet = z.infer<typeof wireDatawalletSchema>;

/** An item of a push; servers read it, our client always sends an empty list. */
export const datawalletModificationItemSchema = z.object({
	type: z.enum(['Create', 'Update', 'Delete', 'CacheChanged']),
	objectIdentifier: z.string().max(100),
	collection: z.string().max(50),
	payloadCategory: z.string().max(50).nullish(),
	encryptedPayload: bytesSchema(0, maxContentBytes).nullish(),
	datawalletVersion: z.number().int().min(0).max(65_535),
});
export type DatawalletModificationItem = z.infer<typeof datawalletModificationItemSchema>;
