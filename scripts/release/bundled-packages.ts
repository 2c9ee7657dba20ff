export interface BundledPackage {
	readonly name: string;
	readonly version: string;
}

/** Headings of the licence file: `name version (licence)`. */
const heading = /^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm;

/**
 * Packages in `dist/THIRD_PARTY_LICENSES`, which the build writes from what it has bundled.
 *
 * @throws Error if the text names none
 */
export function bundledPackages(licenceTexts: string): BundledPackage[] {
	const packages = [...licenceTexts.matchAll(heading)].map(([, name = '', version = '']) => ({
		name,
		version,
	}));
	if (packages.length === 0) {
		throw new Error("THIRD_PARTY_LICENSES has no line 'name version (licence)': build again.");
	}
	return packages;
}
