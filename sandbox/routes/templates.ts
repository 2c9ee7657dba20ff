import { forbidden, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { checkedBytes, maxContentBytes } from '../http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { idsOf, paged } from '../http/paging';
import type { TemplateRow } from '../state/records';
import { requireActive, requireAddress } from './identities';

/** docs/protocol/backbone-api.md 13 */
export const templateRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'relationshiptemplates',
		handle: (call, { state }) => {
			const caller = call.caller();
			requireActive(caller);
			const body = call.json();
			const allocations = body.optionalInteger('maxNumberOfAllocations');
			if (allocations !== undefined && allocations < 1) {
				throw invalidProperty('The number of allocations must be greater than 0.');
			}
			const forIdentity = body.optionalText('forIdentity');
			const template: TemplateRow = {
				id: state.newId('RLT'),
				createdBy: caller.identity.address,
				createdByDevice: caller.device.id,
				createdAt: state.timestamp(),
				content: body.bytes('content', 0, maxContentBytes),
				expiresAt:
					body.get('expiresAt') === undefined ? null : body.futureDate('expiresAt', state.now()),
				maxNumberOfAllocations: allocations ?? null,
				forIdentity: forIdentity === undefined ? null : requireAddress(forIdentity),
				password: body.optionalBytes('password', 1, 200) ?? null,
				allocations: [],
			};
			state.templates.set(template.id, template);
			return created({ id: template.id, createdAt: template.createdAt });
		},
	},
	{
		method: 'GET',
		path: 'relationshiptemplates/{}',
		handle: (call, sandbox) => {
			const template = sandbox.state.templates.get(call.parameters[0] ?? '');
			const password = passwordOf(call);
			const { identity } = call.caller();
			if (template === undefined || !isVisible(template, identity.address, password, sandbox)) {
				throw notFound('RelationshipTemplate');
			}
			allocate(template, identity.address, sandbox);
			return ok(shown(template));
		},
	},
	{
		method: 'GET',
		path: 'relationshiptemplates',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			const ids = idsOf(call.query, 'templates');
			if (ids.length === 0) throw invalidProperty('At least one template is needed.');
			const visible = ids
				.map((id, index) => ({
					template: sandbox.state.templates.get(id),
					password: call.query.get(`templates.${index}.password`),
				}))
				.filter(
					({ template, password }) =>
						template !== undefined &&
						isVisible(template, identity.address, password ?? undefined, sandbox),
				)
				.map(({ template }) => template as TemplateRow)
				.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
			return paged(visible, call.query, shown);
		},
	},
	{
		method: 'DELETE',
		path: 'relationshiptemplates/{}',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			const template = sandbox.state.templates.get(call.parameters[0] ?? '');
			if (template === undefined || !isVisible(template, identity.address, undefined, sandbox)) {
				throw notFound('RelationshipTemplate');
			}
			if (template.createdBy !== identity.address) throw forbidden();
			sandbox.state.templates.delete(template.id);
			return done;
		},
	},
];

/** Unknown, expired, meant for others and wrongly guessed passwords look the same from outside. */
export function isVisible(
	template: TemplateRow,
	address: string,
	password: string | undefined,
	{ state }: Sandbox,
): boolean {
	const isCreator = template.createdBy === address;
	const isExpired = template.expiresAt !== null && Date.parse(template.expiresAt) <= state.now();
	if (isExpired) {
		const relationships = state.relationshipsOf.get(address) ?? [];
		if (!relationships.some((row) => row.relationshipTemplateId === template.id)) return false;
	}
	if (isCreator) return true;
	if (template.forIdentity !== null && template.forIdentity !== address) return false;
	if (template.password === null || template.allocations.includes(address)) return true;
	return password !== undefined && isSame(password, template.password);
}

export function allocate(template: TemplateRow, address: string, { events }: Sandbox): void {
	if (template.createdBy === address || template.allocations.includes(address)) return;
	const max = template.maxNumberOfAllocations;
	if (max !== null && template.allocations.length >= max) {
		throw invalid('relationshipTemplate.maxNumberOfAllocationsExhausted');
	}
	template.allocations.push(address);
	if (max !== null && template.allocations.length === max) {
		events.add(template.createdBy, 'RelationshipTemplateAllocationsExhausted', {
			relationshipTemplateId: template.id,
		});
	}
}

function passwordOf(call: Call): string | undefined {
	const password = call.query.get('password');
	return password === null ? undefined : password;
}

/** Compared as bytes. In a query a plus sign may have become a space. */
export function isSame(given: string, stored: string): boolean {
	return checkedBytes(given.replaceAll(' ', '+'), 'password', 1, 200) === stored;
}

function shown(template: TemplateRow): object {
	const { password: _password, allocations: _allocations, ...rest } = template;
	return rest;
}
