import { idPrefixes, isId, type IdKind } from '../../model/ids';
import { ownText } from '../../model/json';
import { keysOf } from '../../base/members';
import type { Route } from '../routes/route';

type EnteredRoute = Pick<Route, 'method' | 'path' | 'isAudited'>;

const idKinds: readonly IdKind[] = keysOf(idPrefixes);
const address = /^did:e:[A-Za-z0-9.-]{1,253}:dids:[0-9a-f]{22}$/;
const accountName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What the audit learns about one call while it is answered. */
export class AuditTrace {
	/** route of the interface that the call has reached */
	route: EnteredRoute | undefined;

	/** id of the record that the call is about, or that it has created */
	object: string | undefined;

	/** number of the row that was written before the change */
	begunAs: number | undefined;

	/** @param recordBegun writes the row before a change */
	constructor(private readonly recordBegun: (trace: AuditTrace) => Promise<number>) {}

	/** Notes the route, before roles and input are checked. */
	enter(route: EnteredRoute): void {
		this.route = route;
	}

	/**
	 * Notes what the call is about. A change begins only when a row says so.
	 *
	 * @param parameters parameters of the path that their schemas have accepted
	 * @throws `error.gateway.audit.cannotRecord`
	 */
	async begin(parameters: Readonly<Record<string, string>>): Promise<void> {
		this.object = objectIn(parameters);
		if (this.changes) this.begunAs = await this.recordBegun(this);
	}

	/** Notes the record that the call has created. */
	created(result: unknown): void {
		const id = ownText(result, 'id') ?? '';
		if (isAnyId(id)) this.object = id;
	}

	get changes(): boolean {
		return this.route !== undefined && this.route.method !== 'GET';
	}
}

/**
 * Ids, addresses and names of accounts in a path. Nothing else is kept: a segment may be a
 * reference, which contains a key, or whatever a client has written there.
 */
function objectIn(parameters: Readonly<Record<string, string>>): string | undefined {
	const found = Object.entries(parameters)
		.filter(
			([name, text]) =>
				isAnyId(text) || address.test(text) || (name === 'name' && accountName.test(text)),
		)
		.map(([, text]) => text);
	return found.length === 0 ? undefined : found.join('/');
}

const isAnyId = (text: string): boolean => idKinds.some((kind) => isId(kind, text));
