/** @returns the folder with the ready n8n; installs it when it is missing */
export function ensureN8nHost(): Promise<string>;
