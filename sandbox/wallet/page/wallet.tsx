import { useCallback, useEffect, useState } from 'preact/hooks';

import type { OpenedCode, ShownPerson, WalletState } from '../shown/state';
import { call, messageOf } from './api';
import { Contacts } from './contacts';
import { Data } from './data';
import { Home } from './home';
import { Mails } from './mails';
import { Problem } from './parts';
import { PersonMenu } from './person-menu';
import { RequestView } from './request-view';
import { referenceInAddress } from './reference-in-address';

const tabs = [
	['home', 'Home', '⌂'],
	['contacts', 'Contacts', '☺'],
	['mails', 'Mails', '✉'],
	['data', 'My data', '≡'],
] as const;
type Tab = (typeof tabs)[number][0];

const rememberedPerson = 'person';

/** The whole wallet: the people, and the views of the chosen person. */
export function Wallet() {
	const [people, setPeople] = useState<readonly ShownPerson[]>([]);
	const [personId, setPersonId] = useState<string>();
	const [problem, setProblem] = useState<string>();

	const loadPeople = useCallback(async (chosen?: string) => {
		try {
			const found = await call<ShownPerson[]>('');
			const wanted = chosen ?? sessionStorage.getItem(rememberedPerson);
			setPeople(found);
			setPersonId((found.find(({ id }) => id === wanted) ?? found[0])?.id);
			setProblem(undefined);
		} catch (error) {
			setProblem(messageOf(error));
		}
	}, []);
	useEffect(() => void loadPeople(), []);
	useEffect(() => {
		if (personId !== undefined) sessionStorage.setItem(rememberedPerson, personId);
	}, [personId]);

	return (
		<div class="phone">
			<header>
				<span class="brand">Demo wallet</span>
				<PersonMenu
					people={people}
					personId={personId}
					onChoose={setPersonId}
					onChanged={loadPeople}
				/>
			</header>
			<Problem text={problem} />
			{personId === undefined ? (
				<main>
					<p class="quiet">Starting …</p>
				</main>
			) : (
				<PersonView
					key={personId}
					id={personId}
					name={people.find(({ id }) => id === personId)?.name ?? ''}
				/>
			)}
		</div>
	);
}

interface View {
	readonly tab: Tab;
	/** number of the choice of the tab: each choice shows the tab from its beginning */
	readonly choice: number;
	readonly note: string;
	/** request that is shown in the place of the tab */
	readonly requestId?: string | undefined;
}

/** Views of one person, which follow every change of the account. */
function PersonView({ id, name }: { readonly id: string; readonly name: string }) {
	const [state, setState] = useState<WalletState>();
	const [problem, setProblem] = useState<string>();
	const [view, setView] = useState<View>({ tab: 'home', choice: 0, note: '' });
	const [reference, setReference] = useState(referenceInAddress);

	const refresh = useCallback(async () => {
		try {
			setState(await call<WalletState>(`/${id}/state`));
			setProblem(undefined);
		} catch (error) {
			setProblem(messageOf(error));
		}
	}, [id]);
	useEffect(() => {
		void refresh();
		const changes = new EventSource(`/api/people/${id}/changes`);
		changes.onmessage = () => void refresh();
		return () => changes.close();
	}, [id]);
	useEffect(() => {
		const read = (): void => {
			setReference(referenceInAddress());
			choose('home');
		};
		addEventListener('hashchange', read);
		return () => removeEventListener('hashchange', read);
	}, []);

	const choose = (next: Tab): void =>
		setView(({ choice }) => ({ tab: next, choice: choice + 1, note: '' }));
	const show = (id: string): void => setView((shown) => ({ ...shown, requestId: id }));
	const onOpened = ({ text, requestId: opened }: OpenedCode): void => {
		setView((shown) => ({ ...shown, note: text, requestId: opened }));
		void refresh();
	};
	/** Leaves the request with a note, unless the person has chosen a tab meanwhile. */
	const done = async (text: string): Promise<void> => {
		setView((shown) =>
			shown.choice === view.choice ? { ...shown, note: text, requestId: undefined } : shown,
		);
		await refresh();
	};

	if (state === undefined) {
		return (
			<main>
				<Problem text={problem} />
			</main>
		);
	}
	const counts: Partial<Record<Tab, number>> = {
		home: state.requests.length,
		mails: state.mails.filter(({ isUnread }) => isUnread).length,
	};
	const { tab, choice, note, requestId } = view;
	const common = { personId: id, state, refresh };
	return (
		<>
			<main>
				<Problem text={problem} />
				<p class="note" role="status">
					{note}
				</p>
				{requestId !== undefined ? (
					<RequestView
						key={requestId}
						personId={id}
						id={requestId}
						onBack={() => choose('home')}
						onDone={done}
					/>
				) : tab === 'home' ? (
					<Home
						{...common}
						name={name}
						reference={reference}
						onOpened={onOpened}
						onRequest={show}
						onDone={done}
					/>
				) : tab === 'contacts' ? (
					<Contacts key={choice} {...common} />
				) : tab === 'mails' ? (
					<Mails key={choice} {...common} />
				) : (
					<Data key={choice} {...common} />
				)}
			</main>
			<nav aria-label="Wallet">
				{tabs.map(([name, label, sign]) => (
					<button
						type="button"
						key={name}
						aria-current={tab === name ? 'page' : undefined}
						onClick={() => choose(name)}
					>
						<span class="sign" aria-hidden="true">
							{sign}
						</span>
						{label}
						{counts[name] ? <span class="count">{counts[name]}</span> : null}
					</button>
				))}
			</nav>
		</>
	);
}
