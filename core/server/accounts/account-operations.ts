import type { GatewayFacade } from '../../facade/gateway-facade';
import type { ServerConfig } from '../config/server-config';

/** An account that is open, with its modules. */
export interface OpenAccount {
	readonly facade: GatewayFacade;
	/** Stops the modules, then closes the account. */
	close(): Promise<void>;
}

/** Operations on accounts, which need more than the facade of an open one. */
export interface AccountOperations {
	/** Opens an account and starts its modules. */
	open(config: ServerConfig, name: string, signal: AbortSignal): Promise<OpenAccount>;
	/** Tells whether the store has an account in this place. */
	exists(config: ServerConfig): Promise<boolean>;
	/** Removes what the store has of an account; nothing if there is none. */
	remove(config: ServerConfig): Promise<void>;
	/** Copies an account into an encrypted file. */
	export(config: ServerConfig, file: string, password: string): Promise<void>;
	/** Activates an exported account. */
	import(config: ServerConfig, file: string, password: string): Promise<void>;
}
