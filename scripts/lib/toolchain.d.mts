/** Command for npm: the running npm if there is one, else npm on the path. */
export function npmCommand(npmArguments: readonly string[]): [command: string, arguments: string[]];
