import type { FileDto } from './file';
import type { TemplateDto } from './template';
import type { TokenDto } from './token';

/**
 * Data with which an existing device onboards a new one; every holder can act as that identity.
 * Keys are base64url of their JSON (docs/protocol/transport.md 16.6).
 */
export interface DeviceOnboardingInfoDto {
	readonly id: string;
	readonly createdAt: string;
	readonly createdByDevice: string;
	readonly name?: string;
	readonly description?: string;
	readonly profileName?: string;
	readonly secretBaseKey: string;
	readonly deviceIndex: number;
	readonly synchronizationKey: string;
	readonly identityPrivateKey?: string;
	readonly identity: { readonly address: string; readonly publicKey: string };
	readonly password: string;
	readonly username: string;
	readonly isBackupDevice: boolean;
}

/** Object that a reference refers to (docs/protocol/transport.md 9). */
export type LoadedItemDto =
	| { readonly type: 'RelationshipTemplate'; readonly value: TemplateDto }
	| { readonly type: 'File'; readonly value: FileDto }
	| { readonly type: 'Token'; readonly value: TokenDto }
	| { readonly type: 'DeviceOnboardingInfo'; readonly value: DeviceOnboardingInfoDto };
