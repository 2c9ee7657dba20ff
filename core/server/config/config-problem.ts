/** A setting that is missing, wrong or retired, and what to do about it. */
export interface ConfigProblem {
	/** path of the setting with dots */
	readonly setting: string;
	readonly message: string;
}
