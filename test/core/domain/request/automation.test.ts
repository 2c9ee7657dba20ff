import { loosely } from '../../../support/loosely';
import {
	automaticDecisions,
	requireUsable,
	type Automation,
} from '../../../../core/domain/request/decisions/automation';
import type { AutomationConfig } from '../../../../core/model/automation';
import type { JsonObject } from '../../../../core/model/json';
import type { RequestDto } from '../../../../core/model/record/request';
import { now, people, requestId } from './consumption-fixtures';

/* What the recorded scene of the decider does not show (docs/protocol/consumption.md 10.2). */

const login = (more: JsonObject = {}): JsonObject => ({
	'@type': 'AuthenticationRequestItem',
	mustBeAccepted: true,
	...more,
});

const requestWith = (content: JsonObject): RequestDto => ({
	id: requestId('r'),
	isOwn: false,
	peer: people.B,
	createdAt: now,
	status: 'DecisionRequired',
	content: loosely({ '@type': 'Request', items: [login()], ...content }),
	source: { type: 'Message', reference: 'MSG1' },
});

const read = (rules: AutomationConfig): Automation => ({ rules, version: 6 });
const accepting = (requestConfig: Record<string, unknown>): Automation =>
	read([{ requestConfig, responseConfig: { accept: true } }]);

const isDecided = (
	requestConfig: Record<string, unknown>,
	content: JsonObject = {},
	relationshipExists = true,
): boolean =>
	automaticDecisions(requestWith(content), accepting(requestConfig), relationshipExists) !==
	undefined;

const tagged = { attribute: { tags: ['a', 'b'], validTo: '2030-06-01T00:00:00.000Z' } };
const share = {
	items: [{ '@type': 'ShareAttributeRequestItem', mustBeAccepted: true, ...tagged }],
};

describe('a rule of the automation', () => {
	it.each<[string, Record<string, unknown>, boolean]>([
		['the peer', { peer: people.B }, true],
		['another peer', { peer: people.C }, false],
		['one of several peers', { peer: [people.C, people.B] }, true],
		['where the request came from', { 'source.type': 'Message' }, true],
		['a member that is not there', { 'content.title': 'T' }, false],
		['a value that is left open', { 'content.title': undefined, peer: people.B }, true],
		['a relationship that is there', { relationshipAlreadyExists: true }, true],
		['no relationship', { relationshipAlreadyExists: false }, false],
		['a relationship by a word', { relationshipAlreadyExists: 'true' }, false],
		['a list where a truth value is', { isOwn: [false] }, false],
		['the time of its arrival', { createdAt: '>2029-01-01T00:00:00Z' }, true],
		['a time between two', { createdAt: ['>2029-01-01', '<2031-01-01'] }, true],
		['a time outside of two', { createdAt: ['>2029-01-01', '<2029-06-01'] }, false],
		['the very time', { createdAt: now }, true],
		['a date that is none', { createdAt: '>tomorrow' }, false],
	])('fits by %s', (_what, requestConfig, expected) => {
		expect(isDecided(requestConfig)).toBe(expected);
	});

	it.each<[string, Record<string, unknown>, boolean]>([
		['a tag', { 'content.item.attribute.tags': 'b' }, true],
		['one of several tags', { 'content.item.attribute.tags': ['z', 'a'] }, true],
		['a tag that it has not', { 'content.item.attribute.tags': ['z'] }, false],
		['a date inside', { 'content.item.attribute.validTo': '<2031-01-01' }, true],
		[
			'a date on what is not a date',
			{ 'content.item.mustBeAccepted.validTo': '<2031-01-01' },
			false,
		],
		['an object by its text', { 'content.item.attribute': tagged.attribute }, true],
		['another object', { 'content.item.attribute': { tags: [] } }, false],
	])('fits an item by %s', (_what, requestConfig, expected) => {
		expect(isDecided(requestConfig, share)).toBe(expected);
	});

	it('without words about items accepts only what gives nothing away', () => {
		const free = {
			items: [{ '@type': 'FreeTextRequestItem', freeText: 'q', mustBeAccepted: true }],
		};
		expect(isDecided({}, free)).toBe(false);
		expect(isDecided({})).toBe(true);
		const rejecting: AutomationConfig = [{ requestConfig: {}, responseConfig: { accept: false } }];
		expect(automaticDecisions(requestWith(free), read(rejecting), true)).toHaveLength(1);
	});

	it('leaves a request alone in which one item wants a person', () => {
		const items = [
			login(),
			{ '@type': 'RequestItemGroup', items: [login({ requireManualDecision: true })] },
		];
		expect(isDecided({}, { items })).toBe(false);
	});

	it('that comes first decides about an item, and later ones about the rest', () => {
		const rules: AutomationConfig = [
			{
				requestConfig: { 'content.item.title': 'no' },
				responseConfig: { accept: false, code: 'c' },
			},
			{ requestConfig: {}, responseConfig: { accept: true } },
		];
		const group = { '@type': 'RequestItemGroup', items: [login({ title: 'no' }), login()] };
		expect(automaticDecisions(requestWith({ items: [login(), group] }), read(rules), true)).toEqual(
			[
				{ kind: 'item', accept: true, parameters: { accept: true } },
				{
					kind: 'group',
					items: [
						{ kind: 'item', accept: false, parameters: { accept: false, code: 'c' } },
						{ kind: 'item', accept: true, parameters: { accept: true } },
					],
				},
			],
		);
	});

	const code = 'error.runtime.decide.requestConfigDoesNotMatchResponseConfig';
	const about = (type: unknown): Record<string, unknown> => ({ 'content.item.@type': type });
	it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
		['a rejection', about('FreeTextRequestItem'), { accept: false, code: 'c' }, true],
		['a text for a free text', about('FreeTextRequestItem'), { accept: true, freeText: 'x' }, true],
		['nothing for a free text', about('FreeTextRequestItem'), { accept: true }, false],
		['no date for a deletion', about('DeleteAttributeRequestItem'), { accept: true }, false],
		['no attribute for a proposal', about('ProposeAttributeRequestItem'), { accept: true }, false],
		[
			'an attribute for what is asked',
			about('ReadAttributeRequestItem'),
			{ accept: true, newAttribute: {} },
			true,
		],
		['more than a yes to a consent', about('ConsentRequestItem'), { accept: true, x: 1 }, false],
		[
			'more than a yes to several types',
			about(['FreeTextRequestItem']),
			{ accept: true, x: 1 },
			false,
		],
		['more than a yes to everything', {}, { accept: true, freeText: 'x' }, false],
	])('is judged when the gateway opens: %s', (_what, requestConfig, responseConfig, isUsable) => {
		const config = [{ requestConfig, responseConfig }] as unknown as AutomationConfig;
		const judge = (): void => requireUsable(read(config));
		if (isUsable) expect(judge).not.toThrow();
		else expect(judge).toThrow(expect.objectContaining({ code }) as Error);
	});
});
