import { useRef, useState } from 'preact/hooks';

import type { FormValues, ShownForm } from '../shown/inputs';
import type { OwnAttribute, WalletState } from '../shown/state';
import { call } from './api';
import { FormFields } from './attribute-input';
import { sizeText } from './chosen-file';
import { Problem, useWork, ViewTitle } from './parts';

interface DataProps {
	readonly personId: string;
	readonly state: WalletState;
	readonly refresh: () => Promise<void>;
}

/** Own attributes with the contacts that have them, and files. */
export function Data({ personId, state, refresh }: DataProps) {
	const [edited, setEdited] = useState<OwnAttribute | 'new'>();
	const done = async (): Promise<void> => {
		setEdited(undefined);
		await refresh();
	};
	return (
		<>
			<ViewTitle>My data</ViewTitle>
			{edited === undefined ? (
				<button type="button" class="main" onClick={() => setEdited('new')}>
					Add
				</button>
			) : (
				<DataForm
					key={edited === 'new' ? edited : edited.id}
					personId={personId}
					forms={state.dataForms}
					attribute={edited === 'new' ? undefined : edited}
					onDone={done}
					onCancel={() => setEdited(undefined)}
				/>
			)}
			{state.data.length === 0 ? (
				<p class="quiet">What you enter in answers is kept here, and offered next time.</p>
			) : (
				<ul class="list">
					{state.data.map((attribute) => (
						<DataLine
							key={attribute.id}
							{...{ personId, attribute }}
							isEditable={state.dataForms.some(({ type }) => type === attribute.type)}
							onChange={() => setEdited(attribute)}
							onDone={done}
						/>
					))}
				</ul>
			)}
			{state.files.length === 0 ? null : (
				<section aria-labelledby="files">
					<h2 id="files">Files</h2>
					<ul class="files">
						{state.files.map(({ id, name, bytes, isOwn }) => (
							<li key={id}>
								<a href={`/api/people/${personId}/files/${id}`} download={name}>
									{name}
								</a>{' '}
								<span class="quiet">
									{sizeText(bytes)}
									{isOwn ? ', my own' : ', received'}
								</span>
							</li>
						))}
					</ul>
				</section>
			)}
		</>
	);
}

interface DataLineProps {
	readonly personId: string;
	readonly attribute: OwnAttribute;
	readonly isEditable: boolean;
	readonly onChange: () => void;
	readonly onDone: () => Promise<void>;
}

function DataLine({ personId, attribute, isEditable, onChange, onDone }: DataLineProps) {
	const { id, label, text, sharedWith } = attribute;
	const work = useWork();
	return (
		<li class="card">
			<strong>{label}</strong>
			<div class="text">{text}</div>
			<div class="quiet">
				{sharedWith.length === 0 ? 'Not shared' : `Shared with ${sharedWith.join(', ')}`}
			</div>
			<div class="row">
				{isEditable ? (
					<button type="button" class="quiet" aria-label={`Change ${label}`} onClick={onChange}>
						Change
					</button>
				) : null}
				<button
					type="button"
					class="quiet"
					aria-label={`Delete ${label}`}
					disabled={work.isBusy}
					onClick={() =>
						work.run(async () => {
							await call(`/${personId}/data/${id}/delete`, {});
							await onDone();
						})
					}
				>
					Delete
				</button>
			</div>
			<Problem text={work.problem} />
		</li>
	);
}

interface DataFormProps {
	readonly personId: string;
	readonly forms: readonly ShownForm[];
	/** attribute that the value replaces */
	readonly attribute: OwnAttribute | undefined;
	readonly onDone: () => Promise<void>;
	readonly onCancel: () => void;
}

function DataForm({ personId, forms, attribute, onDone, onCancel }: DataFormProps) {
	const [type, setType] = useState(attribute?.type ?? forms[0]?.type);
	const values = useRef<FormValues>({});
	const work = useWork();
	const form = forms.find((one) => one.type === type);
	return (
		<form
			class="card"
			aria-label={attribute === undefined ? 'Add' : `Change ${attribute.label}`}
			onSubmit={(event) => {
				event.preventDefault();
				work.run(async () => {
					const replaces = attribute === undefined ? {} : { replaces: attribute.id };
					await call(`/${personId}/data`, { type, values: values.current, ...replaces });
					await onDone();
				});
			}}
		>
			{attribute === undefined ? (
				<label>
					What
					<select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
						{forms.map((one) => (
							<option key={one.type} value={one.type}>
								{one.label}
							</option>
						))}
					</select>
				</label>
			) : null}
			{attribute !== undefined && attribute.sharedWith.length > 0 ? (
				<p class="quiet">{attribute.sharedWith.join(', ')} will get the new value.</p>
			) : null}
			{form === undefined ? null : (
				<FormFields
					key={form.type}
					form={form}
					isOptional={false}
					onChange={(entered) => {
						values.current = entered;
					}}
				/>
			)}
			<Problem text={work.problem} />
			<div class="row">
				<button class="main" disabled={work.isBusy}>
					Save
				</button>
				<button type="button" class="quiet" onClick={onCancel}>
					Cancel
				</button>
			</div>
		</form>
	);
}
