import { heldRoles } from '../../../../core/server/authentication/roles';

/* docs/protocol/connector-7.md 2 */
// shows connector-7 2: paragraph 3; paragraph 4
describe('a granted role of version 7', () => {
	it.each([
		['core:attributes', 'core:attributes'],
		['core:*', 'core:attributes'],
		['core:attr*', 'core:attributes'],
		['core:*ibut*', 'core:attributes'],
		['core:attributes*', 'core:attributes'],
		['*:attributes', 'core:attributes'],
		['core:requests:*', 'core:requests:incoming'],
		['*:*:*', 'core:requests:incoming'],
		['**', 'core:requests:incoming'],
		['core:**', 'core:requests'],
		['core:**', 'core:requests:incoming'],
		['core:**:incoming', 'core:requests:incoming'],
		['core:req**', 'core:requests:incoming'],
		['**:incoming', 'core:requests:incoming'],
		['debug:*', 'debug:identityDeletionProcess'],
	])('%s opens %s', (pattern, role) => {
		expect(heldRoles(7, [pattern]).has(role)).toBe(true);
		expect(heldRoles(7, ['other', pattern]).has(role)).toBe(true);
	});

	it.each([
		['core:unknown', 'core:attributes'],
		['core', 'core:attributes'],
		['core:', 'core:attributes'],
		['', 'core:attributes'],
		['*', 'core:attributes'],
		['core:*', 'core'],
		['core:**', 'core'],
		['core:*', 'core:requests:incoming'],
		['core:*:*', 'core:requests'],
		['core:**:incoming', 'core:incoming'],
		['core:attr', 'core:attributes'],
		['attributes', 'core:attributes'],
		['Core:Attributes', 'core:attributes'],
		['core:relationshiptemplates', 'core:relationshipTemplates'],
		['core.attributes', 'core:attributes'],
		['core:a.tributes', 'core:attributes'],
		['core:(attributes|files)', 'core:files'],
		['core:[a-z]+', 'core:files'],
		['monitoring:*', 'core:files'],
	])('%j does not open %s', (pattern, role) => {
		expect(heldRoles(7, [pattern]).has(role)).toBe(false);
	});

	it('is matched in a bounded time, however it is written', () => {
		const held = heldRoles(7, ['**a*'.repeat(4_000), '*'.repeat(16_000)]);
		const startedAtMs = performance.now();
		expect(held.has('core:relationshipTemplates')).toBe(true);
		expect(heldRoles(7, [`${'*a**'.repeat(4_000)}x`]).has('a'.repeat(30))).toBe(false);
		expect(performance.now() - startedAtMs).toBeLessThan(2_000);
	});
});
