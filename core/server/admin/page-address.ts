import { decodedOrSame } from '../../base/encoding';
import { addressOf } from '../input/request-address';

/** Path of the page for operators, and of what it calls. */
export const adminPath = '/admin';

const pagePattern = /^\/admin(\/|$)/i;
const callPattern = /^\/admin\/api(\/.*)$/i;
const accountPattern = /^\/accounts\/([^/]+)(\/.*)?$/i;
/** Prefix of the routes of an account. */
const prefix = '/api/core/v1';
const ofAccountItself = /^\/(Export|Import)?\/?$/i;

/** A call of the page: the account that it is about, and its address among the routes of programs. */
export interface PageCall {
	/** undefined for the default account, which also has the routes for the others */
	readonly account: string | undefined;
	readonly url: string;
}

export const isOnAdminPage = (url: string): boolean => pagePattern.test(addressOf(url).path);

export const isWithoutSlash = (url: string): boolean =>
	addressOf(url).path.length === adminPath.length;

/**
 * Reads a call of the page: `/admin/api/default/Problems` is a route of the default account,
 * `/admin/api/accounts/school/Problems` one of another account, and `/admin/api/accounts` and
 * `/admin/api/accounts/school` are the routes for the accounts. Undefined for other addresses.
 */
export function pageCallOf(url: string): PageCall | undefined {
	const { path, query } = addressOf(url);
	const called = callPattern.exec(path)?.[1];
	if (called === undefined) return undefined;
	const suffix = query === '' ? '' : `?${query}`;
	const to = (target: string): string => new URL(target + suffix, url).href;
	const ofDefault = /^\/default(\/.*)$/i.exec(called)?.[1];
	if (ofDefault !== undefined) return { account: undefined, url: to(prefix + ofDefault) };
	if (/^\/accounts\/?$/i.test(called)) return { account: undefined, url: to(called) };
	const [, name = '', rest = ''] = accountPattern.exec(called) ?? [];
	if (name === '') return undefined;
	if (ofAccountItself.test(rest === '' ? '/' : rest))
		return { account: undefined, url: to(called) };
	return { account: decodedOrSame(name), url: to(`/accounts/${name}${prefix}${rest}`) };
}
