import { setTimeout as delay } from 'node:timers/promises';
import { forbidden, invalid, invalidProperty, notFound } from '../http/backbone-error';
import { maxContentBytes, queryBytes, requireId } from '../http/body';
import { created, done, ok, type Call, type Route, type Sandbox } from '../http/context';
import { byCreation, itemsOf, paged } from '../http/paging';
import type { TemplateRow } from '../state/records';
import { requireAddress } from './identities';

/** delay between reading the number of allocations and adding one */
const raceMs = 20;

/** @see docs/protocol/backbone-api.md 13 */
export const templateRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: 'relationshiptemplates',
		handle: (call, { state, quotas }) => {
			const caller = call.caller();
			quotas.require(caller.identity, 'NumberOfRelationshipTemplates');
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
				expiresAt: body.optionalFutureDate('expiresAt', state.now()) ?? null,
				maxNumberOfAllocations: allocations ?? null,
				forIdentity: forIdentity === undefined ? null : requireAddress(forIdentity),
				password: body.optionalBytes('password', 1, 200) ?? null,
				allocations: [],
			};
			state.addTemplate(template);
			return created({ id: template.id, createdAt: template.createdAt });
		},
	},
	{
		method: 'GET',
		path: 'relationshiptemplates/{}',
		handle: async (call, sandbox) => {
			const template = find(call, sandbox);
			const password = passwordOf(call);
			const { identity } = call.caller();
			if (template === undefined || !isVisible(template, identity.address, password, sandbox)) {
				throw notFound('RelationshipTemplate');
			}
			await allocate(template, identity.address, sandbox);
			return ok(shown(template));
		},
	},
	{
		method: 'GET',
		path: 'relationshiptemplates',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			const items = itemsOf(call.query, 'templates', 'RLT');
			if (items.size === 0) throw invalidProperty('At least one template is needed.');
			const visible: TemplateRow[] = [];
			for (const [id, text] of items) {
				const password = text === undefined ? undefined : queryBytes(text, 'password', 1, 200);
				const template = sandbox.state.templates.get(id);
				if (template === undefined) continue;
				if (isVisible(template, identity.address, password, sandbox)) visible.push(template);
			}
			return paged(visible.sort(byCreation), call.query, shown);
		},
	},
	{
		method: 'DELETE',
		path: 'relationshiptemplates/{}',
		handle: (call, sandbox) => {
			const { identity } = call.caller();
			const template = find(call, sandbox);
			if (template === undefined || !isVisible(template, identity.address, undefined, sandbox)) {
				throw notFound('RelationshipTemplate');
			}
			if (template.createdBy !== identity.address) throw forbidden();
			sandbox.state.removeTemplate(template);
			sandbox.quotas.release('NumberOfRelationshipTemplates', template.createdBy, template);
			return done;
		},
	},
];

/**
 * Unknown, expired, personal and password-protected templates are indistinguishable to outsiders.
 */
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
	return password === template.password;
}

/**
 * Allocates without a lock: in real behaviour two concurrent calls can both get the last
 * allocation.
 */
export async function allocate(
	template: TemplateRow,
	address: string,
	{ state, events, settings }: Sandbox,
): Promise<void> {
	if (template.createdBy === address || template.allocations.includes(address)) return;
	const max = template.maxNumberOfAllocations;
	if (max !== null && template.allocations.length >= max) {
		throw invalid('relationshipTemplate.maxNumberOfAllocationsExhausted');
	}
	const isLast = max !== null && template.allocations.length + 1 === max;
	if (isLast && settings.behaviour === 'real') await delay(raceMs);
	if (!template.allocations.includes(address)) template.allocations.push(address);
	if (state.templates.has(template.id)) state.templates.save(template);
	if (isLast) {
		events.add(template.createdBy, 'RelationshipTemplateAllocationsExhausted', {
			relationshipTemplateId: template.id,
		});
	}
}

/** Password in its stored form. */
export function passwordOf(call: Call): string | undefined {
	const password = call.query.get('password');
	return password === null ? undefined : queryBytes(password, 'password', 1, 200);
}

function find(call: Call, { state }: Sandbox): TemplateRow | undefined {
	return state.templates.get(requireId('RLT', call.parameters[0]));
}

function shown(template: TemplateRow): object {
	const { password: _password, allocations: _allocations, ...rest } = template;
	return rest;
}
