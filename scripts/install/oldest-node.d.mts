export const oldestNodeVersion: string;
/** @returns the program of the oldest supported Node; installs it when it is missing */
export function ensureOldestNode(): Promise<string>;
