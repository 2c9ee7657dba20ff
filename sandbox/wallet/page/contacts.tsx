import { useState } from 'preact/hooks';

import type { ContactAction, ShownContact, WalletState } from '../shown/state';
import { call } from './api';
import { BackButton, Problem, timeText, useFocus, useWork, Values, ViewTitle } from './parts';

interface ContactsProps {
	readonly personId: string;
	readonly state: WalletState;
	readonly refresh: () => Promise<void>;
}

/** Contacts, and one of them with what both sides know. */
export function Contacts({ personId, state, refresh }: ContactsProps) {
	const [address, setAddress] = useState<string>();
	const contact = state.contacts.find((one) => one.address === address);
	if (contact !== undefined) {
		return <Contact {...{ personId, contact, refresh }} onBack={() => setAddress(undefined)} />;
	}
	return (
		<>
			<ViewTitle>Contacts</ViewTitle>
			{state.contacts.length === 0 ? (
				<p class="quiet">You have no contacts yet. Open the code of an organisation on Home.</p>
			) : (
				<ul class="list">
					{state.contacts.map(({ address: key, name, statusText }) => (
						<li key={key}>
							<button type="button" onClick={() => setAddress(key)}>
								<strong>{name}</strong>
								<span class="quiet">{statusText}</span>
							</button>
						</li>
					))}
				</ul>
			)}
		</>
	);
}

const actionTexts: Readonly<Record<ContactAction, { label: string; question: string }>> = {
	leave: { label: 'Leave', question: 'No mails and requests will be exchanged any more.' },
	remove: {
		label: 'Remove contact',
		question: 'All data that you share with this contact is deleted here.',
	},
	withdraw: { label: 'Withdraw', question: 'Your answer is taken back.' },
	reactivate: { label: 'Connect again', question: 'The other side is asked to connect again.' },
	acceptReactivation: { label: 'Accept to connect again', question: 'You are connected again.' },
};

interface ContactProps {
	readonly personId: string;
	readonly contact: ShownContact;
	readonly refresh: () => Promise<void>;
	readonly onBack: () => void;
}

function Contact({ personId, contact, refresh, onBack }: ContactProps) {
	const [asked, setAsked] = useState<ContactAction>();
	const work = useWork();
	const { name, address, statusText, since, received, facts, shared, actions } = contact;
	const act = async (action: ContactAction): Promise<void> => {
		await call(`/${personId}/contacts/${encodeURIComponent(address)}`, { action });
		setAsked(undefined);
		await refresh();
	};
	return (
		<>
			<BackButton onClick={onBack} to="Contacts" />
			<ViewTitle>{name}</ViewTitle>
			<p class="quiet">
				{statusText}, since {timeText(since)}
			</p>
			<ValueCard title="What I shared" values={shared} none="Nothing." />
			<ValueCard title="What I received" values={received} none="Nothing." />
			{facts.length === 0 ? null : <ValueCard title="What we both keep" values={facts} none="" />}
			<p class="quiet address">{address}</p>
			<Problem text={work.problem} />
			<div class="row">
				{actions.map((action) => (
					<button
						type="button"
						key={action}
						disabled={work.isBusy}
						onClick={() => setAsked(action)}
					>
						{actionTexts[action].label}
					</button>
				))}
			</div>
			{asked === undefined ? null : (
				<Confirmation
					key={asked}
					action={asked}
					isBusy={work.isBusy}
					onConfirm={() => work.run(() => act(asked))}
					onCancel={() => setAsked(undefined)}
				/>
			)}
		</>
	);
}

interface ConfirmationProps {
	readonly action: ContactAction;
	readonly isBusy: boolean;
	readonly onConfirm: () => void;
	readonly onCancel: () => void;
}

function Confirmation({ action, isBusy, onConfirm, onCancel }: ConfirmationProps) {
	const { label, question } = actionTexts[action];
	const button = useFocus<HTMLButtonElement>();
	return (
		<div class="card" role="group" aria-label={label}>
			<p>{question}</p>
			<div class="row">
				<button type="button" class="main" ref={button} disabled={isBusy} onClick={onConfirm}>
					Yes, go on
				</button>
				<button type="button" onClick={onCancel}>
					Cancel
				</button>
			</div>
		</div>
	);
}

interface ValueCardProps {
	readonly title: string;
	readonly values: ShownContact['shared'];
	readonly none: string;
}

function ValueCard({ title, values, none }: ValueCardProps) {
	return (
		<section class="card" aria-label={title}>
			<h2>{title}</h2>
			{values.length === 0 ? <p class="quiet">{none}</p> : <Values values={values} />}
		</section>
	);
}
