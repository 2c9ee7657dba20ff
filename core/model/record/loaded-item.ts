import type { FileDto } from './file';
import type { TemplateDto } from './template';
import type { TokenDto } from './token';

/**
 * Data with which an existing device onboards a new one; every holder can act as that identity.
 * Keys are base64url of their JSON (docs/protocol/transport.md 16.6).
 */
export interface DeviceOnboardingInfoDto {
	/** `DVC` id of the new device */
	readonly id: string;
	/** ISO time at which the existing device created it */
	readonly createdAt: string;
	/** id of the existing device */
	readonly createdByDevice: string;
	/** name of the new device; absent if it has none */
	readonly name?: string;
	/** description of the new device; absent if it has none */
	readonly description?: string;
	/** name of the profile in the app; absent if it has none */
	readonly profileName?: string;
	/** key from which the devices derive common secrets */
	readonly secretBaseKey: string;
	/** number of the new device among the devices of the identity */
	readonly deviceIndex: number;
	/** key for data that the devices exchange */
	readonly synchronizationKey: string;
	/** private key of the identity; only devices of administrators get it */
	readonly identityPrivateKey?: string;
	/** identity of all the devices */
	readonly identity: {
		/** address of the identity */
		readonly address: string;
		/** base64url of the JSON form of its public key */
		readonly publicKey: string;
	};
	/** first password of the new device at the Backbone */
	readonly password: string;
	/** user name of the new device at the Backbone */
	readonly username: string;
	/** true for a device that only restores a lost identity */
	readonly isBackupDevice: boolean;
}

/** Object that a reference refers to (docs/protocol/transport.md 9). */
export type LoadedItemDto =
	| {
			/** a template, or a token for one */
			readonly type: 'RelationshipTemplate';
			/** the template, which is stored now */
			readonly value: TemplateDto;
	  }
	| {
			/** a file, or a token for one */
			readonly type: 'File';
			/** the file, which is stored now */
			readonly value: FileDto;
	  }
	| {
			/** a token with any other content */
			readonly type: 'Token';
			/** the token */
			readonly value: TokenDto;
	  }
	| {
			/** a token with which a device joins an identity */
			readonly type: 'DeviceOnboardingInfo';
			/** content of the token */
			readonly value: DeviceOnboardingInfoDto;
	  };
