/**
 * Marks the schema version from which texts in tables may be sealed, which older versions cannot
 * read. `sealFoundSecrets`, which has the key, seals the texts of earlier versions.
 */
export async function up(): Promise<void> {}
