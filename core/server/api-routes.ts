import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import { codeOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { AuditTrace } from './audit/audit-trace';
import { requiredRoles, requireRole } from './authentication/roles';
import { eventStreamPath } from './event-stream/event-stream';
import { answerOnce } from './idempotent-answer';
import { addressOf } from './input/request-address';
import { negotiate } from './input/negotiation';
import { listAnswer, type ListAnswerOptions } from './list-answer';
import { fileAnswer, jsonAnswer, pictureAnswer } from './route-answer';
import { routeInputReader } from './input/route-input';
import { events } from './routes/extensions/events';
import type { ServerAddress } from '../facade/gateway-facade';
import type { AnyCall, Route, RouteGroup } from './routes/route';
import type { ServerEnvironment } from './server-environment';
import { serverErrors } from './server-errors';
import type { ServerOptions } from './server-options';
import { surfacesOf, type Surface } from './surfaces';

const json = 'application/json';
const png = 'image/png';

interface Row {
	readonly route: Route;
	readonly group: RouteGroup;
}

type Answerer = (context: Context<ServerEnvironment>) => Promise<Response>;

/**
 * Registers the tables of routes under their prefixes (docs/protocol/http-api.md 2.2, 8).
 *
 * @param stop aborts requests in progress when the server closes; a disconnecting client aborts
 * nothing
 */
export function addApiRoutes(
	app: Hono<ServerEnvironment>,
	options: ServerOptions,
	stop: AbortSignal,
): void {
	for (const surface of surfacesOf(options)) addSurface(app, surface, { ...options, stop });
	const { connectorVersion: version = 6 } = options;
	// Clients that poll use the path of the event stream, which has no prefix.
	const { routes, ...group } = events[version];
	const pages = routes.filter(({ path }) => path === eventStreamPath);
	const groups = [{ ...group, routes: pages }];
	addSurface(app, { version, prefixes: [''], groups }, { ...options, stop });
}

interface Answering extends Pick<ServerOptions, 'facade' | 'logger' | 'authentication'> {
	readonly stop: AbortSignal;
}

function addSurface(
	app: Hono<ServerEnvironment>,
	{ prefixes, groups }: Surface,
	answering: Answering,
): void {
	const rows = groups.flatMap((group) => group.routes.map((route): Row => ({ route, group })));
	for (const ofShape of byShape(rows)) {
		const methods = ofShape.map(({ route }) => route.method);
		for (const prefix of prefixes) {
			for (const row of ofShape) {
				app.on(row.route.method, prefix + row.route.path, answererOf(row, answering));
			}
			// Registered before routes of the next shape, so that a fixed word is never taken for an id,
			// whatever the method.
			app.all(prefix + (ofShape[0]?.route.path ?? ''), () => refuseMethod(methods));
		}
	}
}

/** Groups routes that differ in their method only; fixed words come before parameters. */
function byShape(rows: readonly Row[]): ReadonlyArray<readonly Row[]> {
	const shapeOf = ({ route }: Row): string => route.path.replaceAll(/:\w+/g, ':');
	const shapes = [...Map.groupBy(rows, shapeOf)].sort(([a], [b]) => {
		const [left, right] = [a.split('/'), b.split('/')];
		const at = left.findIndex((word, index) => word !== right[index]);
		return Number(left[at] === ':') - Number(right[at] === ':');
	});
	return shapes.map(([, ofShape]) => ofShape);
}

function refuseMethod(allow: readonly string[]): Promise<never> {
	const message = 'The method is not allowed on this path.';
	return Promise.reject(serverErrors.create('methodNotAllowed', { message, facts: { allow } }));
}

function answererOf({ route, group }: Row, answering: Answering): Answerer {
	const { facade, logger, stop, authentication } = answering;
	const keyHeader = authentication?.apiKey.headerName.toLowerCase() ?? 'x-api-key';
	const roles = requiredRoles(group);
	const offers = route.picture === undefined ? [json] : [json, png];
	const readInput = routeInputReader(route);
	return async (context) => {
		context.set('record', route.record ?? group.record);
		const trace = context.get('audit');
		trace?.enter(route);
		requireRole(context.get('roles'), roles);
		refuseWebhook(context.env.incoming);
		const type = route.anyAccept === true ? json : requireAcceptable(context, offers);
		const input = await readInput(context);
		await trace?.begin(input.parameters);
		const call: AnyCall = {
			facade,
			...input,
			server: serverOf(context.env.incoming),
			options: { signal: stop, correlationId: context.get('correlationId') },
		};
		const answer =
			route.pages === undefined
				? await answerOnce(
						{
							route,
							call,
							request: [route.method, ...placeOf(context.req.url), type],
							incoming: context.env.incoming,
							keyHeader,
						},
						(once) => answerTo(once, route, type, trace),
					)
				: await listAnswer(route.pages(call), streaming(context, logger));
		if (route.anyAccept !== true) varyByAccept(answer);
		return answer;
	};
}

/**
 * Refuses a delivery of a webhook: a gateway that calls a gateway may cause events without end.
 * Targets are checked before, but several names can lead here.
 */
function refuseWebhook({ headers }: IncomingMessage): void {
	if (!/^(EVT|TEST)\w+-[\da-f]+$/.test(String(headers['webhook-id']))) return;
	const message = 'A webhook of a gateway must not call a gateway.';
	throw serverErrors.create('webhookLoop', { message });
}

/** Path and query of a request, without the host. */
function placeOf(url: string): string[] {
	const { path, query } = addressOf(url);
	return [path, query];
}

/** Addresses by which a client reaches this server, also through a proxy. */
function serverOf({ headers, socket }: IncomingMessage): ServerAddress {
	const given = [headers.host, headers['x-forwarded-host']].flat();
	const hosts = given.flatMap((host) => host?.split(',').map((one) => one.trim()) ?? []);
	return { hosts, port: socket.localPort };
}

function streaming(context: Context<ServerEnvironment>, logger: Logger): ListAnswerOptions {
	return {
		onStream: () => context.set('isStreamed', true),
		onFailure: (error) => {
			logger.error('a list could not be sent to its end', {
				code: codeOf(error),
				correlationId: context.get('correlationId'),
				reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
			});
			context.env.incoming.socket.destroy();
		},
	};
}

async function answerTo(
	call: AnyCall,
	route: Route,
	type: string,
	trace?: AuditTrace,
): Promise<Response> {
	if (route.download !== undefined) return fileAnswer(await route.download(call));
	if (type === png && route.picture !== undefined) {
		return pictureAnswer(await route.picture(call), route.status);
	}
	const result = await route.handle(call);
	if (route.status === 201) trace?.created(result);
	if (route.status === 204) return new Response(null, { status: 204 });
	return jsonAnswer({ result }, route.status, { isTagged: route.method === 'GET' });
}

/** Makes caches keep the representations apart (docs/protocol/http-api.md 2.3). */
function varyByAccept({ headers }: Response): void {
	const others = headers.get('vary');
	headers.set('vary', others === null ? 'Accept' : `Accept, ${others}`);
}

/** @throws `error.connector.http.notAcceptable` */
function requireAcceptable(context: Context<ServerEnvironment>, offers: readonly string[]): string {
	const type = negotiate(context.req.header('accept'), offers);
	if (type !== undefined) return type;
	throw serverErrors.create('notAcceptable', {
		message: `None of the accepted types can be answered: expected ${offers.join(' or ')}.`,
	});
}
