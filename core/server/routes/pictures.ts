import * as z from 'zod';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { tokenDtoSchema, type TokenDto } from '../../model/record/token';
import { body, instant, pictureSize, qrCodeQuery, sharing } from './inputs';
import { repeatedBy, type Call, type CallOptions, type Picture } from './route';

/** Content of a QR code: a link, or a reference for the app (docs/protocol/http-api.md 9.1). */
export function qrFormat(query: { readonly newQRCodeFormat: boolean }): 'link' | 'reference' {
	return query.newQRCodeFormat ? 'link' : 'reference';
}

/** Appearance of a QR code; the use case checks it. */
export function qrStyle({ size }: { readonly size?: unknown }): { readonly size?: number } {
	return size === undefined ? {} : { size: Number(size) };
}

interface Shown {
	get(id: string, options: CallOptions): Promise<unknown>;
	qrCode(
		id: string,
		format: 'link' | 'reference',
		options: CallOptions & { readonly size?: number },
	): Promise<Uint8Array>;
}

/** Call of any path with an id. */
type IdCall<Body, Query> = Omit<Call<':id', Body, Query>, never>;
type ShownCall = IdCall<unknown, z.infer<typeof qrCodeQuery>>;

/**
 * Answers shared by routes that show an object, either as JSON or as a QR code of its reference.
 */
export function shownAnswers(objectsOf: (facade: GatewayFacade) => Shown) {
	return {
		query: qrCodeQuery,
		handle: ({ facade, parameters, options }: ShownCall): Promise<unknown> =>
			objectsOf(facade).get(parameters.id, options),
		picture: async ({ facade, parameters, query, options }: ShownCall): Promise<Picture> => ({
			id: parameters.id,
			png: await objectsOf(facade).qrCode(parameters.id, qrFormat(query), {
				...options,
				...qrStyle(query),
			}),
		}),
	};
}

const tokenBody = body({
	expiresAt: instant.optional(),
	ephemeral: z.boolean().optional(),
	...sharing,
	/** `true` selects a link for the QR code; any other value is accepted and means no */
	newQRCodeFormat: z.unknown().optional(),
});
type TokenCall = IdCall<z.infer<typeof tokenBody>, z.infer<typeof pictureSize>>;

type CreateToken = (call: TokenCall, input: object) => Promise<TokenDto>;

/**
 * Answers shared by routes that create a token for an object. A token for a QR code is never kept,
 * whatever the client asked for (docs/protocol/http-api.md 8.6, 8.12).
 */
export function tokenAnswers(create: CreateToken) {
	return {
		body: tokenBody,
		query: pictureSize,
		status: 201 as const,
		result: tokenDtoSchema,
		repeated: repeatedBy('tokens'),
		handle: (call: TokenCall): Promise<TokenDto> => {
			const { newQRCodeFormat: _format, ...input } = call.body;
			return create(call, input);
		},
		picture: async (call: TokenCall): Promise<Picture> => {
			const { newQRCodeFormat, ...input } = call.body;
			const token = await create(call, { ...input, ephemeral: true });
			const { facade, parameters } = call;
			const options = { ...call.options, ...qrStyle(call.query) };
			const format = qrFormat({ newQRCodeFormat: newQRCodeFormat === true });
			const png = await facade.tokens.qrCode(token.reference.truncated, format, options);
			return { id: parameters.id, png };
		},
	};
}
