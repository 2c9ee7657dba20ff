import { useState } from 'preact/hooks';
import type { HistoryEntryDto, HistoryKind } from '../../../model/record/contact-data';
import type { ContactDto } from '../../../model/record/relationship';
import type { AccountProps } from './api';
import { Facts, Field, Shown, useLoad, ViewTitle } from './parts';
import { linkTo } from './place';
import { momentText, statusText, valueText } from './words';

const pageSize = 50;
const mostEntries = 1_000;

const kindNames: Readonly<Record<HistoryKind, string>> = {
	relationship: 'Relationship',
	request: 'Requests',
	message: 'Messages',
	file: 'Files',
	attribute: 'Data',
};

/** One person: the state of the relationship, what both sides have shared, and what has happened. */
export function Person({ account, ask, rest }: AccountProps) {
	const [address = ''] = rest;
	const path = `Contacts/${encodeURIComponent(address)}`;
	const person = useLoad(account + path, () => ask<ContactDto>('GET', path));
	return (
		<>
			<p>
				<a href={linkTo(account, 'people')}>‹ People</a>
			</p>
			<ViewTitle>
				{person.data === undefined ? 'Person' : (person.data.name ?? 'Without a name')}
			</ViewTitle>
			<Shown of={person}>
				{(known) => (
					<>
						<section class="card" aria-label="Relationship">
							<Facts
								of={{
									State: statusText(known.status),
									Since: momentText(known.since),
									Purpose: known.purpose,
									'Came by': known.templateTitle,
									'Version of the wallet': known.walletVersion,
									Address: known.address,
								}}
							/>
						</section>
						<Values title="What the person has shared" values={known.attributes} />
						<Values title="What both sides keep" values={known.relationshipAttributes} />
						<Values title="What this account has shared" values={known.sharedAttributes} />
					</>
				)}
			</Shown>
			<History path={path} account={account} ask={ask} />
		</>
	);
}

interface ValuesProps {
	readonly title: string;
	readonly values: Readonly<Record<string, unknown>>;
}

function Values({ title, values }: ValuesProps) {
	const texts = Object.entries(values).map(([name, value]) => [name, valueText(value)]);
	if (texts.length === 0) return null;
	return (
		<section class="card" aria-label={title}>
			<h2>{title}</h2>
			<Facts of={Object.fromEntries(texts)} />
		</section>
	);
}

type HistoryProps = Pick<AccountProps, 'account' | 'ask'> & { readonly path: string };

function History({ account, path, ask }: HistoryProps) {
	const [kind, setKind] = useState('');
	const [limit, setLimit] = useState(pageSize);
	const query = new URLSearchParams({ limit: String(limit), ...(kind === '' ? {} : { kind }) });
	const route = `${path}/History?${query}`;
	const entries = useLoad(account + route, () => ask<HistoryEntryDto[]>('GET', route));
	return (
		<section aria-label="History">
			<h2>History</h2>
			<Field label="Show">
				<select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
					<option value="">Everything</option>
					{Object.entries(kindNames).map(([one, name]) => (
						<option key={one} value={one}>
							{name}
						</option>
					))}
				</select>
			</Field>
			<Shown of={entries}>
				{(all) => (
					<>
						{all.length === 0 ? <p>Nothing has happened yet.</p> : null}
						<ol class="history">
							{all.map(({ position, at, what, direction, summary }) => (
								<li key={position}>
									<strong>{what}</strong>{' '}
									<span class="quiet">
										{direction === 'sent' ? 'by this account' : 'by the person'},{' '}
										<time dateTime={at}>{momentText(at)}</time>
									</span>
									{summary === '' ? null : <div>{summary}</div>}
								</li>
							))}
						</ol>
						{all.length === limit && limit < mostEntries ? (
							<button
								type="button"
								onClick={() => setLimit(Math.min(limit + pageSize, mostEntries))}
							>
								Older entries
							</button>
						) : null}
					</>
				)}
			</Shown>
		</section>
	);
}
