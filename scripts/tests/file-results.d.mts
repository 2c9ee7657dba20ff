export interface TestResult {
	readonly fullName: string;
	readonly status: string;
	readonly failureMessages: readonly string[];
}

export interface FileResult {
	/** path of the test file */
	readonly name: string;
	/** why the file could not be loaded, or which hook failed after its tests */
	readonly problem?: string;
	readonly tests: readonly TestResult[];
}

export const fileResultsReporter: string;
export function readFileResults(path: string): {
	readonly files: readonly FileResult[];
	/** false if jest did not begin, or was ended before it had played all files */
	readonly isComplete: boolean;
};
