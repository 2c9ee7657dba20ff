/** The first lines of a failure message of jest, without colours, and the call in the project that failed. */
export function failureExcerpt(message: string): string[];
