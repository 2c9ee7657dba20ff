/** What the signed-in person may do; the server decides again at every call. */
export interface Session {
	readonly name: string;
	readonly signIn: 'key' | 'openId';
	readonly expiresAt?: string;
	readonly csrf: string;
	/** account that the page shows first; absent for the default one */
	readonly home?: string;
	readonly may: Readonly<
		Record<'accounts' | 'keys' | 'problems' | 'webhooks' | 'people' | 'change', boolean>
	>;
}

/** Ways to sign in that the gateway offers. */
export interface SignInWays {
	readonly key: boolean;
	readonly openId?: { readonly label: string };
}

/** Call that was refused or not answered. */
export class CallError extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly code?: string,
		/** identifies the failure in the log of the gateway */
		readonly id?: string,
	) {
		super(message);
	}

	/** Whether the thing that the call was about does not exist any more. */
	get isGone(): boolean {
		return this.status === 404 || /(unknown|otFound)$/.test(this.code ?? '');
	}
}

interface Envelope {
	readonly result?: unknown;
	readonly error?: { readonly id?: string; readonly code?: string; readonly message?: string };
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

let csrf = '';
let whenSignedOut = (): void => undefined;

/** Sets what proves that a call comes from this page. */
export function setCsrf(token: string): void {
	csrf = token;
}

/** Sets what happens once the gateway no longer knows the session. */
export function onSignedOut(listener: () => void): void {
	whenSignedOut = listener;
}

/** Calls the gateway; paths are relative to this page, so that it works below any path. */
export async function call<Result>(method: Method, path: string, body?: object): Promise<Result> {
	const response = await fetch(`./${path}`, {
		method,
		headers: {
			accept: 'application/json',
			...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	}).catch(() => {
		throw new CallError('The gateway does not answer. Look whether it is running.', 0);
	});
	const { result, error = {} } = (await response.json().catch(() => ({}))) as Envelope;
	if (response.ok) return result as Result;
	if (response.status === 401 && path !== 'session') whenSignedOut();
	const message = error.message ?? `The gateway failed (status ${response.status}).`;
	throw new CallError(message, response.status, error.code, error.id);
}

/** Calls a route of one account, such as `Account/Problems`. */
export type AccountCall = <Result>(method: Method, route: string, body?: object) => Promise<Result>;

/** What every view of an account gets. */
export interface AccountProps {
	/** path of the account below `api`, and in the address */
	readonly account: string;
	readonly ask: AccountCall;
	/** whether the person may change something */
	readonly mayChange: boolean;
	/** what the view shows of its records: the address of a person, a filter */
	readonly rest: readonly string[];
}

/** @param account path of the account below `api`, `default` or `accounts/…` */
export function callsOf(account: string): AccountCall {
	return (method, route, body) => call(method, `api/${account}/${route}`, body);
}
