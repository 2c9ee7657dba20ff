import * as z from 'zod';

/** Which of the two generations of wallets a peer uses (content.md 13). */
export const generationSchema = z.union([z.literal(6), z.literal(7)]);
