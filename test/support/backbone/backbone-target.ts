export interface BackboneClient {
	readonly baseUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
	/** where the push service is not behind `baseUrl` */
	readonly pushUrl?: string;
}

const environment = (name: string): string => process.env[`ENMESHED_TEST_BACKBONE_${name}`] ?? '';

export interface BackboneTarget extends Omit<BackboneClient, 'pushUrl'> {
	readonly majorVersion: 6 | 7;
	readonly pushUrl: string | undefined;
	/** the older of the two versions of the interface */
	readonly servesV1: boolean;
	/** leaves out official runtimes */
	readonly isOnlyOurs: boolean;
}

/** The server that the run is for (`npm run test:backbone`); undefined: each test has a sandbox. */
export const target: BackboneTarget | undefined =
	environment('URL') === ''
		? undefined
		: {
				baseUrl: environment('URL'),
				clientId: environment('CLIENT_ID'),
				clientSecret: environment('CLIENT_SECRET'),
				majorVersion: environment('MAJOR') === '7' ? 7 : 6,
				pushUrl: environment('PUSH_URL') || undefined,
				servesV1: environment('SERVES_V1') !== '',
				isOnlyOurs: environment('ONLY_OURS') !== '',
			};

/** The report of a run against a server lists a test that fails with it as left out. */
export class NeedsSandbox extends Error {
	override readonly name = 'NeedsSandbox';

	constructor() {
		super('left out: needs the controls of the sandbox');
	}
}

/** As `NeedsSandbox`. */
export class OtherBackbone extends Error {
	override readonly name = 'OtherBackbone';

	constructor(majorVersion: number) {
		super(`left out: for Backbones of version ${majorVersion}`);
	}
}

/** As `NeedsSandbox`. */
export class NotServed extends Error {
	override readonly name = 'NotServed';

	constructor() {
		super('left out: the server does not have version 1 of the interface');
	}
}
