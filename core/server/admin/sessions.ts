import { hash, randomBytes } from 'node:crypto';
import { systemClock } from '../../base/clock';
import type { HeldRoles } from '../authentication/roles';

/** Milliseconds without a call after which a person has to sign in again. */
const idleMs = 30 * 60_000;
/** Milliseconds after which a person has to sign in again in any case. */
const longestMs = 12 * 60 * 60_000;
const mostSessions = 1_000;

/** A person who is signed in. */
export interface Person {
	readonly name: string;
	readonly signIn: 'key' | 'openId';
	/** account that the page shows first; undefined for the default one */
	readonly home: string | undefined;
	/** end of the roles in milliseconds since the epoch; absent if they do not end */
	readonly expiresAtMs?: number | undefined;
	/** Roles in an account (undefined: the default one); undefined if it is not opened at all. */
	rolesIn(account: string | undefined): Promise<HeldRoles | undefined>;
}

export interface Session extends Person {
	/** text that calls have to repeat which change something */
	readonly csrf: string;
	/** milliseconds since the epoch */
	readonly endsAtMs: number;
}

interface Held {
	readonly session: Session;
	lastUsedMs: number;
}

/**
 * People who are signed in on the page for operators. They are in memory only: a restart signs
 * everybody out. The cookie's text is not kept, only its hash.
 */
export class Sessions {
	/** by the hash of the cookie, in the order of their last use */
	private readonly held = new Map<string, Held>();

	/** @returns text of the cookie, and the session */
	open(person: Person): { readonly cookie: string; readonly session: Session } {
		this.dropOld();
		const [oldest] = this.held.keys();
		if (this.held.size >= mostSessions && oldest !== undefined) this.held.delete(oldest);
		const now = systemClock.now();
		const cookie = randomBytes(32).toString('base64url');
		const endsAtMs = Math.min(now + longestMs, person.expiresAtMs ?? Number.POSITIVE_INFINITY);
		const csrf = randomBytes(32).toString('base64url');
		const session: Session = { ...person, csrf, endsAtMs };
		this.held.set(digestOf(cookie), { session, lastUsedMs: now });
		return { cookie, session };
	}

	/** Session of a cookie, which it keeps open; undefined if there is none. */
	find(cookie: string | undefined): Session | undefined {
		if (cookie === undefined) return undefined;
		this.dropOld();
		const digest = digestOf(cookie);
		const held = this.held.get(digest);
		if (held === undefined) return undefined;
		this.held.delete(digest);
		this.held.set(digest, held);
		held.lastUsedMs = systemClock.now();
		return held.session;
	}

	close(cookie: string | undefined): void {
		if (cookie !== undefined) this.held.delete(digestOf(cookie));
	}

	private dropOld(): void {
		const now = systemClock.now();
		for (const [digest, { session, lastUsedMs }] of this.held) {
			const isOver = session.endsAtMs <= now || lastUsedMs + idleMs <= now;
			// A clock that was set back must not keep a session open.
			if (isOver || lastUsedMs > now) this.held.delete(digest);
		}
	}
}

const digestOf = (cookie: string): string => hash('sha256', cookie, 'base64url');
