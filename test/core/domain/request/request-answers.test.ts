import { loosely } from '../../../support/loosely';
import { answersOf, attributesInAnswer } from '../../../../core/domain/request/request-answers';
import type { JsonObject } from '../../../../core/model/json';
import type { RequestRecord } from '../../../../core/model/record/request';
import { attributeId, givenName, now, people, requestId } from './consumption-fixtures';

const read = (query: JsonObject): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: false,
	query,
});
const askFor = (valueType: string) => read({ '@type': 'IdentityAttributeQuery', valueType });
const given = (attribute: JsonObject): JsonObject => ({
	'@type': 'ReadAttributeAcceptResponseItem',
	result: 'Accepted',
	attributeId: attributeId('a'),
	attribute,
});
const accepted: JsonObject = { '@type': 'AcceptResponseItem', result: 'Accepted' };
const rejected: JsonObject = { '@type': 'RejectResponseItem', result: 'Rejected' };
const group = (type: string, ...items: JsonObject[]): JsonObject => ({ '@type': type, items });

function completed(items: JsonObject[], answers: JsonObject[]): RequestRecord {
	return {
		id: requestId('r'),
		isOwn: true,
		peer: people.B,
		createdAt: now,
		status: 'Completed',
		content: loosely({ '@type': 'Request', items }),
		response: {
			createdAt: now,
			content: {
				'@type': 'Response',
				result: 'Accepted',
				requestId: requestId('r'),
				items: answers.map((answer) => loosely(answer)),
			},
		},
		statusLog: [],
	};
}

const outcome = (items: JsonObject[], answers: JsonObject[]) =>
	answersOf(completed(items, answers), new Map());

describe('the answers to a request', () => {
	it('are named by the type of value that was asked for', () => {
		expect(outcome([askFor('GivenName')], [given(givenName('Ada', people.B))])).toEqual({
			GivenName: 'Ada',
		});
	});

	it('are a list in the order of the items where it was asked for several times', () => {
		const items = [
			askFor('GivenName'),
			group('RequestItemGroup', askFor('GivenName'), askFor('Surname')),
		];
		const answers = [
			given(givenName('Ada', people.B)),
			group('ResponseItemGroup', rejected, rejected),
		];
		expect(outcome(items, answers)).toEqual({ GivenName: ['Ada', null], Surname: null });
	});

	it('say whether a peer followed the links for credentials', () => {
		const items = [
			{ '@type': 'ShareCredentialOfferRequestItem', credentialOfferUrl: 'o:' },
			{ '@type': 'ShareAuthorizationRequestRequestItem', authorizationRequestUrl: 'v:' },
		];
		expect(outcome(items, [accepted, rejected])).toEqual({
			ShareCredentialOffer: true,
			ShareAuthorizationRequest: null,
		});
	});

	it('show the parts of a composite value', () => {
		const value = { '@type': 'BirthDate', day: 1, month: 2, year: 1990 };
		const attribute = { '@type': 'IdentityAttribute', owner: people.B, value };
		expect(outcome([askFor('BirthDate')], [given(attribute)])).toEqual({
			BirthDate: { day: 1, month: 2, year: 1990 },
		});
	});

	it('take what is known already from what was shared before', () => {
		const record = completed(
			[askFor('GivenName')],
			[
				{
					'@type': 'AttributeAlreadySharedAcceptResponseItem',
					result: 'Accepted',
					attributeId: attributeId('k'),
				},
			],
		);
		expect(attributesInAnswer(record)).toEqual([attributeId('k')]);
		const known = new Map([[attributeId('k'), givenName('Ada', people.B)]]);
		expect(answersOf(record, known)).toEqual({ GivenName: 'Ada' });
		expect(answersOf(record, new Map())).toEqual({ GivenName: null });
	});

	it('take the newest version', () => {
		const answer = {
			'@type': 'AttributeSuccessionAcceptResponseItem',
			result: 'Accepted',
			predecessorId: attributeId('o'),
			successorId: attributeId('n'),
			successorContent: givenName('Ada', people.B),
		};
		expect(outcome([askFor('GivenName')], [answer])).toEqual({ GivenName: 'Ada' });
	});

	it('to queries that name no type are known by what came, and refused ones by their key', () => {
		const third = read({
			'@type': 'ThirdPartyRelationshipAttributeQuery',
			key: 'customer',
			owner: '',
			thirdParty: [''],
		});
		const free = read({ '@type': 'IQLQuery', queryString: '#x' });
		const answers = [rejected, given(givenName('Ada', people.B))];
		expect(outcome([third, free], answers)).toEqual({ customer: null, GivenName: 'Ada' });
		expect(outcome([free], [rejected])).toEqual({ IQLQuery: null });
	});

	it('are there for whatever else asks', () => {
		const items = [
			{ '@type': 'AuthenticationRequestItem' },
			{ '@type': 'ConsentRequestItem', consent: 'c' },
			{ '@type': 'FreeTextRequestItem', freeText: 'q' },
			{ '@type': 'FormFieldRequestItem', title: 'Size' },
			{ '@type': 'ShareAttributeRequestItem' },
		];
		const answers = [
			accepted,
			rejected,
			{ '@type': 'FreeTextAcceptResponseItem', result: 'Accepted', freeText: 'text' },
			{ '@type': 'FormFieldAcceptResponseItem', result: 'Accepted', response: 7 },
			accepted,
		];
		expect(outcome(items, answers)).toEqual({
			Authentication: true,
			Consent: null,
			FreeText: 'text',
			Size: 7,
		});
	});

	it('are none while there is no response', () => {
		const { response: _response, ...open } = completed([askFor('GivenName')], []);
		expect(answersOf(open, new Map())).toEqual({});
	});
});
