import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import * as z from 'zod';
import { isoInstant } from '../../base/clock';
import { safeParse } from '../../base/schema-parse';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { accountErrors } from '../accounts/account-errors';
import type { AppDependencies } from '../app';
import { openAuthentication, type Authentication } from '../authentication/authentication';
import { heldRoles, namesAccount, type HeldRoles } from '../authentication/roles';
import { canonicalPaths } from '../input/canonical-path';
import { addressOf } from '../input/request-address';
import { readBody } from '../input/request-body';
import { CachedPage } from '../openapi/cached-page';
import { observeRequests } from '../request-log';
import { jsonAnswer } from '../route-answer';
import type { ServerEnvironment } from '../server-environment';
import { invalidPart, serverErrors } from '../server-errors';
import type { ServedOptions } from '../server-options';
import { adminPath, isOnAdminPage, isWithoutSlash, pageCallOf } from './page-address';
import {
	cookieOf,
	forPage,
	headersForRoute,
	notSignedIn,
	refusal,
	refusalPage,
	requireCsrf,
	requireJson,
	requireOwnPage,
	sessionCookie,
	withCookie,
} from './page-requests';
import { permissionsOf, readingRoles } from './page-roles';
import { Sessions, type Person, type Session } from './sessions';
import { SignInRecord } from './sign-in-record';
import { SignInByProvider } from './sign-in-by-provider';

type Bindings = ServerEnvironment['Bindings'];

type Fetch = Hono<ServerEnvironment>['fetch'];

const signInCookie = 'enmeshed-sign-in';

const files = {
	'/': ['index.html', 'text/html; charset=utf-8'],
	'/page.js': ['page.js', 'text/javascript; charset=utf-8'],
	'/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const;

const contentSecurityPolicy = {
	defaultSrc: ["'none'"],
	baseUri: ["'none'"],
	connectSrc: ["'self'"],
	formAction: ["'self'"],
	frameAncestors: ["'none'"],
	imgSrc: ["'self'", 'data:'],
	scriptSrc: ["'self'"],
	styleSrc: ["'self'"],
};

const signInSchema = z.strictObject({ key: z.string().min(1).max(1_000) });

/**
 * Serves the page for operators at `/admin`, and the calls that it makes in the name of the person
 * who is signed in. Those are calls of the routes for programs, with the roles of this person
 * (docs/adr/0052).
 *
 * @param answer answers the routes for programs
 */
export function withAdminPage(
	options: ServedOptions,
	shared: AppDependencies,
	answer: Fetch,
): Fetch {
	const { admin, adminPage, hasApi = true } = options;
	// All that it shows comes from the routes for programs.
	if (adminPage === undefined || admin?.enabled !== true || !hasApi) return answer;
	const page = new AdminPage(options, shared, answer, adminPage);
	return (request, ...environment) =>
		isOnAdminPage(request.url)
			? page.fetch(request, ...environment)
			: answer(request, ...environment);
}

class AdminPage {
	private readonly sessions = new Sessions();

	/** by the accounts that they open */
	private readonly authentications = new WeakMap<GatewayFacade, Authentication>();

	/** undefined while the gateway keeps no audit */
	private readonly audit: SignInRecord | undefined;

	private readonly provider: SignInByProvider | undefined;

	private readonly app: Hono<ServerEnvironment>;

	constructor(
		private readonly options: ServedOptions,
		private readonly shared: AppDependencies,
		private readonly answer: Fetch,
		folder: string,
	) {
		const openId = options.admin?.openId;
		this.provider = openId === undefined ? undefined : new SignInByProvider(openId, options.logger);
		this.audit =
			options.audit === undefined
				? undefined
				: new SignInRecord((account) => this.facadeOf(account), options.logger);
		this.app = this.routes(folder);
	}

	readonly fetch: Fetch = async (request, bindings, execution) => {
		// The files of the page have addresses relative to its own, which ends with a slash.
		if (isWithoutSlash(request.url)) return redirect('admin/');
		const call = pageCallOf(request.url);
		if (call === undefined) return await this.app.fetch(request, bindings, execution);
		try {
			const session = this.required(request);
			const roles = await this.rolesFor(session, request, call.account);
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- what the adapter of Node always gives
			const { incoming } = bindings as Bindings;
			this.shared.connections.authenticate(incoming.socket);
			const { method, headers } = request;
			const target = new Request(call.url, { method, headers: headersForRoute(headers) });
			return forPage(await this.answer(target, { ...bindings, roles }, execution));
		} catch (error) {
			return refusal(error);
		}
	};

	private routes(folder: string): Hono<ServerEnvironment> {
		const { logger, metrics } = this.options;
		const paths = ['/session', '/sign-in', '/openid', '/openid-callback', ...Object.keys(files)];
		const canonical = canonicalPaths(paths);
		const app = new Hono<ServerEnvironment>({
			getPath: ({ url }) => canonical(addressOf(url).path.slice(adminPath.length)),
		});
		app.onError((error, { req }) =>
			// A browser shows the answer to these two; all others go to the page.
			/^\/openid/.test(req.path) ? refusalPage(error) : refusal(error),
		);
		app.use(observeRequests({ logger, metrics }));
		app.use(secureHeaders({ contentSecurityPolicy, referrerPolicy: 'no-referrer' }));
		for (const [path, [name, type]] of Object.entries(files)) {
			const headers = { 'content-type': type, 'cache-control': 'no-cache' };
			const file = new CachedPage(() => readFile(join(folder, name)), headers);
			app.get(path, (context) => file.answer(context));
		}
		app.use(async (context, next) => {
			await next();
			context.res.headers.set('cache-control', 'no-store');
		});
		app.get('/sign-in', () => jsonAnswer({ result: this.ways() }, 200));
		app.get('/session', async ({ req }) => await this.shown(this.required(req.raw)));
		app.post('/session', async ({ req, env }) => await this.signInByKey(req.raw, env));
		app.delete('/session', ({ req }) => this.signOut(req.raw));
		if (this.provider !== undefined) this.addProvider(app, this.provider);
		app.all('*', () => {
			throw serverErrors.create('routeDoesNotExist', { message: 'There is no such route.' });
		});
		return app;
	}

	private ways(): unknown {
		const openId = this.options.admin?.openId;
		return { key: true, ...(openId === undefined ? {} : { openId: { label: openId.label } }) };
	}

	private async signInByKey(request: Request, { incoming }: Bindings): Promise<Response> {
		requireOwnPage(request);
		requireJson(request);
		this.shared.attempts.requireFew(incoming);
		const parsed = safeParse(signInSchema, await readBody(incoming));
		if (!parsed.success) {
			const expected = "Expected the member 'key' with a key of this gateway.";
			throw invalidPart('invalidInput', 'key', expected);
		}
		const { key } = parsed.data;
		const person = await this.personOfKey(key);
		if (person === undefined) {
			this.shared.attempts.note(incoming, key);
			await this.audit?.refused(this.shared.attempts.addressOf(incoming));
			const asked = this.authenticationIn(undefined);
			if (asked !== undefined) return await asked.refuse();
			throw notOpen('The default account is not open, so only keys of open accounts are known.');
		}
		return await this.signIn(request, person);
	}

	/** Looks for the account that the key opens, the default one first. */
	private async personOfKey(key: string): Promise<Person | undefined> {
		const names = [undefined, ...(this.options.accounts?.names() ?? [])];
		for (const home of names) {
			const roles = await this.authenticationIn(home)?.rolesOfKey(key);
			if (roles === undefined) continue;
			return {
				name: roles.actor?.name ?? 'key',
				signIn: 'key',
				home,
				expiresAtMs: roles.expiresAtMs,
				// Looked up for each call, so that a revoked key ends the session.
				rolesIn: async (account) => await this.authenticationIn(account)?.rolesOfKey(key),
			};
		}
		return undefined;
	}

	private addProvider(app: Hono<ServerEnvironment>, provider: SignInByProvider): void {
		app.get('/openid', async ({ req }) => {
			const { address, browser } = await provider.begin();
			// The provider leads back from another site, so this cookie cannot be a strict one.
			return withCookie(redirect(address), req.raw, signInCookie, browser, 'Lax');
		});
		app.get('/openid-callback', async ({ req }) => {
			const browser = cookieOf(req.raw, signInCookie) ?? '';
			const { query } = addressOf(req.url);
			const { name, roles } = await provider.finish(browser, query);
			const held = { ...heldRoles(7, roles), actor: { kind: 'person', name } } as const;
			const names = [undefined, ...(this.options.accounts?.names() ?? [])];
			const opened = this.options.admin?.openId?.accounts ?? [];
			const opens = (account: string | undefined): boolean => namesAccount(opened, account);
			const { headers } = await this.signIn(req.raw, {
				...{ name, home: names.find(opens), signIn: 'openId' },
				rolesIn: (account) => Promise.resolve(opens(account) ? held : undefined),
			});
			const answer = redirect('./');
			for (const cookie of headers.getSetCookie()) answer.headers.append('set-cookie', cookie);
			return withCookie(answer, req.raw, signInCookie, '', 'Lax');
		});
	}

	private async signIn(request: Request, person: Person): Promise<Response> {
		const { cookie, session } = this.sessions.open(person);
		const answer = await this.shown(session).catch((error: unknown) => {
			this.sessions.close(cookie);
			throw error;
		});
		await this.audit?.signedIn(session.home, (await session.rolesIn(session.home))?.actor);
		return withCookie(answer, request, sessionCookie, cookie, 'Strict');
	}

	private signOut(request: Request): Response {
		requireCsrf(this.required(request), request);
		this.sessions.close(cookieOf(request));
		const answer = new Response(null, { status: 204 });
		return withCookie(answer, request, sessionCookie, '', 'Strict');
	}

	/** @throws `error.connector.forbidden` if the person may do nothing on the page */
	private async shown(session: Session): Promise<Response> {
		const { name, signIn, csrf, endsAtMs, home } = session;
		const roles = await session.rolesIn(home);
		if (roles === undefined) throw notSignedIn();
		const may = permissionsOf(roles);
		if (!Object.values(may).includes(true)) {
			throw serverErrors.create('forbidden', { message: roles.refusal });
		}
		const expiresAt = isoInstant(endsAtMs);
		return jsonAnswer({ result: { name, signIn, csrf, expiresAt, home, may } }, 200);
	}

	/** @throws `error.connector.unauthorized`, `error.gateway.http.foreignPage` */
	private required(request: Request): Session {
		requireOwnPage(request);
		const session = this.sessions.find(cookieOf(request));
		if (session === undefined) throw notSignedIn();
		return session;
	}

	private async rolesFor(
		session: Session,
		request: Request,
		account: string | undefined,
	): Promise<HeldRoles> {
		const isReading = request.method === 'GET' || request.method === 'HEAD';
		if (!isReading) requireCsrf(session, request);
		const known = account === undefined ? undefined : this.options.accounts?.find(account)?.name;
		const roles = await session.rolesIn(known);
		if (roles !== undefined) return isReading ? readingRoles(roles) : roles;
		// While an account is closed, it is not known what a key may do there, so no session ends by that.
		if (this.facadeOf(known) === undefined) throw notOpen('This account is not open.');
		if (known !== session.home) {
			throw serverErrors.create('forbidden', { message: 'You may not open this account.' });
		}
		this.sessions.close(cookieOf(request));
		throw notSignedIn();
	}

	/** Undefined while the account is not open. */
	private facadeOf(account: string | undefined): GatewayFacade | undefined {
		const { facade: main, accounts } = this.options;
		if (account !== undefined) return accounts?.find(account)?.facade;
		return typeof main === 'function' ? main() : main;
	}

	/** Undefined while the account is not open. */
	private authenticationIn(account: string | undefined): Authentication | undefined {
		const facade = this.facadeOf(account);
		if (facade === undefined) return undefined;
		const known = this.authentications.get(facade);
		if (known !== undefined) return known;
		const options = { ...this.options, facade, accountName: account };
		const authentication = openAuthentication(options, this.shared.attempts);
		this.authentications.set(facade, authentication);
		return authentication;
	}
}

const redirect = (location: string): Response =>
	new Response(null, { status: 302, headers: { location } });

const notOpen = (message: string): Error =>
	accountErrors.create('notRunning', { message, facts: { retryAfterSeconds: 5 } });
