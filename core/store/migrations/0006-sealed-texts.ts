/**
 * No table changes: from here on texts in them may be sealed, which older versions cannot read. Those that
 * were written before are sealed by `sealFoundSecrets`, which has the key.
 */
export async function up(): Promise<void> {}
