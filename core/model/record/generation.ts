import * as z from 'zod';

/** Generation of a peer's wallet (docs/protocol/content.md 13). */
export const generationSchema = z.union([z.literal(6), z.literal(7)]);
