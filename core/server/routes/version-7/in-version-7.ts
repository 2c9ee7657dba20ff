import { contentErrors } from '../../../model/content/content-errors';
import { fromVersion7Form } from '../../../model/content/version-7-form';
import { isJsonObject, ownText } from '../../../model/json';
import { shownInVersion7, type ShownShape } from '../../../model/version-7/shown-objects';
import { pictureSize } from '../inputs';
import type { AnyCall, ListPages, Route, RouteGroup } from '../route';

interface Differences {
	/** true if bodies carry contents, which are read in the form of version 7 */
	readonly hasContents?: boolean;
	/** members of a route that are others, by its method and path */
	readonly routes?: Readonly<Record<string, (route: Route) => Partial<Route>>>;
}

/**
 * Routes of version 6 as version 7 has them: results in its shapes, pictures of the link, and no
 * references for apps (docs/protocol/connector-7.md 5 to 7).
 */
export function inVersion7(
	group: RouteGroup,
	{ hasContents = false, routes = {} }: Differences = {},
): RouteGroup {
	const asCalled = (call: AnyCall): AnyCall => {
		refuseAppReference(call);
		return hasContents ? { ...call, body: fromVersion7Form(call.body) } : call;
	};
	return {
		...group,
		routes: group.routes.map((route) => {
			const changed = { ...route, ...routes[`${route.method} ${route.path}`]?.(route) };
			return routeInVersion7(changed, asCalled);
		}),
	};
}

function routeInVersion7(route: Route, asCalled: (call: AnyCall) => AnyCall): Route {
	const { handle, pages, picture, repeated } = route;
	const shape = shownInVersion7(route.result) ?? {
		schema: route.result,
		show: (value: unknown) => value,
	};
	return {
		...route,
		...(shape.schema === undefined ? {} : { result: shape.schema }),
		handle: async (call) => shape.show(await handle(asCalled(call))),
		...(repeated === undefined
			? {}
			: {
					repeated: {
						...repeated,
						answer: async (call, id) => shape.show(await repeated.answer(asCalled(call), id)),
					},
				}),
		...(pages === undefined ? {} : { pages: (call) => shownPages(pages(call), shape.show) }),
		...(picture === undefined
			? {}
			: { query: pictureSize, picture: (call) => picture(withLink(asCalled(call))) }),
	};
}

function shownPages(pages: ListPages, show: ShownShape['show']): ListPages {
	return {
		next: async () => {
			const page = await pages.next();
			if (page.done === true) return page;
			const shown = show(page.value);
			return { value: Array.isArray(shown) ? shown : page.value, done: false };
		},
	};
}

/** The picture shows the link, whatever the client asks for. */
function withLink(call: AnyCall): AnyCall {
	const format = { newQRCodeFormat: true };
	return {
		...call,
		query: { ...(isJsonObject(call.query) ? call.query : {}), ...format },
		body: { ...(isJsonObject(call.body) ? call.body : {}), ...format },
	};
}

/**
 * Refuses the form of references that only apps of version 6 read.
 *
 * @throws `error.runtime.unknown`
 */
function refuseAppReference({ body, parameters }: AnyCall): void {
	const reference = ownText(body, 'reference') ?? ownText(parameters, 'idOrReference');
	if (reference?.startsWith('nmshd://') !== true) return;
	throw contentErrors.create('unexpected', {
		message: 'An error was thrown in a UseCase: invalid input',
		facts: { field: 'reference' },
	});
}
