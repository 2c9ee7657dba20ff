import { useState } from 'preact/hooks';
import type { ContactDto } from '../../../model/record/relationship';
import { CallError, type AccountCall, type AccountProps } from './api';
import { enteredIn, Field, formOf, Shown, Time, useLoad, ViewTitle } from './parts';
import { linkTo } from './place';
import { statuses, statusText } from './words';

const pageSize = 50;

/** People by a part of their name, their email address or their address. */
export async function findPeople(
	ask: AccountCall,
	text: string,
	limit: number,
): Promise<ContactDto[]> {
	if (text.startsWith('did:')) {
		const found = ask<ContactDto>('GET', `Contacts/${encodeURIComponent(text)}`);
		return await found.then(
			(contact) => [contact],
			(error: unknown) => (error instanceof CallError && error.isGone ? [] : Promise.reject(error)),
		);
	}
	const criterion = text.includes('@') ? { emailAddress: text } : { name: text };
	return await ask(
		'GET',
		`Contacts?${new URLSearchParams({ ...criterion, limit: String(limit) })}`,
	);
}

/** People of an account, newest first. */
export function People({ account, ask }: AccountProps) {
	const [text, setText] = useState('');
	const [status, setStatus] = useState('');
	const [purpose, setPurpose] = useState('');
	const [limit, setLimit] = useState(pageSize);
	const people = useLoad(JSON.stringify([account, text, status, purpose, limit]), async () => {
		// One more tells whether there are further people.
		if (text !== '') {
			const found = await findPeople(ask, text, limit + 1);
			return found.filter(
				(one) => [one.status, ''].includes(status) && [one.purpose, ''].includes(purpose),
			);
		}
		const query = new URLSearchParams({ limit: String(limit + 1) });
		if (status !== '') query.set('status', status);
		if (purpose !== '') query.set('purpose', purpose);
		return await ask<ContactDto[]>('GET', `Contacts?${query}`);
	});
	const submit = (event: Event): void => {
		const form = formOf(event);
		setText(enteredIn(form, 'text'));
		setStatus(enteredIn(form, 'status'));
		setPurpose(enteredIn(form, 'purpose'));
		setLimit(pageSize);
	};
	return (
		<>
			<ViewTitle>People</ViewTitle>
			<form class="row" role="search" aria-label="People" onSubmit={submit}>
				<Field label="Name or email address">
					<input type="search" name="text" />
				</Field>
				<Field label="State">
					<select name="status">
						<option value="">All</option>
						{statuses.map((one) => (
							<option key={one} value={one}>
								{statusText(one)}
							</option>
						))}
					</select>
				</Field>
				<Field label="Purpose">
					<input type="search" name="purpose" />
				</Field>
				<button class="main">Show</button>
			</form>
			<Shown of={people}>
				{(found) => (
					<>
						<PeopleList account={account} people={found.slice(0, limit)} />
						{found.length > limit ? (
							<button type="button" onClick={() => setLimit(Math.min(limit + pageSize, 999))}>
								Show more
							</button>
						) : null}
					</>
				)}
			</Shown>
		</>
	);
}

interface PeopleListProps {
	readonly account: string;
	readonly people: readonly ContactDto[];
}

export function PeopleList({ account, people }: PeopleListProps) {
	if (people.length === 0) return <p>No people found.</p>;
	return (
		<ul class="list">
			{people.map(({ address, name, status, since, purpose, templateTitle }) => (
				<li key={address} class="card">
					<h2>
						<a href={linkTo(account, 'people', address)}>{name ?? 'Without a name'}</a>
					</h2>
					<p class="quiet">
						{statusText(status)} since <Time at={since} />
						{[purpose, templateTitle].map((one) => (one === undefined ? '' : ` · ${one}`))}
						<br />
						{address}
					</p>
				</li>
			))}
		</ul>
	);
}
