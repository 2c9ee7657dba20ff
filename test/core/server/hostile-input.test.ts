import { AttackedGateway } from '../../../scripts/fuzz/attacked-gateway';
import { runFuzz, type FuzzReport } from '../../../scripts/fuzz/run-fuzz';

jest.setTimeout(300_000);

/* A share of what `npm run fuzz` sends: over all routes, with values that no client should send. */
const requests = 4_000;
let attacked: AttackedGateway;
let report: FuzzReport;

beforeAll(async () => {
	attacked = await AttackedGateway.open();
	report = await runFuzz(attacked, { requests, seed: 3 });
});
afterAll(async () => {
	await attacked.close();
});

describe('hostile input on every route', () => {
	it('is refused with a code of what is wrong with it, and changes nothing then', () => {
		expect(report.surprises).toEqual([]);
	});

	it('reaches the routes, what they check, and what they do', () => {
		expect(report.statuses.get(400)).toBeGreaterThan(requests / 3);
		expect(report.statuses.get(404)).toBeGreaterThan(0);
		expect(report.statuses.get(200)).toBeGreaterThan(0);
		expect(report.accepted).toBeGreaterThan(0);
		expect(report.codes.size).toBeGreaterThan(20);
	});

	it('is noticed when it changes something: the watch sees every commit', async () => {
		const before = attacked.watch.digests();
		attacked.watch.wasWritten();
		const sent = await fetch(`${attacked.address}/api/v2/Attributes`, {
			method: 'POST',
			headers: { 'x-api-key': attacked.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ content: { value: { '@type': 'Surname', value: 'Hopper' } } }),
		});
		expect(sent.status).toBe(201);
		expect(attacked.watch.wasWritten()).toBe(true);
		expect(attacked.watch.digests().get('attributes')).not.toBe(before.get('attributes'));
	});
});
