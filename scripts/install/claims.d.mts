export function withClaim<T>(folder: string, what: string, work: () => Promise<T>): Promise<T>;
