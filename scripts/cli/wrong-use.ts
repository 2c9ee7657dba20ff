/** The words of a command do not fit together: exit code 2. */
export class WrongUse extends Error {}
