import type { UnreadableItem } from '../../../core/backbone/port/backbone';
import { createdAt, failureOf, FixtureServer, problem, result } from './fixture-server';

const root = '/api/v2/Identities/Self/DeletionProcesses';

describe('the deletion of the own identity', () => {
	let server: FixtureServer;

	afterEach(() => server.close());

	it.each([
		['Active', 'Approved'],
		['Approved', 'Approved'],
		['WaitingForApproval', 'WaitingForApproval'],
		['Rejected', 'Rejected'],
		['Cancelled', 'Cancelled'],
		['Deleting', 'Deleting'],
	])('that the Backbone calls %s is called %s', async (status, expected) => {
		server = await FixtureServer.open({ [`GET ${root}/IDP1`]: result({ id: 'IDP1', status }) });
		const found = await server.connect().deletionProcesses.get('IDP1');
		expect(found).toEqual({ id: 'IDP1', status: expected });
	});

	it('keeps a status that is not known', async () => {
		server = await FixtureServer.open({
			[`GET ${root}`]: result([{ id: 'IDP1', status: 'Paused' }]),
		});
		const found = await server.connect().deletionProcesses.list();
		expect(found).toEqual([{ id: 'IDP1', status: 'Paused' }]);
	});

	it.each<[string, unknown]>([
		['no status', { id: 'IDP1' }],
		['a foreign id', { id: 'REL1', status: 'Active' }],
		['a date that is none', { id: 'IDP1', status: 'Active', gracePeriodEndsAt: 'soon' }],
	])('is left out of the list with %s, and the others stay', async (_name, process) => {
		const good = { id: 'IDP2', status: 'Cancelled' };
		server = await FixtureServer.open({ [`GET ${root}`]: result([process, good]) });
		const unreadable: UnreadableItem[] = [];
		const found = await server.connect().deletionProcesses.list({
			onUnreadable: (item) => unreadable.push(item),
		});
		expect(found).toEqual([good]);
		expect(unreadable.map(({ problem }) => problem.code)).toEqual([
			'error.gateway.backbone.unexpectedAnswer',
		]);
	});

	it('is not read from a list without end', async () => {
		const process = { id: 'IDP1', status: 'Cancelled', createdAt };
		const endless = Array.from({ length: 10_001 }, () => process);
		server = await FixtureServer.open({ [`GET ${root}`]: result(endless) });
		const error = await failureOf(server.connect().deletionProcesses.list());
		expect(error.code).toBe('error.gateway.backbone.pageTooLarge');
	});

	it.each([
		['start', `POST ${root}`],
		['cancel', `PUT ${root}/IDP1/Cancel`],
	] as const)('is not asked for twice by itself: %s', async (method, route) => {
		server = await FixtureServer.open({
			[route]: (_request, response) => response.socket?.destroy(),
		});
		const { deletionProcesses } = server.connect();
		await failureOf(
			method === 'start' ? deletionProcesses.start() : deletionProcesses.cancel('IDP1'),
		);
		expect(server.calls(route.split(' ')[1] ?? '')).toHaveLength(1);
	});

	it.each([
		'onlyOneActiveDeletionProcessAllowed',
		'deletionProcessIsNotInRequiredStatus',
		'gracePeriodHasAlreadyExpired',
	])('that is refused with %s is a conflict', async (name) => {
		const code = `error.platform.validation.device.${name}`;
		server = await FixtureServer.open({ [`PUT ${root}/IDP1/Cancel`]: problem(400, code) });
		const error = await failureOf(server.connect().deletionProcesses.cancel('IDP1'));
		expect(error).toMatchObject({ code, kind: 'conflict' });
	});

	it('cannot be approved where there is no approval', async () => {
		server = await FixtureServer.open();
		const error = await failureOf(server.connect().deletionProcesses.approve('IDP1'));
		expect(error.code).toBe('error.transport.request.notFound');
	});
});
