import type { ContactUseCases } from '../facade/contacts';
import type { ServiceDependencies } from './service-dependencies';
import type { GatewayServices } from './services';

type ContactDataUseCases = Pick<ContactUseCases, 'getHistory' | 'export' | 'erase'>;

/** History, export and erasure of a contact. Few accounts use them, so the first call loads them. */
export function contactDataUseCases(
	{ store, account, clock }: ServiceDependencies,
	services: GatewayServices,
): ContactDataUseCases {
	const { contacts, problems, relationshipActions, files, tokens, templates } = services;
	return {
		getHistory: async (...given) => {
			const { ContactHistory } = await import('../domain/contact-data');
			return await new ContactHistory({ store, account, clock }).list(...given);
		},
		export: async (...given) => {
			const { ContactExport } = await import('../domain/contact-data');
			const contactExport = new ContactExport({
				...{ store, account },
				contact: contacts.get.bind(contacts),
				problems: (options) => problems.list({}, options),
			});
			return await contactExport.page(...given);
		},
		erase: async (...given) => {
			const { ContactErasure } = await import('../domain/contact-data');
			const contactErasure = new ContactErasure({
				...{ store, account, clock },
				decompose: relationshipActions.decomposeEnded.bind(relationshipActions),
				deleteFile: files.deleteOwn.bind(files),
				deleteToken: tokens.deleteOwn.bind(tokens),
				deleteTemplate: templates.deleteOwn.bind(templates),
			});
			return await contactErasure.erase(...given);
		},
	};
}
