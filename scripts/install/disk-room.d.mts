export function ensureRoom(folder: string, neededGb: number, what: string): void;
