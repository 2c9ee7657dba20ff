import * as z from 'zod';
import { numberSchema } from './wire';

/** `docs/protocol/backbone-api.md` 10. An account has one device and writes no modifications. */
export const wireDatawalletSchema = z.object({ version: numberSchema(0, Number.MAX_SAFE_INTEGER) });
export type WireDatawallet = z.infer<typeof wireDatawalletSchema>;
