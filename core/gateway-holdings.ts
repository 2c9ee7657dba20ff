import { attributeHoldings } from './domain/attribute/attribute-holdings';
import type { Account } from './domain/identity/account';
import { messageHoldings } from './domain/message/message-holdings';
import type { RelationshipHoldings } from './domain/relationship-holdings';
import { requestHoldings } from './domain/request/request-holdings';
import { templateHoldings } from './domain/template/template-holdings';
import { tokenHoldings } from './domain/token/token-holdings';

/** Everything that is kept because of a relationship. A noun that keeps more adds its line here. */
export function relationshipHoldings({
	address,
}: Pick<Account, 'address'>): readonly RelationshipHoldings[] {
	return [
		messageHoldings(address),
		templateHoldings,
		tokenHoldings,
		attributeHoldings(address),
		requestHoldings,
	];
}
