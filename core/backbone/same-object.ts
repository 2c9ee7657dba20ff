import { backboneErrors } from './backbone-errors';

/**
 * What was asked for by its id, as it was answered: another object in its place would be stored, and
 * the right one taken for done.
 *
 * @throws `error.gateway.backbone.unexpectedAnswer`
 */
export async function sameObject<Wire extends { readonly id?: string | null | undefined }>(
	id: string,
	answer: Promise<Wire>,
): Promise<Wire> {
	const wire = await answer;
	if (wire.id == null || wire.id === id) return wire;
	throw backboneErrors.create('unexpectedAnswer', {
		message: `The Backbone was asked for ${id} and answered with ${wire.id}.`,
		facts: { askedFor: id, answered: wire.id },
	});
}
