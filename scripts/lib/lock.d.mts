interface LockEntry {
	readonly dev?: boolean;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export function completeLock(): Promise<number>;
export function missingParts(
	packages: Readonly<Record<string, LockEntry>>,
): ReadonlyArray<{ readonly name: string; readonly version: string; readonly parent: string }>;
