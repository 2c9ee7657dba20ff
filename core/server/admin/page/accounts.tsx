import { useState } from 'preact/hooks';
import type { SyncStatusDto } from '../../../model/record/sync';
import type { HostedAccountView } from '../../accounts/account-view';
import { call, CallError, callsOf, type Session } from './api';
import {
	Code,
	Dialog,
	enteredIn,
	Field,
	Shown,
	Time,
	useLoad,
	useWork,
	ViewTitle,
	WorkText,
} from './parts';
import { defaultName, linkTo, pathOfAccount } from './place';
import { countText, stateWords } from './words';

/** Number of accounts up to which the problems of each are counted in the list. */
const countedAccounts = 30;

type Asked = 'create' | { readonly account: HostedAccountView };

/** Accounts besides the default one; none where the gateway has one account only. */
export async function hostedAccounts(): Promise<HostedAccountView[]> {
	return await call<HostedAccountView[]>('GET', 'api/accounts').catch((error: unknown) => {
		if (error instanceof CallError && error.isGone) return [];
		throw error;
	});
}

/** All accounts of the gateway with their state. */
export function Accounts({ session }: { readonly session: Session }) {
	const accounts = useLoad('accounts', hostedAccounts);
	const work = useWork(accounts.reload);
	const [asked, setAsked] = useState<Asked>();
	const mayChange = session.may.change;
	const done = { onClose: () => setAsked(undefined), onDone: accounts.reload };
	return (
		<>
			<ViewTitle>Accounts</ViewTitle>
			{mayChange ? (
				<button type="button" class="main" onClick={() => setAsked('create')}>
					Create an account
				</button>
			) : null}
			<WorkText work={work} />
			<ul class="list">
				<li class="card">
					<h2>
						<a href={linkTo('default')}>{defaultName}</a>
					</h2>
					<ProblemCount path="default" />
				</li>
			</ul>
			<Shown of={accounts}>
				{(all) => (
					<ul class="list">
						{all.map((account) => (
							<AccountCard
								key={account.name}
								account={account}
								isCounted={all.length <= countedAccounts}
							>
								{mayChange && ['running', 'paused', 'failed'].includes(account.state) ? (
									<div class="row">
										<button
											type="button"
											disabled={work.isBusy}
											onClick={() => void work.run(() => pause(account))}
										>
											{account.state === 'paused' ? 'Resume' : 'Pause'}
										</button>
										{account.source === 'stored' ? (
											<button type="button" onClick={() => setAsked({ account })}>
												Delete …
											</button>
										) : null}
									</div>
								) : null}
							</AccountCard>
						))}
					</ul>
				)}
			</Shown>
			{asked === undefined ? null : asked === 'create' ? (
				<CreateDialog {...done} />
			) : (
				<DeleteDialog name={asked.account.name} {...done} />
			)}
		</>
	);
}

async function pause({ name, state }: HostedAccountView): Promise<string> {
	const isPaused = state !== 'paused';
	await call('PATCH', `api/${pathOfAccount(name)}`, { isPaused });
	return isPaused ? `${name} is paused.` : `${name} opens again.`;
}

interface AccountCardProps {
	readonly account: HostedAccountView;
	readonly isCounted: boolean;
	readonly children: preact.ComponentChildren;
}

function AccountCard({ account, isCounted, children }: AccountCardProps) {
	const { name, state, failure, address, source } = account;
	const path = pathOfAccount(name);
	return (
		<li class="card" aria-label={name}>
			<h2>
				{state === 'running' ? <a href={linkTo(path)}>{name}</a> : name}{' '}
				<span class={`mark ${state}`}>{stateWords[state]}</span>
			</h2>
			{failure === undefined ? null : (
				<div class="failure">
					<p>
						{failure.message} <Code>{failure.code}</Code>
					</p>
					<p>
						{failure.remedy} It is tried again by itself; the last time was <Time at={failure.at} />
						.
					</p>
				</div>
			)}
			{state === 'running' && isCounted ? <ProblemCount path={path} /> : null}
			{address === undefined ? null : <p class="quiet">{address}</p>}
			{source === 'configuration' ? (
				<p class="quiet">Its settings are in the configuration file, so it is not deleted here.</p>
			) : null}
			{children}
		</li>
	);
}

function ProblemCount({ path }: { readonly path: string }) {
	const status = useLoad(path, () => callsOf(path)<SyncStatusDto>('GET', 'Account/SyncStatus'));
	if (status.failure !== undefined) return <p class="quiet">{status.failure.message}</p>;
	if (status.data === undefined) return <p class="quiet">Counting problems …</p>;
	const count = Object.values(status.data.problemCounts).reduce((sum, one) => sum + one, 0);
	if (count === 0) return <p class="quiet">No problems</p>;
	return (
		<p>
			<a href={linkTo(path, 'problems')}>{countText(count, 'problem')}</a>
		</p>
	);
}

interface AskedProps {
	readonly onClose: () => void;
	readonly onDone: () => Promise<void>;
}

function CreateDialog({ onClose, onDone }: AskedProps) {
	const create = async (form: FormData): Promise<void> => {
		const opens = form.has('openExisting') ? { openExisting: true } : {};
		await call('POST', 'api/accounts', { name: enteredIn(form, 'name'), ...opens });
		await onDone();
	};
	return (
		<Dialog title="Create an account" action="Create" onAction={create} onClose={onClose}>
			<p>It gets an identity of its own, and the settings of the default account.</p>
			<Field label="Name" hint="Letters, digits, dots, dashes and underscores.">
				<input name="name" required maxLength={64} pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" />
			</Field>
			<label class="choice">
				<input type="checkbox" name="openExisting" />
				Open the data of an earlier account of this name
			</label>
		</Dialog>
	);
}

function DeleteDialog({ name, onClose, onDone }: AskedProps & { readonly name: string }) {
	const [typed, setTyped] = useState('');
	const remove = async (): Promise<void> => {
		const query = `confirm=${encodeURIComponent(typed)}`;
		await call('DELETE', `api/${pathOfAccount(name)}?${query}`).finally(onDone);
	};
	return (
		<Dialog
			title={`Delete ${name}?`}
			action="Delete for good"
			isDangerous
			isDisabled={typed !== name}
			onAction={remove}
			onClose={onClose}
		>
			<p>
				All data of the account is deleted and cannot be brought back. Its identity at the Backbone
				stays.
			</p>
			<Field label={`Type ${name} to confirm`}>
				<input
					autocomplete="off"
					value={typed}
					onInput={({ currentTarget }) => setTyped(currentTarget.value)}
				/>
			</Field>
		</Dialog>
	);
}
