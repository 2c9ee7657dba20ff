import { backboneErrors } from '../backbone-errors';

/**
 * Checks that the answer contains the requested object. Otherwise another object would be stored,
 * and the requested one would count as processed.
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
