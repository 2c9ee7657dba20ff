import { GatewayError } from '../../../../core/base/errors';
import { invalidInput } from '../../../../core/domain/input-errors';
import {
	isAcceptedLater,
	outcomeUnknown,
	unknownMessage,
} from '../../../../core/domain/message/message-failures';
import { intentRecord } from '../../../support/records';

const errorOf = (
	kind: GatewayError['kind'],
	code: GatewayError['code'] = 'error.gateway.store.busy',
) => new GatewayError({ code, kind, message: 'A failure.', remedy: 'Nothing.', facts: {} });

describe('an error of a send', () => {
	it.each([
		[errorOf('unavailable'), true],
		[errorOf('internal'), true],
		[errorOf('invalid'), false],
		[errorOf('conflict'), false],
		[
			errorOf('conflict', 'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached'),
			true,
		],
	])('%s is temporary: %s', (error, expected) => {
		expect(isAcceptedLater(error)).toBe(expected);
	});

	it('names its cause, with the code of our own error', () => {
		const cause = errorOf('unavailable');
		const known = outcomeUnknown(intentRecord('SND1'), cause);
		expect(known).toMatchObject({
			code: 'error.gateway.messages.outcomeUnknown',
			facts: { intentId: 'SND1' },
			cause,
		});
		expect(known.message).toContain('(error.gateway.store.busy: A failure.)');
		const other = outcomeUnknown(intentRecord('SND1'), 'something else');
		expect(other.cause).toBe('something else');
		expect(other.message).not.toContain('something else');
		expect('cause' in outcomeUnknown(intentRecord('SND1'))).toBe(false);
	});

	it('names the message or the field that it is about', () => {
		expect(unknownMessage('MSG1')).toMatchObject({
			code: 'error.runtime.recordNotFound',
			facts: { messageId: 'MSG1' },
		});
		expect(invalidInput('This is wrong.', 'recipients')).toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			message: 'This is wrong.',
			facts: { field: 'recipients' },
		});
	});
});
