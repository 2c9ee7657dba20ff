import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { ShownValue } from '../shown/request';
import { messageOf } from './api';

/** Gives the focus to an element as soon as it is shown. */
export function useFocus<Focusable extends HTMLElement>() {
	const element = useRef<Focusable>(null);
	useEffect(() => element.current?.focus(), []);
	return element;
}

/** Heading of a view; takes the focus, so that a screen reader begins there. */
export function ViewTitle({ children }: { readonly children: ComponentChildren }) {
	const title = useFocus<HTMLHeadingElement>();
	return (
		<h1 tabIndex={-1} ref={title}>
			{children}
		</h1>
	);
}

export function Problem({ text }: { readonly text: string | undefined }) {
	return (
		<div class="problem" role="alert">
			{text}
		</div>
	);
}

/** Values with their labels, as text. */
export function Values({ values }: { readonly values: readonly ShownValue[] }) {
	if (values.length === 0) return null;
	return (
		<dl>
			{values.map(({ label, text }) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{text}</dd>
				</div>
			))}
		</dl>
	);
}

export function BackButton({ onClick, to }: { readonly onClick: () => void; readonly to: string }) {
	return (
		<button type="button" class="quiet back" onClick={onClick}>
			<span aria-hidden="true">‹ </span>
			{to}
		</button>
	);
}

export interface Work {
	readonly isBusy: boolean;
	readonly problem: string | undefined;
	/** runs one task at a time and keeps its error */
	run(task: () => Promise<void>): void;
}

/** Task in progress with its error, for the buttons and the message of a form. */
export function useWork(): Work {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string>();
	const run = (task: () => Promise<void>): void => {
		if (isBusy) return;
		setBusy(true);
		setProblem(undefined);
		task()
			.catch((error: unknown) => setProblem(messageOf(error)))
			.finally(() => setBusy(false));
	};
	return { isBusy, problem, run };
}

/** Time in the words of the browser's language; the day only if it is not today. */
export function timeText(at: string): string {
	const time = new Date(at);
	const isToday = time.toDateString() === new Date().toDateString();
	return isToday
		? time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
		: time.toLocaleDateString(undefined, { dateStyle: 'medium' });
}

/** Day and time in the words of the browser's language. */
export function momentText(at: string): string {
	return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
