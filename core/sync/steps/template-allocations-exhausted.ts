import type { Step } from './index';

/** The last allocation of an own template was used; unknown templates are ignored (transport 14). */
export const templateAllocationsExhausted: Step<'RelationshipTemplateAllocationsExhausted'> = ({
	payload,
	services,
}) =>
	Promise.resolve(async (tx) => {
		await services.templates.announceExhausted(tx, payload.relationshipTemplateId);
		return {};
	});
