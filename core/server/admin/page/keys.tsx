import { useState } from 'preact/hooks';
import type { AccessKeyDto, NewAccessKeyDto } from '../../../model/record/http/access-key';
import type { AccountProps } from './api';
import {
	Dialog,
	enteredIn,
	Facts,
	Field,
	SecretDialog,
	Shown,
	useLoad,
	useWork,
	ViewTitle,
	WorkText,
} from './parts';
import { momentText } from './words';

type Asked = 'create' | { readonly rotate: AccessKeyDto } | { readonly revoke: AccessKeyDto };

/** Keys of programs that the account has stored. */
export function Keys({ account, ask, mayChange }: AccountProps) {
	const keys = useLoad(account, () => ask<AccessKeyDto[]>('GET', 'Keys'));
	const work = useWork(keys.reload);
	const [asked, setAsked] = useState<Asked>();
	const [created, setCreated] = useState<NewAccessKeyDto>();
	const onClose = (): void => setAsked(undefined);
	const make = async (route: string, body: object): Promise<void> => {
		setCreated(await ask<NewAccessKeyDto>('POST', route, body).finally(keys.reload));
	};
	const revoke = async ({ id, name }: AccessKeyDto): Promise<string> => {
		await ask('DELETE', `Keys/${id}`);
		return `The key ${name} is revoked.`;
	};
	return (
		<>
			<ViewTitle>Keys</ViewTitle>
			<p class="quiet">
				Programs need a key to use this account. Keys of the configuration file are not shown here.
			</p>
			{mayChange ? (
				<button type="button" class="main" onClick={() => setAsked('create')}>
					Create a key
				</button>
			) : null}
			<WorkText work={work} />
			<Shown of={keys}>
				{(all) => (
					<>
						{all.length === 0 ? <p>There are no keys.</p> : null}
						<ul class="list">
							{all.map((key) => (
								<li class="card" key={key.id} aria-label={key.name}>
									<KeyFacts of={key} />
									{mayChange ? (
										<div class="row">
											<button type="button" onClick={() => setAsked({ rotate: key })}>
												New text …
											</button>
											<button type="button" onClick={() => setAsked({ revoke: key })}>
												Revoke …
											</button>
										</div>
									) : null}
								</li>
							))}
						</ul>
					</>
				)}
			</Shown>
			{asked === undefined ? null : asked === 'create' ? (
				<CreateDialog onClose={onClose} onCreate={(body) => make('Keys', body)} />
			) : 'rotate' in asked ? (
				<RotateDialog
					of={asked.rotate}
					onClose={onClose}
					onRotate={(body) => make(`Keys/${asked.rotate.id}/Rotate`, body)}
				/>
			) : (
				<Dialog
					title={`Revoke ${asked.revoke.name}?`}
					action="Revoke"
					isDangerous
					onAction={async () => void (await work.run(() => revoke(asked.revoke)))}
					onClose={onClose}
				>
					<p>Programs with this key are refused at once. This cannot be undone.</p>
				</Dialog>
			)}
			{created === undefined ? null : (
				<SecretDialog
					title={`Key ${created.name}`}
					text={created.key}
					onClose={() => setCreated(undefined)}
				/>
			)}
		</>
	);
}

function KeyFacts({ of }: { readonly of: AccessKeyDto }) {
	const { name, scopes, createdAt, expiresAt, rotatedAt, previousValidUntil } = of;
	const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
	return (
		<>
			<h2>
				{name} {isExpired ? <span class="mark failed">Expired</span> : null}
			</h2>
			<Facts
				of={{
					May: scopes.map((scope) => rightNames[scope] ?? scope).join(', '),
					Created: momentText(createdAt),
					Ends: expiresAt === undefined ? 'never' : momentText(expiresAt),
					'New text since': rotatedAt === undefined ? undefined : momentText(rotatedAt),
					'The text before is valid until':
						previousValidUntil === undefined ? undefined : momentText(previousValidUntil),
				}}
			/>
		</>
	);
}

/** Usual rights in words. */
const rightNames: Readonly<Record<string, string>> = {
	'core:**': 'use everything, without administering',
	'core:messages': 'read and send messages',
	'core:events': 'read events',
	'page:read': 'look at this page, without changing anything',
	'**': 'do everything, also administer',
};

interface CreateDialogProps {
	readonly onCreate: (body: object) => Promise<void>;
	readonly onClose: () => void;
}

function CreateDialog({ onCreate, onClose }: CreateDialogProps) {
	const [scopes, setScopes] = useState('core:**');
	const create = (form: FormData): Promise<void> => {
		const end = enteredIn(form, 'end');
		return onCreate({
			name: enteredIn(form, 'name'),
			scopes: scopes.split(/[\s,]+/).filter(Boolean),
			...(end === '' ? {} : { expiresAt: new Date(`${end}T23:59:59`).toISOString() }),
		});
	};
	return (
		<Dialog title="Create a key" action="Create" onAction={create} onClose={onClose}>
			<Field label="Name" hint="Tells people which program uses the key.">
				<input name="name" required maxLength={64} pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" />
			</Field>
			<Field label="What it may do">
				<select onChange={({ currentTarget }) => setScopes(currentTarget.value)}>
					{Object.entries(rightNames).map(([scope, [first = '', ...rest]]) => (
						<option key={scope} value={scope}>
							{first.toUpperCase() + rest.join('')}
						</option>
					))}
				</select>
			</Field>
			<Field label="Roles" hint="Separated by commas; ** stands for all.">
				<input
					required
					value={scopes}
					onInput={({ currentTarget }) => setScopes(currentTarget.value)}
				/>
			</Field>
			<Field label="Valid until (optional)">
				<input type="date" name="end" />
			</Field>
		</Dialog>
	);
}

interface RotateDialogProps {
	readonly of: AccessKeyDto;
	readonly onRotate: (body: object) => Promise<void>;
	readonly onClose: () => void;
}

function RotateDialog({ of, onRotate, onClose }: RotateDialogProps) {
	return (
		<Dialog
			title={`New text for ${of.name}`}
			action="Create a new text"
			onAction={(form) => onRotate({ overlapHours: Number(enteredIn(form, 'hours')) })}
			onClose={onClose}
		>
			<p>Meanwhile programs can still use the text before.</p>
			<Field label="Hours for which the text before stays valid" hint="0 ends it at once.">
				<input type="number" name="hours" required min={0} max={720} defaultValue="24" />
			</Field>
		</Dialog>
	);
}
