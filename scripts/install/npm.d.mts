interface NpmOptions {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
	/** prints a sign of life every half minute */
	readonly label?: string;
}

export function npm(npmArguments: readonly string[], options?: NpmOptions): Promise<void>;

export function installLocked(
	place: string,
	locked: { readonly manifest: string; readonly lock: string },
	options?: NpmOptions,
): Promise<void>;

export function withAddresses(
	lock: string,
	registries: { readonly registry: string; readonly byScope: Readonly<Record<string, string>> },
): string;
