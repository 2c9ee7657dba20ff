/** How a sandbox Backbone behaves; limits default to those of the real one where it has a default. */
export interface SandboxSettings {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly majorVersion: 6 | 7;
	/** kind: events come at once, in order and once; real: as docs/protocol/backbone-api.md 2.12 says */
	readonly behaviour: 'kind' | 'real';
	/** what real behaviour draws from; default: another one each time */
	readonly seed: number;
	/** how many events come twice in real behaviour, from 0 to 1 */
	readonly repeatedShare: number;
	/** default: both for 6, `v2` for 7 */
	readonly apis?: ReadonlyArray<'v1' | 'v2'>;
	/** as Backbones up to 6.56: a deletion that somebody else starts waits for the owner's word */
	readonly hasDeletionApproval: boolean;
	readonly accessTokenLifetimeSeconds: number;
	readonly maxMessageRecipients: number;
	readonly maxUnreceivedMessages: number;
	/** how many the client may create; default: any number */
	readonly maxIdentities?: number;
	/** which apps may register for push; default: all */
	readonly pushAppIds?: readonly string[];
	readonly pushKeepAliveSeconds: number;
	/** own: the push stream is 404 here and served at another port, as without a proxy in between */
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
