/** Error for wrong arguments of a command: exit code 2. */
export class UsageError extends Error {}
