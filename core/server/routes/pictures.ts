import * as z from 'zod';
import type { GatewayFacade } from '../../facade';
import { tokenDtoSchema, type TokenDto } from '../../model/record/token';
import { body, instant, newQRCodeFormat, sharing } from './inputs';
import type { CallOptions, Picture } from './route';

/** What stands in a QR code: a link, or a reference for the app (docs/protocol/http-api.md 9.1). */
export function qrFormat(query: { readonly newQRCodeFormat: boolean }): 'link' | 'reference' {
	return query.newQRCodeFormat ? 'link' : 'reference';
}

interface Shown {
	get(id: string, options: CallOptions): Promise<unknown>;
	qrCode(id: string, format: 'link' | 'reference', options: CallOptions): Promise<Uint8Array>;
}

interface ShownCall {
	readonly facade: GatewayFacade;
	readonly parameters: Readonly<Record<'id', string>>;
	readonly query: { readonly newQRCodeFormat: boolean };
	readonly options: CallOptions;
}

/** What the routes have in common that show one object, also as QR code of its own reference. */
export function shownAnswers(objectsOf: (facade: GatewayFacade) => Shown) {
	return {
		query: newQRCodeFormat,
		status: 200 as const,
		handle: ({ facade, parameters, options }: ShownCall): Promise<unknown> =>
			objectsOf(facade).get(parameters.id, options),
		picture: async ({ facade, parameters, query, options }: ShownCall): Promise<Picture> => ({
			id: parameters.id,
			png: await objectsOf(facade).qrCode(parameters.id, qrFormat(query), options),
		}),
	};
}

const tokenBody = body({
	expiresAt: instant.optional(),
	ephemeral: z.boolean().optional(),
	...sharing,
	/** of the QR code: a link where it is true, whatever else it may be */
	newQRCodeFormat: z.unknown().optional(),
});
type TokenBody = z.infer<typeof tokenBody>;

interface TokenCall {
	readonly facade: GatewayFacade;
	readonly parameters: Readonly<Record<'id', string>>;
	readonly body: TokenBody;
	readonly options: CallOptions;
}

type CreateToken = (call: TokenCall, input: object) => Promise<TokenDto>;

/**
 * What the routes have in common that make a token for an object. One that is shown as a QR code is
 * not kept, whatever was asked for (docs/protocol/http-api.md 8.6, 8.12).
 */
export function tokenAnswers(create: CreateToken) {
	return {
		body: tokenBody,
		status: 201 as const,
		result: tokenDtoSchema,
		handle: (call: TokenCall): Promise<TokenDto> => {
			const { newQRCodeFormat: _format, ...input } = call.body;
			return create(call, input);
		},
		picture: async (call: TokenCall): Promise<Picture> => {
			const { newQRCodeFormat, ...input } = call.body;
			const token = await create(call, { ...input, ephemeral: true });
			const { facade, parameters, options } = call;
			const format = qrFormat({ newQRCodeFormat: newQRCodeFormat === true });
			const png = await facade.tokens.qrCode(token.reference.truncated, format, options);
			return { id: parameters.id, png };
		},
	};
}
