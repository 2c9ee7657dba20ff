import type { FormValues, InputValue, ShownForm, ShownInput } from './inputs';

/** Value with a label, as text of the other side or of the person. */
export interface ShownValue {
	readonly label: string;
	readonly text: string;
}

/** Attribute of the person that answers an item. */
export interface StoredChoice {
	readonly id: string;
	readonly text: string;
}

/** What the person enters for an item. */
export type ShownAnswer =
	| { readonly kind: 'confirm'; readonly label: string; readonly isPreset: boolean }
	| { readonly kind: 'input'; readonly input: ShownInput }
	| {
			readonly kind: 'attribute';
			readonly stored: readonly StoredChoice[];
			/** forms for a new value, one for each type that fits; none if only stored values fit */
			readonly forms: readonly ShownForm[];
			/** true if the other side suggests the value in the first form */
			readonly isProposed: boolean;
	  };

export interface ShownItem {
	/** position in the request: `1`, or `1.0` in a group */
	readonly path: string;
	readonly required: boolean;
	/** what the item asks for, in a few words */
	readonly heading: string;
	readonly description?: string;
	/** values that the item is about */
	readonly values: readonly ShownValue[];
	/** longer text, such as the text of a consent */
	readonly text?: string;
	readonly link?: { readonly url: string; readonly text: string };
	readonly answer: ShownAnswer;
	/** reason why the item cannot be accepted */
	readonly obstacle?: string;
}

export interface ShownGroup {
	readonly title?: string;
	readonly description?: string;
	readonly items: readonly ShownItem[];
}

/**
 * Request with all that the person needs for an answer; items outside groups are in groups, too.
 */
export interface ShownRequest {
	readonly id: string;
	readonly from: string;
	readonly title?: string;
	readonly description?: string;
	readonly expiresAt?: string;
	/** true if the answer also begins a relationship */
	readonly connects: boolean;
	readonly groups: readonly ShownGroup[];
	/** reason why the whole request cannot be accepted */
	readonly obstacle?: string;
}

/** Answer to an item. */
export interface ItemAnswer {
	readonly accept: boolean;
	readonly response?: InputValue | undefined;
	readonly attributeId?: string | undefined;
	readonly form?: { readonly type: string; readonly values: FormValues } | undefined;
}

/** Answers by the paths of their items; items without an answer are not accepted. */
export type ItemAnswers = Readonly<Record<string, ItemAnswer | undefined>>;
