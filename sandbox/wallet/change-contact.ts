import { WalletError } from './http/wallet-error';
import type { Person } from './person';
import type { ContactAction } from './shown/state';

/** Ends a relationship with a contact, or takes a step towards its end or its return. */
export async function changeContact(
	{ gateway }: Person,
	address: string,
	action: ContactAction,
): Promise<void> {
	const { relationshipId } = await gateway.contacts.get(address).catch(() => {
		throw new WalletError(404, 'This contact does not exist any more.');
	});
	const { relationships } = gateway;
	const actions: Readonly<Record<ContactAction, () => Promise<unknown>>> = {
		acceptReactivation: () => relationships.acceptReactivation(relationshipId),
		leave: () => relationships.terminate(relationshipId),
		reactivate: () => relationships.requestReactivation(relationshipId),
		remove: () => relationships.decompose(relationshipId),
		withdraw: () => relationships.revoke(relationshipId),
	};
	await actions[action]();
}

/** Connects by a template that asks for nothing. */
export async function connect({ gateway }: Person, templateId: string): Promise<void> {
	await gateway.relationships.create({
		templateId,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
	});
}
