import type { Cancellable } from '../base/abort';
import type { Backbone } from '../backbone/port/backbone';
import type { IdentityDeletionService } from '../domain/identity/identity-deletion';

type Deletion = Pick<IdentityDeletionService, 'whileStaying'>;

/**
 * Backbone whose calls that need a quota are refused here while the identity is to be deleted,
 * because the Backbone refuses them with texts about quotas (docs/protocol/backbone-api.md 9.2,
 * 18.4).
 */
export function stayingBackbone(backbone: Backbone, deletion: Deletion): Backbone {
	const whileStaying = <Result>(
		call: () => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> => deletion.whileStaying(call, options);
	const guarded: Partial<Backbone> = {
		get messages() {
			const { messages } = backbone;
			const send: typeof messages.send = (body, options) =>
				whileStaying(() => messages.send(body, options), options);
			return { ...messages, send };
		},
		get files() {
			const { files } = backbone;
			const upload: typeof files.upload = (content, fields, options) =>
				whileStaying(() => files.upload(content, fields, options), options);
			return { ...files, upload };
		},
		get templates() {
			const { templates } = backbone;
			const create: typeof templates.create = (body, options) =>
				whileStaying(() => templates.create(body, options), options);
			return { ...templates, create };
		},
		get tokens() {
			const { tokens } = backbone;
			const create: typeof tokens.create = (body, options) =>
				whileStaying(() => tokens.create(body, options), options);
			return { ...tokens, create };
		},
		get relationships() {
			const { relationships } = backbone;
			const create: typeof relationships.create = (body, options) =>
				whileStaying(() => relationships.create(body, options), options);
			const accept: typeof relationships.accept = (id, content, options) =>
				whileStaying(() => relationships.accept(id, content, options), options);
			return { ...relationships, create, accept };
		},
	};
	return new Proxy(backbone, {
		get: (target, name): unknown =>
			Reflect.get(Object.hasOwn(guarded, name) ? guarded : target, name),
	});
}
