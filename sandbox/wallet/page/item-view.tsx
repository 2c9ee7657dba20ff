import { useEffect, useId } from 'preact/hooks';

import type { InputValue } from '../shown/inputs';
import type { ItemAnswer, ShownItem } from '../shown/request';
import { AttributeInput } from './attribute-input';
import { InputField } from './input-field';
import { Values } from './parts';

interface ItemViewProps {
	readonly item: ShownItem;
	/** what is wrong with the last answer */
	readonly error: string | undefined;
	readonly onAnswer: (path: string, answer: ItemAnswer) => void;
}

/** One item of a request with the input for its answer. */
export function ItemView({ item, error, onAnswer }: ItemViewProps) {
	const id = useId();
	const { path, heading, description, required, text, link, values, answer, obstacle } = item;
	return (
		<section class="item" aria-labelledby={`${id}-heading`}>
			<h3 id={`${id}-heading`}>
				{heading}{' '}
				<span class={required ? 'mark required' : 'mark'}>
					{required ? 'Required' : 'Optional'}
				</span>
			</h3>
			{description === undefined ? null : <p class="quiet">{description}</p>}
			{text === undefined ? null : <p class="text">{text}</p>}
			{link === undefined ? null : (
				<p>
					<a href={link.url} target="_blank" rel="noreferrer noopener">
						{link.text}
					</a>
				</p>
			)}
			<Values values={values} />
			{obstacle === undefined ? (
				<AnswerInput
					item={item}
					describedBy={error === undefined ? undefined : `${id}-error`}
					onAnswer={(given) => onAnswer(path, given)}
				/>
			) : (
				<p class="obstacle">{obstacle}</p>
			)}
			{error === undefined ? null : (
				<p class="problem" id={`${id}-error`}>
					{error}
				</p>
			)}
		</section>
	);
}

interface AnswerInputProps {
	readonly item: ShownItem;
	readonly describedBy: string | undefined;
	readonly onAnswer: (answer: ItemAnswer) => void;
}

function AnswerInput({ item, describedBy, onAnswer }: AnswerInputProps) {
	const { answer, required, heading } = item;
	switch (answer.kind) {
		case 'confirm':
			return <Confirmation {...{ answer, required, describedBy, onAnswer }} />;
		case 'attribute':
			return <AttributeInput {...{ answer, required, heading, describedBy, onAnswer }} />;
		case 'input':
			return (
				<InputField
					input={answer.input}
					describedBy={describedBy}
					hidesLabel={answer.input.label === heading}
					onChange={(response: InputValue | undefined) =>
						onAnswer({ accept: response !== undefined, response })
					}
				/>
			);
	}
}

interface ConfirmationProps extends Omit<AnswerInputProps, 'item'> {
	readonly answer: Extract<ShownItem['answer'], { kind: 'confirm' }>;
	readonly required: boolean;
}

function Confirmation({ answer, required, describedBy, onAnswer }: ConfirmationProps) {
	useEffect(() => onAnswer({ accept: answer.isPreset }), []);
	return (
		<label class="choice">
			<input
				type="checkbox"
				required={required}
				defaultChecked={answer.isPreset}
				aria-describedby={describedBy}
				onChange={({ currentTarget }) => onAnswer({ accept: currentTarget.checked })}
			/>
			{answer.label}
		</label>
	);
}
