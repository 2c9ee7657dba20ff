import { createLogger } from '../../../../core';
import { correlated } from '../../../../core/base/observation/correlation';
import { terminalSink } from '../../../../scripts/cli/terminal-log';

/* logging.format: json */
describe('a line of the log as JSON', () => {
	const written: string[] = [];
	beforeAll(() => {
		jest.spyOn(process.stderr, 'write').mockImplementation((line) => {
			written.push(String(line));
			return true;
		});
	});
	afterAll(() => jest.restoreAllMocks());
	beforeEach(() => void written.splice(0));

	const logger = createLogger(terminalSink('json'), 'gateway').child('sync');
	const line = (): unknown => {
		expect(written).toHaveLength(1);
		expect(written[0]).toMatch(/^[^\n]*\n$/);
		return JSON.parse(written[0] ?? '');
	};

	it('has the id of the request in which any part of the gateway writes it', () => {
		correlated('asked-1', () => logger.warn('a sync failed', { code: 'error.x', failures: 2 }));
		expect(line()).toEqual({
			time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
			level: 'warn',
			logger: 'gateway.sync',
			message: 'a sync failed',
			correlationId: 'asked-1',
			code: 'error.x',
			failures: 2,
		});
	});

	it('is one line whatever its texts are, and no fact replaces what every line has', () => {
		logger.error('first\n{"level":"info"}', { level: 'info', message: 'forged', reason: 'a\nb' });
		expect(line()).toMatchObject({
			level: 'error',
			message: 'first\n{"level":"info"}',
			reason: 'a\nb',
		});
		expect(line()).not.toHaveProperty('correlationId');
	});

	it('contains no secret', () => {
		logger.warn('refused', { clientSecret: 'very-secret', accessToken: 'very-secret' });
		expect(JSON.stringify(line())).not.toContain('very-secret');
	});
});
