export const n8nVersion: string;
/** Folder in which n8n is installed, complete as soon as it exists. */
export function hostFolder(): string;
