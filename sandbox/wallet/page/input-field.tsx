import { useId } from 'preact/hooks';

import type { InputValue, ShownInput } from '../shown/inputs';
import { chosenFile } from './chosen-file';

export interface InputFieldProps {
	readonly input: ShownInput;
	readonly onChange: (value: InputValue | undefined) => void;
	/** id of the text that says what is wrong */
	readonly describedBy?: string | undefined;
	/** true where the heading above says the same; screen readers still need the label */
	readonly hidesLabel?: boolean | undefined;
}

/** More options than this are a list to open. */
const mostButtons = 5;

/** Characters of phone numbers (docs/protocol/content.md 7.5). */
const phonePattern = '[0-9+\\-x#*\\(\\)\\/\\[\\] ]{3,100}';

/** Input field with its label, by the kind of value that it takes. */
export function InputField(props: InputFieldProps) {
	const { kind, options = [] } = props.input;
	switch (kind) {
		case 'yes-no':
			return <Choices {...props} options={yesAndNo} valueOf={(text) => text === 'true'} />;
		case 'rating':
			return <Choices {...props} options={ratings(props.input)} valueOf={Number} isRow />;
		case 'one':
			return options.length <= mostButtons ? (
				<Choices {...props} options={options} valueOf={(text) => text} />
			) : (
				<Selection {...props} />
			);
		case 'many':
			return <ManyChoices {...props} />;
		default:
			return <TextField {...props} />;
	}
}

const yesAndNo = [
	{ value: 'true', label: 'Yes' },
	{ value: 'false', label: 'No' },
];

function ratings({ max = 5 }: ShownInput): NonNullable<ShownInput['options']> {
	return Array.from({ length: max }, (_, index) => {
		const value = String(index + 1);
		return { value, label: value };
	});
}

function Label({ input, hidesLabel }: Pick<InputFieldProps, 'input' | 'hidesLabel'>) {
	const { label, unit, required } = input;
	const unitText = unit === undefined ? '' : ` (${unit})`;
	if (hidesLabel === true) {
		return (
			<>
				<span class="hidden">{label}</span>
				<span class="quiet">{unitText}</span>
			</>
		);
	}
	return (
		<>
			{label}
			{unitText}
			{required ? '' : <span class="quiet"> (optional)</span>}
		</>
	);
}

function TextField({ input, onChange, describedBy, hidesLabel }: InputFieldProps) {
	const id = useId();
	const help = `${id}-help`;
	const { kind, help: helpText, min, max } = input;
	const common = {
		id,
		name: input.name,
		required: input.required,
		'aria-describedby': [describedBy, helpText === undefined ? undefined : help]
			.filter((one) => one !== undefined)
			.join(' '),
	};
	const onText = ({
		currentTarget,
	}: {
		currentTarget: HTMLInputElement | HTMLTextAreaElement;
	}): void => onChange(currentTarget.value === '' ? undefined : currentTarget.value);
	const value = input.value === undefined ? {} : { defaultValue: String(input.value) };
	const lengths = {
		...(min === undefined ? {} : { minLength: min }),
		...(max === undefined ? {} : { maxLength: max }),
	};
	return (
		<div class="field">
			<label for={id}>
				<Label {...{ input, hidesLabel }} />
			</label>
			{kind === 'multiline' ? (
				<textarea {...common} {...lengths} {...value} onInput={onText} />
			) : kind === 'file' ? (
				<input
					{...common}
					type="file"
					onChange={({ currentTarget }) => {
						const file = currentTarget.files?.[0];
						if (file === undefined) onChange(undefined);
						else void chosenFile(file).then(onChange);
					}}
				/>
			) : (
				<input
					{...common}
					{...value}
					{...attributesOf(input, lengths)}
					autocomplete="off"
					onInput={onText}
				/>
			)}
			{helpText === undefined ? null : (
				<small class="quiet" id={help}>
					{helpText}
				</small>
			)}
		</div>
	);
}

function attributesOf({ kind, min, max }: ShownInput, lengths: object): object {
	switch (kind) {
		case 'integer':
		case 'number':
			return {
				type: 'number',
				step: kind === 'integer' ? 1 : 'any',
				...(min === undefined ? {} : { min }),
				...(max === undefined ? {} : { max }),
			};
		case 'date':
			return { type: 'date' };
		case 'color':
			return { type: 'text', pattern: '#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})', placeholder: '#2b5ce0' };
		case 'email':
			return { ...lengths, type: 'email' };
		case 'phone':
			return { ...lengths, type: 'tel', pattern: phonePattern };
		case 'url':
			return { ...lengths, type: 'text', inputMode: 'url' };
		default:
			return { ...lengths, type: 'text' };
	}
}

interface ChoicesProps extends InputFieldProps {
	readonly options: NonNullable<ShownInput['options']>;
	readonly valueOf: (text: string) => InputValue;
	readonly isRow?: boolean;
}

function Choices({
	input,
	onChange,
	describedBy,
	hidesLabel,
	options,
	valueOf,
	isRow = false,
}: ChoicesProps) {
	const name = useId();
	const given = input.value === undefined ? undefined : String(input.value);
	return (
		<fieldset class={isRow ? 'choices in-row' : 'choices'} aria-describedby={describedBy}>
			<legend>
				<Label {...{ input, hidesLabel }} />
			</legend>
			{options.map(({ value, label }) => (
				<label class="choice" key={value}>
					<input
						type="radio"
						name={name}
						required={input.required}
						defaultChecked={value === given}
						onChange={() => onChange(valueOf(value))}
					/>
					{label}
				</label>
			))}
			{input.required ? null : (
				<label class="choice">
					<input
						type="radio"
						name={name}
						defaultChecked={given === undefined}
						onChange={() => onChange(undefined)}
					/>
					No answer
				</label>
			)}
		</fieldset>
	);
}

function Selection({ input, onChange, describedBy, hidesLabel }: InputFieldProps) {
	const id = useId();
	return (
		<div class="field">
			<label for={id}>
				<Label {...{ input, hidesLabel }} />
			</label>
			<select
				id={id}
				name={input.name}
				required={input.required}
				aria-describedby={describedBy}
				onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
			>
				<option value="">{input.required ? 'Choose …' : 'No answer'}</option>
				{input.options?.map(({ value, label }) => (
					<option key={value} value={value} selected={value === String(input.value)}>
						{label}
					</option>
				))}
			</select>
		</div>
	);
}

function ManyChoices({ input, onChange, describedBy, hidesLabel }: InputFieldProps) {
	return (
		<fieldset class="choices" aria-describedby={describedBy}>
			<legend>
				<Label {...{ input, hidesLabel }} />
			</legend>
			{input.options?.map(({ value, label }, index) => (
				<label class="choice" key={value}>
					<input
						type="checkbox"
						value={value}
						onChange={({ currentTarget }) => {
							const boxes = currentTarget.closest('fieldset')?.querySelectorAll('input') ?? [];
							const first = boxes[0];
							const chosen = [...boxes].filter(({ checked }) => checked);
							const isMissing = input.required && chosen.length === 0;
							first?.setCustomValidity(isMissing ? 'Choose at least one.' : '');
							onChange(chosen.length === 0 ? undefined : chosen.map((box) => box.value));
						}}
						ref={(box) => {
							if (box === null || index > 0 || !input.required) return;
							const boxes = box.closest('fieldset')?.querySelectorAll('input') ?? [];
							const isMissing = ![...boxes].some(({ checked }) => checked);
							box.setCustomValidity(isMissing ? 'Choose at least one.' : '');
						}}
					/>
					{label}
				</label>
			))}
		</fieldset>
	);
}
