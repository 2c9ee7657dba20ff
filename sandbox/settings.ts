/** How a sandbox Backbone behaves; limits default to those of the real one where it has a default. */
export interface SandboxSettings {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly majorVersion: 6 | 7;
	readonly accessTokenLifetimeSeconds: number;
	readonly maxMessageRecipients: number;
	readonly maxUnreceivedMessages: number;
	readonly hostname: string;
}

export const defaultSettings: SandboxSettings = {
	clientId: 'test',
	clientSecret: 'test',
	majorVersion: 6,
	accessTokenLifetimeSeconds: 300,
	maxMessageRecipients: 5,
	maxUnreceivedMessages: 20,
	hostname: 'localhost',
};
