import {
	scopeOfCompletion,
	scopeOfPreparation,
} from '../../../../core/domain/message/sending/send-scope';

const mail = { '@type': 'Mail' };
const arbitrary = { '@type': 'ArbitraryMessageContent' };
const request = { '@type': 'Request' };

describe('the scope of a send', () => {
	it.each([mail, arbitrary])('of %j is the one of its recipients and its key', (content) => {
		expect(scopeOfPreparation(content, ['a', 'b'], undefined)).toEqual(['counter:a', 'counter:b']);
		expect(scopeOfPreparation(content, ['a'], 'k')).toEqual(['counter:a', 'key:k']);
		expect(scopeOfCompletion(content, 'SND1')).toEqual(['send:SND1']);
	});

	it.each([request, {}])('of %j is the whole account, because more is written', (content) => {
		expect(scopeOfPreparation(content, ['a'], 'k')).toBeUndefined();
		expect(scopeOfCompletion(content, 'SND1')).toBeUndefined();
	});
});
