import { waitOrAbort } from '../base/abort';
import { ContactErasure } from '../domain/contact-data/contact-erasure';
import { ContactExport } from '../domain/contact-data/contact-export';
import { ownMember } from '../model/json';
import { Problems } from '../problems/problems';
import { SyncDemand } from '../sync/sync-demand';
import { Resumption } from '../resumption/resumption';
import { openDomain } from './domain-services';
import type { ServiceDependencies } from './service-dependencies';
import { openWebhookServices } from './webhook-services';
import { openSync } from './sync-services';

export type GatewayServices = ReturnType<typeof openServices>;

/** All services of an open gateway, connected with each other. */
export function openServices(parts: ServiceDependencies) {
	const { store, clock, consumers, stop } = parts;
	const demand = new SyncDemand();
	const domain = openDomain(parts, demand.request.bind(demand));
	const sync = openSync(parts, domain, demand);
	const problems = new Problems({
		store,
		clock,
		messages: domain.messages,
		sendIntents: domain.sendIntents,
		wakeConsumers: consumers.wakeUp.wake.bind(consumers.wakeUp),
		sync: (options) => waitOrAbort(sync.engine.run({ signal: stop.signal }), options),
	});
	const contactExport = new ContactExport({
		...{ store, account: parts.account },
		contact: domain.contacts.get.bind(domain.contacts),
		problems: (options) => problems.list({}, options),
	});
	const { relationshipActions, files, tokens, templates } = domain;
	const contactErasure = new ContactErasure({
		...{ store, account: parts.account, clock },
		decompose: relationshipActions.decomposeEnded.bind(relationshipActions),
		deleteFile: files.deleteOwn.bind(files),
		deleteToken: tokens.deleteOwn.bind(tokens),
		deleteTemplate: templates.deleteOwn.bind(templates),
	});
	const resumption = new Resumption({
		store,
		logger: parts.logger.child('waits'),
		waits: domain.waits,
		wakeUp: consumers.wakeUp,
		keepSynced: sync.loop.subscribe.bind(sync.loop),
		sendMail: (peer, { subject, body }, options) =>
			domain.messages.send(
				{ recipients: [peer], content: { '@type': 'Mail', to: [peer], subject, body } },
				options,
			),
		askPerson: async (peer, content, options) => {
			if (content['@type'] === 'Mail') {
				const mail = { ...content, to: [peer] };
				return await domain.messages.send({ recipients: [peer], content: mail }, options);
			}
			const draft = await domain.outgoingRequests.create({ peer, content }, options);
			const input = { recipients: [peer], content: draft.content };
			const isSent = await domain.messages.send(input, options).then(
				(message) => ownMember(message.content, 'id') === draft.id,
				async (error: unknown) => {
					await domain.outgoingRequests.discard(draft.id).catch(() => undefined);
					throw error;
				},
			);
			// A repetition found the message of the first attempt, which contains another draft.
			if (!isSent) await domain.outgoingRequests.discard(draft.id, options);
		},
	});
	const webhooks = openWebhookServices(parts);
	return { ...domain, ...sync, ...webhooks, problems, contactExport, contactErasure, resumption };
}
