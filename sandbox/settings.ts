/** How a sandbox Backbone behaves; limits default to those of the real one where it has a default. */
export interface SandboxSettings {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly majorVersion: 6 | 7;
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
	readonly hostname: string;
}

export const defaultSettings: SandboxSettings = {
	clientId: 'test',
	clientSecret: 'test',
	majorVersion: 6,
	hasDeletionApproval: false,
	accessTokenLifetimeSeconds: 300,
	maxMessageRecipients: 5,
	maxUnreceivedMessages: 20,
	pushKeepAliveSeconds: 240,
	hostname: 'localhost',
};

export function servedApis({ majorVersion, apis }: SandboxSettings): ReadonlyArray<'v1' | 'v2'> {
	return apis ?? (majorVersion === 6 ? ['v1', 'v2'] : ['v2']);
}
