import type { Gateway } from '../../../core';
import { isGatewayError } from '../../../core/base/errors';
import type { StatusAction } from '../../../core/domain/relationship/relationship-transitions';
import type { Life } from './life';

/** What a party does in a script; plain JSON, so that another process can do it as well. */
export type Operation =
	| { readonly kind: 'template'; readonly allocations?: number; readonly expiresAt: string }
	| { readonly kind: 'load'; readonly reference: string }
	| { readonly kind: 'create'; readonly templateId: string }
	| { readonly kind: 'deleteTemplate'; readonly id: string }
	| { readonly kind: StatusAction; readonly id: string }
	| {
			readonly kind: 'send';
			readonly to: string;
			/** of which there is only one in a script */
			readonly subject: string;
			readonly key?: string;
			readonly attachments: readonly string[];
	  }
	| { readonly kind: 'markAsRead'; readonly id: string }
	| { readonly kind: 'upload'; readonly content: string }
	| { readonly kind: 'token'; readonly expiresAt: string }
	| { readonly kind: 'loadToken'; readonly reference: string }
	| { readonly kind: 'deleteToken'; readonly id: string }
	| { readonly kind: 'sync' };

/** What later operations need to know of a result. */
export interface Made {
	readonly id: string;
	readonly reference: string;
}

export type Outcome =
	| { readonly status: 'done'; readonly made?: Made | undefined }
	/** nothing was done */
	| { readonly status: 'refused'; readonly code: string }
	/** the process died, or the Backbone could not tell it what became of its call */
	| { readonly status: 'unknown' };

/** @throws what is not a coded error: that is our fault, whatever happened to the process */
export async function attempt(
	gateway: Gateway,
	operation: Operation,
	life: Pick<Life, 'isExpired'>,
): Promise<Outcome> {
	try {
		return { status: 'done', made: await perform(gateway, operation) };
	} catch (error) {
		if (life.isExpired) return { status: 'unknown' };
		if (!isGatewayError(error)) throw error;
		const isUnknown =
			operation.kind === 'send'
				? error.code === 'error.gateway.messages.outcomeUnknown'
				: error.kind === 'unavailable';
		return isUnknown ? { status: 'unknown' } : { status: 'refused', code: error.code };
	}
}

async function perform(gateway: Gateway, operation: Operation): Promise<Made | undefined> {
	const { templates, relationships, messages, files, tokens, account } = gateway;
	switch (operation.kind) {
		case 'template': {
			const { allocations, expiresAt } = operation;
			return made(
				await templates.create({
					expiresAt,
					...(allocations === undefined ? {} : { maxNumberOfAllocations: allocations }),
					content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
				}),
			);
		}
		case 'load':
			return made(await templates.loadPeer({ reference: operation.reference }));
		case 'create':
			await relationships.create({
				templateId: operation.templateId,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 2 },
			});
			return undefined;
		case 'deleteTemplate':
			await templates.delete(operation.id);
			return undefined;
		case 'send':
			await sendMail(gateway, operation);
			return undefined;
		case 'markAsRead':
			await messages.markAsRead(operation.id);
			return undefined;
		case 'upload':
			return made(
				await files.upload(
					{ filename: 'a.txt', mimetype: 'text/plain' },
					Buffer.from(operation.content),
				),
			);
		case 'token':
			return made(await tokens.create({ content: { a: 1 }, expiresAt: operation.expiresAt }));
		case 'loadToken':
			return made(await tokens.loadPeer({ reference: operation.reference, ephemeral: false }));
		case 'deleteToken':
			await tokens.delete(operation.id);
			return undefined;
		case 'sync':
			await account.sync();
			return undefined;
		default:
			await relationships[operation.kind](operation.id);
			return undefined;
	}
}

async function sendMail(
	gateway: Gateway,
	{ to, subject, attachments, key }: Extract<Operation, { kind: 'send' }>,
): Promise<void> {
	const content = { '@type': 'Mail' as const, to: [to], subject, body: `about ${subject}` };
	await gateway.messages.send(
		{ recipients: [to], content, attachments },
		key === undefined ? {} : { idempotencyKey: key },
	);
}

function made({ id, truncatedReference }: { id: string; truncatedReference: string }): Made {
	return { id, reference: truncatedReference };
}
