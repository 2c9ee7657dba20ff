import { attributeHoldings } from './domain/attribute/attribute-holdings';
import type { AttributeWriter } from './domain/attribute/attribute-writer';
import type { AttributeListenerService } from './domain/attribute-sharing/attribute-listener-service';
import type { Account } from './domain/identity/account';
import { identityMetadataHoldings } from './domain/identity-metadata/identity-metadata-holdings';
import { localNotificationHoldings } from './domain/local-notification/local-notification-holdings';
import { messageHoldings } from './domain/message/message-holdings';
import type { RelationshipHoldings } from './domain/relationship-holdings';
import { requestHoldings } from './domain/request/request-holdings';
import { settingHoldings } from './domain/setting/setting-holdings';
import { templateHoldings } from './domain/template/template-holdings';
import { tokenHoldings } from './domain/token/token-holdings';

/** Everything that is kept because of a relationship. A noun that keeps more adds its line here. */
export function relationshipHoldings(
	{ address }: Pick<Account, 'address'>,
	writer: () => AttributeWriter,
	listeners: () => Pick<AttributeListenerService, 'relationshipAccepted'>,
): readonly RelationshipHoldings[] {
	return [
		messageHoldings(address),
		templateHoldings,
		tokenHoldings,
		{
			...attributeHoldings(address, writer),
			accepted: (tx, relationship) => listeners().relationshipAccepted(tx, relationship),
		},
		requestHoldings,
		localNotificationHoldings,
		identityMetadataHoldings,
		settingHoldings,
	];
}
