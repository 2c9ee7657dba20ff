import * as z from 'zod';
import { facadePages } from '../../facade/list-pages';
import { fileDtoSchema } from '../../model/record/file';
import { parseReference } from '../../model/reference';
import { invalidPart } from '../server-errors';
import { body, filterSchema, id, instant, qrCodeQuery, referenceBody } from './inputs';
import { listSummary, owned } from './filter-fields';
import { route, type RouteGroup } from './route';
import { qrFormat, qrStyle, tokenAnswers } from './pictures';

const fileId = id('file');

const filterFields = filterSchema(
	[
		...['createdAt', 'createdBy', 'createdByDevice', 'description', 'expiresAt', 'filename'],
		...['filesize', 'mimetype', 'title', 'isOwn', 'tags', 'ownershipToken'],
	],
	['ownershipIsLocked'],
);

/** Parts of the form; the file is given as bytes. */
const uploadBody = body({
	content: z
		.custom<File>((value) => value instanceof File, 'must be a file')
		.refine((file) => file.size <= 10 * 1024 * 1024, "'content' is too large"),
	title: z.string().max(100_000).optional(),
	description: z.string().max(100_000).optional(),
	expiresAt: instant.optional(),
	tags: z.array(z.string().max(1_000)).max(1_000).optional(),
});

/** @see docs/protocol/http-api.md 8.6 */
export const files: RouteGroup = {
	name: 'Files',
	roles: ['admin', 'core:*', 'core:files'],
	record: 'File',
	routes: [
		route.post('/Files/Own', {
			summary: 'Stores a file at the Backbone, encrypted.',
			body: uploadBody,
			multipart: true,
			status: 201,
			result: fileDtoSchema,
			handle: async ({ facade, body: { content, ...rest }, options }) => {
				const filename = content.name.split(/[\\/]/).at(-1) ?? '';
				const mimetype = content.type.split(';', 1)[0]?.trim() ?? '';
				const described = { ...rest, filename, mimetype };
				const bytes = new Uint8Array(await content.arrayBuffer());
				return await facade.files.upload(described, bytes, options);
			},
		}),
		route.post('/Files/Peer', {
			summary: 'Loads the file of a reference, directly or through a token.',
			body: referenceBody('file', {}),
			inputMessage: 'token / file reference invalid',
			status: 201,
			result: fileDtoSchema,
			handle: ({ facade, body: input, options }) => facade.files.getOrLoad(input, options),
		}),
		...([undefined, 'Own', 'Peer'] as const).map((side) =>
			route.list(side === undefined ? '/Files' : `/Files/${side}`, {
				summary: listSummary('files', side),
				filters: filterFields,
				result: z.array(fileDtoSchema),
				pages: ({ facade, filters, options }) =>
					facadePages(facade.files, { where: owned(side), query: filters }, options),
			}),
		),
		route.get('/Files/:idOrReference', {
			summary: 'One file, by its id or by a reference to it.',
			parameters: { idOrReference: z.string().max(4_000) },
			query: qrCodeQuery,
			result: fileDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.files.get(fileIdOf(parameters.idOrReference), options),
			picture: async ({ facade, parameters, query, options }) => {
				const found = fileIdOf(parameters.idOrReference);
				const style = { ...options, ...qrStyle(query) };
				const png = await facade.files.qrCode(found, qrFormat(query), style);
				return { id: found, png };
			},
		}),
		route.download('/Files/:id/Download', {
			summary: 'The content of a file.',
			parameters: { id: fileId },
			download: ({ facade, parameters, options }) => facade.files.download(parameters.id, options),
		}),
		route.post('/Files/:id/Token', {
			summary: 'Creates a token for a file.',
			parameters: { id: fileId },
			...tokenAnswers(({ facade, parameters, options }, input) =>
				facade.files.createToken(parameters.id, input, options),
			),
		}),
		route.patch('/Files/:id/RegenerateOwnershipToken', {
			summary: 'Regenerates the ownership token of an own file, and unlocks the file.',
			parameters: { id: fileId },
			result: fileDtoSchema,
			anyAccept: true,
			handle: ({ facade, parameters, options }) =>
				facade.files.regenerateOwnershipToken(parameters.id, options),
		}),
		route.delete('/Files/:id', {
			summary: 'Deletes an own file for everyone, a file of a peer only here.',
			parameters: { id: fileId },
			anyAccept: true,
			handle: ({ facade, parameters, options }) => facade.files.delete(parameters.id, options),
		}),
	],
};

/** Id of a file, or the id inside a reference; a reference does not load the file. */
function fileIdOf(idOrReference: string): string {
	if (idOrReference.startsWith('FIL')) return idOrReference;
	try {
		return parseReference(idOrReference).id;
	} catch (cause) {
		throw invalidPart('invalidInput', 'id', 'id must be an id or a reference', cause);
	}
}
