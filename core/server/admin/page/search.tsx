import { hostedAccounts } from './accounts';
import { callsOf, type Session } from './api';
import { Shown, useLoad, ViewTitle } from './parts';
import { findPeople, PeopleList } from './people';
import { defaultName, linkTo, pathOfAccount } from './place';

const peoplePerAccount = 20;

interface SearchProps {
	readonly session: Session;
	readonly text: string;
}

/** Accounts whose name has the words, and people of all open accounts. */
export function Search({ session, text }: SearchProps) {
	const { may, home } = session;
	const seesAccounts = may.accounts && home === undefined;
	const accounts = useLoad('accounts', () =>
		seesAccounts ? hostedAccounts() : Promise.resolve([]),
	);
	return (
		<>
			<ViewTitle>Search: {text}</ViewTitle>
			<Shown of={accounts}>
				{(hosted) => {
					const named = hosted.map(({ name, state }) => ({
						name,
						path: pathOfAccount(name),
						state,
					}));
					const own = { name: home ?? defaultName, path: pathOfAccount(home), state: 'running' };
					const all = [own, ...named];
					const fitting = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
					const open = all.filter(({ state }) => state === 'running');
					return (
						<>
							<section>
								<h2>Accounts</h2>
								{fitting.length === 0 ? <p>No account has this name.</p> : null}
								<ul>
									{fitting.map(({ name, path }) => (
										<li key={path}>
											<a href={linkTo(path)}>{name}</a>
										</li>
									))}
								</ul>
							</section>
							{may.people
								? open.map(({ name, path }) => (
										<FoundPeople key={path} name={name} path={path} text={text} />
									))
								: null}
						</>
					);
				}}
			</Shown>
		</>
	);
}

interface FoundPeopleProps {
	readonly name: string;
	readonly path: string;
	readonly text: string;
}

function FoundPeople({ name, path, text }: FoundPeopleProps) {
	const people = useLoad(path + text, () => findPeople(callsOf(path), text, peoplePerAccount));
	// Perhaps the person may not open this account.
	if (people.failure?.code === 'error.connector.forbidden') return null;
	return (
		<section aria-label={`People of ${name}`}>
			<h2>People of {name}</h2>
			<Shown of={people}>{(found) => <PeopleList account={path} people={found} />}</Shown>
		</section>
	);
}
