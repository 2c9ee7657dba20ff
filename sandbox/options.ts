import type { SandboxSettings } from './settings';

export interface SandboxOptions extends Partial<SandboxSettings> {
	/** default: any free port */
	readonly port?: number;
	/** address beside the loopback addresses from which calls are accepted; `0.0.0.0` for all */
	readonly listen?: string;
	/**
	 * URL under which clients elsewhere reach this Backbone; addresses have its host name if it fits
	 */
	readonly publicUrl?: string;
	/**
	 * path of a file from which state is read at the start; changes are written before each answer
	 */
	readonly stateFile?: string;
	/** milliseconds added to the clock; default: the value in the state file */
	readonly clockOffsetMs?: number;
}
