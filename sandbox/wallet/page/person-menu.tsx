import { useState } from 'preact/hooks';

import type { ShownPerson } from '../shown/state';
import { call } from './api';
import { Problem, useFocus, useWork } from './parts';

interface PersonMenuProps {
	readonly people: readonly ShownPerson[];
	readonly personId: string | undefined;
	readonly onChoose: (id: string) => void;
	/** reads the people again, and chooses one of them */
	readonly onChanged: (chosen?: string) => Promise<void>;
}

/** Choice of the person, with the forms for a new one and for another name. */
export function PersonMenu({ people, personId, onChoose, onChanged }: PersonMenuProps) {
	const [form, setForm] = useState<'new' | 'rename'>();
	const person = people.find(({ id }) => id === personId);
	if (person === undefined) return null;
	const save = async (name: string): Promise<void> => {
		const created = form === 'new' ? await call<ShownPerson>('', { name }) : undefined;
		if (form === 'rename') await call(`/${person.id}/name`, { name });
		await onChanged(created?.id ?? person.id);
		setForm(undefined);
	};
	return (
		<div class="person-menu">
			<div class="row">
				<select
					aria-label="Person"
					value={person.id}
					onChange={({ currentTarget }) => onChoose(currentTarget.value)}
				>
					{people.map(({ id, name }) => (
						<option key={id} value={id}>
							{name}
						</option>
					))}
				</select>
				<button type="button" class="quiet" onClick={() => setForm('rename')}>
					Rename
				</button>
				<button type="button" class="quiet" onClick={() => setForm('new')}>
					New person
				</button>
			</div>
			{form === undefined ? null : (
				<NameForm
					key={form}
					label={form === 'new' ? 'Name of the new person' : 'New name in this wallet'}
					name={form === 'new' ? '' : person.name}
					onSave={save}
					onCancel={() => setForm(undefined)}
				/>
			)}
		</div>
	);
}

interface NameFormProps {
	readonly label: string;
	readonly name: string;
	readonly onSave: (name: string) => Promise<void>;
	readonly onCancel: () => void;
}

function NameForm({ label, name, onSave, onCancel }: NameFormProps) {
	const work = useWork();
	const input = useFocus<HTMLInputElement>();
	return (
		<form
			class="row"
			onSubmit={(event) => {
				event.preventDefault();
				const typed = String(new FormData(event.currentTarget).get('name'));
				work.run(() => onSave(typed));
			}}
		>
			<label>
				{label}
				<input
					name="name"
					defaultValue={name}
					required
					maxLength={100}
					autocomplete="off"
					ref={input}
				/>
			</label>
			<button class="main" disabled={work.isBusy}>
				Save
			</button>
			<button type="button" class="quiet" onClick={onCancel}>
				Cancel
			</button>
			<Problem text={work.problem} />
		</form>
	);
}
