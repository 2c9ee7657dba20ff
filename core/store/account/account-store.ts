import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Timings } from '../../base/timings';
import type { GatewayConfig } from '../../config';
import type { IdentityRecord } from '../../model/record/identity';
import type { Store } from '../store';

export interface StoreDependencies {
	readonly clock: Clock;
	readonly random: Random;
	readonly timings?: Pick<Timings, 'sqliteBusyMs'>;
	/** environment variables; the default is the environment of the host process */
	readonly environment?: NodeJS.ProcessEnv;
}

export type AccountConfig = Pick<
	GatewayConfig,
	'account' | 'store' | 'passphrase' | 'previousClientSecret'
> & {
	readonly backbone: Pick<GatewayConfig['backbone'], 'clientSecret'>;
	/** true to seal the contents of a newly created account; false by default */
	readonly sealContents?: boolean | undefined;
};

export interface ProofOptions extends Cancellable {
	/**
	 * Called before a client secret becomes the proof of an account; rejects if the secret is wrong.
	 * Otherwise a mistyped secret would lock out the person who corrects it.
	 */
	readonly approveClientSecret?: () => Promise<void>;
}

/** Store that can check again whether a changed configuration still proves its account. */
export interface AccountStore extends Store {
	/**
	 * Checks the proof of a configuration.
	 *
	 * @throws the codes of `openStore` that concern the proof, and errors of `approveClientSecret`
	 */
	prove(config: AccountConfig, options?: ProofOptions): Promise<void>;
}

/** Result of the credential test, which opens and creates nothing. */
export type AccountPeek =
	| { readonly state: 'none' }
	| { readonly state: 'proven'; readonly identity: IdentityRecord | undefined };
