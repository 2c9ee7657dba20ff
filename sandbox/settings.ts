/** Settings of a sandbox Backbone; where the real Backbone has limits, they are the defaults. */
export interface SandboxSettings {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly majorVersion: 6 | 7;
	/**
	 * kind: events arrive at once, in order and once; real: as in docs/protocol/backbone-api.md 2.12
	 */
	readonly behaviour: 'kind' | 'real';
	/** seed of real behaviour; default: random */
	readonly seed: number;
	/** share of events that arrive twice in real behaviour, from 0 to 1 */
	readonly repeatedShare: number;
	/** default: both for 6, `v2` for 7 */
	readonly apis?: ReadonlyArray<'v1' | 'v2'>;
	/** true for Backbones up to 6.56: a deletion started by support waits for the owner's approval */
	readonly hasDeletionApproval: boolean;
	readonly accessTokenLifetimeSeconds: number;
	readonly maxMessageRecipients: number;
	readonly maxUnreceivedMessages: number;
	/** maximum number of identities of the client; default: unlimited */
	readonly maxIdentities?: number;
	/** apps that may register for push; default: all */
	readonly pushAppIds?: readonly string[];
	readonly pushKeepAliveSeconds: number;
	/**
	 * own: the push stream is 404 here and served at another port, as on a Backbone without a proxy
	 */
	readonly pushAt: 'same' | 'own';
	readonly hostname: string;
}

export const defaultSettings: Omit<SandboxSettings, 'seed'> = {
	clientId: 'test',
	clientSecret: 'test',
	majorVersion: 6,
	behaviour: 'kind',
	repeatedShare: 0.12,
	hasDeletionApproval: false,
	accessTokenLifetimeSeconds: 300,
	maxMessageRecipients: 1,
	maxUnreceivedMessages: 20,
	pushKeepAliveSeconds: 240,
	pushAt: 'same',
	hostname: 'localhost',
};

export function servedApis({ majorVersion, apis }: SandboxSettings): ReadonlyArray<'v1' | 'v2'> {
	return apis ?? (majorVersion === 6 ? ['v1', 'v2'] : ['v2']);
}
