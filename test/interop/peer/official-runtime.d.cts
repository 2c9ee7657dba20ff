export interface OfficialOptions {
	readonly baseUrl: string;
	/** both default to `test` */
	readonly clientId?: string;
	readonly clientSecret?: string;
	/** where the account is written on closing; absent: in memory */
	readonly folder?: string;
	/** default: what the official Connector switches on */
	readonly modules?: readonly string[];
}

export interface OfficialResult {
	readonly isSuccess: boolean;
}

/** Use cases by name, as the runtime offers them. */
export type OfficialServices = Record<
	string,
	Record<string, (...input: readonly unknown[]) => Promise<OfficialResult>>
>;

export interface OpenedRuntime {
	readonly services: {
		readonly transportServices: OfficialServices;
		readonly consumptionServices: OfficialServices;
		/** what works without an identity */
		readonly anonymousServices: OfficialServices;
	};
	onEvent(listener: (event: { namespace: string; data: unknown }) => void): void;
	close(): Promise<void>;
}

export const connectorModules: readonly string[];

export function openOfficialRuntime(
	generation: 6 | 7 | string,
	options: OfficialOptions,
): Promise<OpenedRuntime>;

/** The value of a use case; a refusal is thrown with its code. */
export function valueOf(result: Promise<OfficialResult>): Promise<unknown>;
