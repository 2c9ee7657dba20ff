/**
 * Marks the schema version from which received messages have an identity. `addMessageIdentities`,
 * which has the key, adds it to the messages of earlier versions.
 */
export async function up(): Promise<void> {}
