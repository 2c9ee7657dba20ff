interface LockEntry {
	readonly version?: string;
	readonly dev?: boolean;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, LockEntry>>;

export function missingParts(
	packages: Packages,
): ReadonlyArray<{ readonly name: string; readonly version: string; readonly parent: string }>;

export function changes(before: Packages, after: Packages): string[];

export function partOfLock(
	text: string,
	name: string,
): { readonly version: string; readonly manifest: string; readonly lock: string };
