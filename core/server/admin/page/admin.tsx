import { useEffect, useState } from 'preact/hooks';
import { Accounts } from './accounts';
import { callsOf, call, CallError, onSignedOut, setCsrf, type Session } from './api';
import { Deliveries } from './deliveries';
import { Keys } from './keys';
import { Overview } from './overview';
import { enteredIn, formOf, Shown, useLoad, ViewTitle } from './parts';
import { People } from './people';
import { Person } from './person';
import { defaultName, linkTo, pathOfAccount, placeIn, type Place } from './place';
import { Problems } from './problems';
import { Search } from './search';
import { restorePlace, SignIn } from './sign-in';

/** Tabs of an account, with the right that each needs and the view that it shows. */
const tabs = [
	['overview', 'Overview', undefined, Overview],
	['people', 'People', 'people', People],
	['problems', 'Problems', 'problems', Problems],
	['deliveries', 'Deliveries', 'webhooks', Deliveries],
	['keys', 'Keys', 'keys', Keys],
] as const;

/** Whole page: the sign-in, or the view that the address names. */
export function Admin() {
	const [session, setSession] = useState<Session | 'none'>();
	const place = usePlace();
	const known = useLoad('session', async () => {
		if (session !== undefined) return;
		setSession(await call<Session>('GET', 'session').catch(noSession));
	});
	useEffect(() => {
		restorePlace();
		onSignedOut(() => setSession('none'));
	}, []);

	if (session === undefined) {
		return (
			<main class="narrow">
				<Shown of={known}>{() => null}</Shown>
			</main>
		);
	}
	if (session === 'none') return <SignIn onSession={setSession} />;
	setCsrf(session.csrf);
	const signOut = async (): Promise<void> => {
		await call('DELETE', 'session').catch(() => undefined);
		setSession('none');
	};
	return (
		<>
			<Head session={session} text={place.text} onSignOut={() => void signOut()} />
			<main key={JSON.stringify(place)}>
				<View session={session} place={place} />
			</main>
		</>
	);
}

function noSession(error: unknown): 'none' {
	if (error instanceof CallError && error.status === 401) return 'none';
	throw error;
}

/** Place that the address names; follows the address. */
function usePlace(): Place {
	const [hash, setHash] = useState(location.hash);
	useEffect(() => {
		const follow = (): void => setHash(location.hash);
		addEventListener('hashchange', follow);
		return () => removeEventListener('hashchange', follow);
	}, []);
	return placeIn(hash);
}

interface HeadProps {
	readonly session: Session;
	/** words of the search */
	readonly text: string;
	readonly onSignOut: () => void;
}

function Head({ session, text, onSignOut }: HeadProps) {
	const { name, signIn, may, home } = session;
	const search = (event: Event): void => {
		const words = enteredIn(formOf(event), 'text');
		if (words !== '') location.hash = linkTo('search', words);
	};
	return (
		<header>
			<a
				class="brand"
				href={seesAccounts(session) ? linkTo('accounts') : linkTo(pathOfAccount(home))}
			>
				Gateway administration
			</a>
			<form role="search" onSubmit={search}>
				<input
					type="search"
					name="text"
					aria-label="Search accounts and people"
					placeholder="Search accounts and people"
					value={text}
				/>
				<button>Search</button>
			</form>
			<div class="person">
				<span class="quiet">
					{signIn === 'key' ? 'Signed in by a key' : name}
					{may.change ? '' : ', may only look'}
				</span>
				<button type="button" onClick={onSignOut}>
					Sign out
				</button>
			</div>
		</header>
	);
}

/** The list of accounts belongs to the default account, which a key of another one does not open. */
const seesAccounts = ({ may, home }: Session): boolean => may.accounts && home === undefined;

function View({ session, place }: { readonly session: Session; readonly place: Place }) {
	const { may, home } = session;
	const { view, text } = place;
	if (view === 'search') return <Search session={session} text={text} />;
	if (view === 'accounts' && seesAccounts(session)) return <Accounts session={session} />;
	const start = { account: pathOfAccount(home), name: home, tab: 'overview', rest: [] };
	const { account, name, tab, rest } = view === 'account' ? place : start;
	const allowed = tabs.filter(([, , right]) => right === undefined || may[right]);
	const [found] = allowed.filter(([one]) => one === tab);
	const Tab = tab === 'people' && rest.length > 0 ? Person : found?.[3];
	return (
		<>
			<nav aria-label="Account">
				{seesAccounts(session) ? <a href={linkTo('accounts')}>‹ Accounts</a> : null}
				<strong>{name ?? defaultName}</strong>
				{allowed.map(([one, label]) => (
					<a key={one} href={linkTo(account, one)} aria-current={one === tab ? 'page' : undefined}>
						{label}
					</a>
				))}
			</nav>
			{found === undefined || Tab === undefined ? (
				<>
					<ViewTitle>Not here</ViewTitle>
					<p>This page does not exist, or you may not see it.</p>
				</>
			) : (
				<Tab account={account} ask={callsOf(account)} mayChange={may.change} rest={rest} />
			)}
		</>
	);
}
