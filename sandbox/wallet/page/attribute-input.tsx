import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { FormValues, InputValue, ShownForm } from '../shown/inputs';
import type { ItemAnswer, ShownAnswer } from '../shown/request';
import { InputField } from './input-field';

interface AttributeInputProps {
	readonly answer: Extract<ShownAnswer, { kind: 'attribute' }>;
	readonly required: boolean;
	/** heading of the item */
	readonly heading: string;
	readonly describedBy: string | undefined;
	readonly onAnswer: (answer: ItemAnswer) => void;
}

/** Choice between stored values, a new value, and no answer. */
type Choice = { readonly stored: string } | { readonly form: number } | 'nothing';

/** Input for an item that asks for an attribute. */
export function AttributeInput(props: AttributeInputProps) {
	const { answer, required, heading, describedBy, onAnswer } = props;
	const { stored, forms, isProposed } = answer;
	const name = useId();
	const [choice, setChoice] = useState<Choice>(() => firstChoice(answer, required));
	const values = useRef<FormValues[]>(forms.map(initialValues));
	const report = (): void => onAnswer(answerOf(choice, forms, values.current));
	useEffect(report, [choice]);

	const [onlyForm] = forms;
	const isPlain = stored.length === 0 && forms.length === 1;
	// A single optional field needs no choice: left empty, it is not answered.
	if (isPlain && onlyForm !== undefined && (required || onlyForm.inputs.length === 1)) {
		return (
			<FormFields
				form={onlyForm}
				heading={heading}
				isOptional={!required}
				describedBy={describedBy}
				onChange={(entered) => {
					values.current[0] = entered;
					const isEmpty = Object.values(entered).every((value) => value === undefined);
					onAnswer({ accept: !isEmpty, form: { type: onlyForm.type, values: entered } });
				}}
			/>
		);
	}
	const option = (to: Choice, label: string) => (
		<label class="choice" key={label}>
			<input
				type="radio"
				name={name}
				required={required}
				checked={isSame(choice, to)}
				onChange={() => setChoice(to)}
			/>
			{label}
		</label>
	);
	return (
		<fieldset class="choices" aria-describedby={describedBy}>
			<legend>Your answer</legend>
			{stored.map(({ id, text }) => option({ stored: id }, text))}
			{forms.map((form, index) => {
				const another = stored.length > 0 ? 'Another value' : 'Enter a value';
				const label = isProposed && index === 0 ? 'The suggested value, or another one' : another;
				return option({ form: index }, forms.length > 1 ? `${label}: ${form.label}` : label);
			})}
			{required ? null : option('nothing', 'Do not share')}
			{typeof choice === 'object' && 'form' in choice && forms[choice.form] !== undefined ? (
				<FormFields
					key={choice.form}
					form={forms[choice.form] as ShownForm}
					heading={heading}
					isOptional={false}
					describedBy={describedBy}
					onChange={(entered) => {
						values.current[choice.form] = entered;
						report();
					}}
				/>
			) : null}
		</fieldset>
	);
}

function firstChoice(
	{ stored, forms, isProposed }: AttributeInputProps['answer'],
	required: boolean,
): Choice {
	const [newest] = stored;
	if (isProposed && forms.length > 0) return { form: 0 };
	if (newest !== undefined) return { stored: newest.id };
	return required && forms.length > 0 ? { form: 0 } : 'nothing';
}

function answerOf(
	choice: Choice,
	forms: readonly ShownForm[],
	values: readonly FormValues[],
): ItemAnswer {
	if (choice === 'nothing') return { accept: false };
	if ('stored' in choice) return { accept: true, attributeId: choice.stored };
	const form = forms[choice.form];
	if (form === undefined) return { accept: false };
	return { accept: true, form: { type: form.type, values: values[choice.form] ?? {} } };
}

const isSame = (one: Choice, other: Choice): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

function initialValues({ inputs }: ShownForm): FormValues {
	return Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
}

interface FormFieldsProps {
	readonly form: ShownForm;
	readonly heading?: string;
	readonly isOptional: boolean;
	readonly describedBy?: string | undefined;
	readonly onChange: (values: FormValues) => void;
}

/** Fields of a value, one for each part. */
export function FormFields({ form, heading, isOptional, describedBy, onChange }: FormFieldsProps) {
	const values = useRef<FormValues>(initialValues(form));
	useEffect(() => onChange(values.current), []);
	return (
		<>
			{form.inputs.map((input) => (
				<InputField
					key={input.name}
					input={isOptional ? { ...input, required: false } : input}
					describedBy={describedBy}
					hidesLabel={input.label === heading}
					onChange={(value: InputValue | undefined) => {
						values.current = { ...values.current, [input.name]: value };
						onChange(values.current);
					}}
				/>
			))}
		</>
	);
}
