/** Kinds of input fields of the page. */
export type InputKind =
	| 'color'
	| 'date'
	| 'email'
	| 'file'
	| 'integer'
	| 'many'
	| 'multiline'
	| 'number'
	| 'one'
	| 'phone'
	| 'rating'
	| 'text'
	| 'url'
	| 'yes-no';

/** File that the person has chosen. */
export interface ChosenFile {
	readonly name: string;
	readonly type: string;
	/** base64 */
	readonly content: string;
}

/** Value of an input field; a date is `YYYY-MM-DD`. */
export type InputValue = string | number | boolean | readonly string[] | ChosenFile;

export interface ShownInput {
	readonly name: string;
	readonly label: string;
	readonly kind: InputKind;
	readonly required: boolean;
	/** limits of a number, or of the length of a text */
	readonly min?: number;
	readonly max?: number;
	readonly unit?: string;
	readonly help?: string;
	readonly options?: ReadonlyArray<{ readonly value: string; readonly label: string }>;
	/** value before the person changes it */
	readonly value?: InputValue;
}

/** Fields of a value, such as the parts of an address. */
export interface ShownForm {
	readonly type: string;
	readonly label: string;
	readonly inputs: readonly ShownInput[];
}

/** Values of a form by the names of its inputs; absent ones were left empty. */
export type FormValues = Readonly<Record<string, InputValue | undefined>>;
