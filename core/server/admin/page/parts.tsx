import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useRef, useState } from 'preact/hooks';
import { CallError } from './api';
import { agoText, momentText } from './words';

/** Failure of a call in words, with its code. */
export interface Failure {
	readonly message: string;
	readonly code?: string | undefined;
	readonly id?: string | undefined;
	readonly isGone?: boolean;
	/** true if the gateway did not answer, or is busy */
	readonly isAway?: boolean;
}

function failureOf(error: unknown): Failure {
	if (!(error instanceof CallError)) return { message: String(error) };
	const { message, status, code, id, isGone } = error;
	return { message, code, id, isGone, isAway: status === 0 || status >= 500 };
}

export interface Loaded<Data> {
	readonly data: Data | undefined;
	readonly failure: Failure | undefined;
	reload(): Promise<void>;
}

const renewedEveryMs = 3_000;
/** Milliseconds without a key or a click after which nothing is renewed, so that the session can end. */
const renewedForMs = 10 * 60_000;

let usedAt = Date.now();
for (const kind of ['pointerdown', 'keydown']) {
	document.addEventListener(kind, () => void (usedAt = Date.now()));
}

/**
 * Reads something now, after each action, and every few seconds while the page is visible, because
 * the gateway and other administrators change it, too.
 *
 * @param key what is read: another key begins anew
 */
export function useLoad<Data>(key: string, read: () => Promise<Data>): Loaded<Data> {
	const [state, setState] = useState<{ key: string; data?: Data; failure?: Failure | undefined }>({
		key,
	});
	const newest = useRef(0);
	const reading = useRef(read);
	reading.current = read;
	const reload = useCallback(async () => {
		const number = ++newest.current;
		const next = await reading.current().then(
			(data) => ({ data }),
			(error: unknown) => ({ failure: failureOf(error) }),
		);
		if (number !== newest.current) return;
		// What was read before stays while the gateway is away for a moment.
		setState((shown) => ({
			...(shown.key === key && 'failure' in next && next.failure.isAway ? shown : {}),
			...{ key, failure: undefined, ...next },
		}));
	}, [key]);
	useEffect(() => {
		void reload();
		const renew = (): void => {
			const isUsed = Date.now() - usedAt < renewedForMs;
			if (isUsed && document.visibilityState === 'visible') void reload();
		};
		const timer = setInterval(renew, renewedEveryMs);
		document.addEventListener('visibilitychange', renew);
		return () => {
			newest.current++;
			clearInterval(timer);
			document.removeEventListener('visibilitychange', renew);
		};
	}, [reload]);
	const { data, failure } = state.key === key ? state : { data: undefined, failure: undefined };
	return { data, failure, reload };
}

/** Shows what was read, or that it is being read, or why it cannot be read. */
export function Shown<Data>(props: {
	readonly of: Loaded<Data>;
	readonly children: (data: Data) => ComponentChildren;
}) {
	const { data, failure, reload } = props.of;
	if (data === undefined && failure === undefined) return <p class="quiet">Loading …</p>;
	return (
		<>
			{failure === undefined ? null : (
				<div class="card">
					<FailureText failure={failure} />
					<button type="button" onClick={() => void reload()}>
						Read again
					</button>
				</div>
			)}
			{data === undefined ? null : props.children(data)}
		</>
	);
}

const goneText = 'This is not there, or no longer. Perhaps another administrator was faster.';

export function FailureText({ failure }: { readonly failure: Failure | undefined }) {
	return (
		<div class="failure" role="alert">
			{failure === undefined ? null : (
				<p>
					{failure.isGone === true ? goneText : failure.message} <Code>{failure.code}</Code>{' '}
					{failure.isGone === true ? null : <Code>{failure.id}</Code>}
				</p>
			)}
		</div>
	);
}

export function Code({ children }: { readonly children: string | undefined }) {
	return children === undefined ? null : <code>{children}</code>;
}

export interface Work {
	readonly isBusy: boolean;
	readonly failure: Failure | undefined;
	/** what the latest task has done */
	readonly note: string;
	/** runs one task at a time; afterwards, also without success, `after` reads again what is shown */
	run(task: () => Promise<string | void>): Promise<boolean>;
}

/** Tasks of a view, with the note or the failure of the latest one. */
export function useWork(after: () => Promise<void> = () => Promise.resolve()): Work {
	const [state, setState] = useState<Pick<Work, 'isBusy' | 'failure' | 'note'>>(idle);
	const isBusy = useRef(false);
	const run = async (task: () => Promise<string | void>): Promise<boolean> => {
		if (isBusy.current) return false;
		isBusy.current = true;
		setState({ ...idle, isBusy: true });
		const end = await task().then(
			(note) => ({ ...idle, note: note ?? '' }),
			(error: unknown) => ({ ...idle, failure: failureOf(error) }),
		);
		await after();
		isBusy.current = false;
		setState(end);
		return end.failure === undefined;
	};
	return { ...state, run };
}

const idle = { isBusy: false, failure: undefined, note: '' };

export function WorkText({ work }: { readonly work: Work }) {
	return (
		<>
			<p class="note" role="status">
				{work.isBusy ? 'One moment …' : work.note}
			</p>
			<FailureText failure={work.failure} />
		</>
	);
}

/** Heading of a view; takes the focus, so that a screen reader begins there. */
export function ViewTitle({ children }: { readonly children: ComponentChildren }) {
	const title = useRef<HTMLHeadingElement>(null);
	useEffect(() => title.current?.focus(), []);
	return (
		<h1 tabIndex={-1} ref={title}>
			{children}
		</h1>
	);
}

export function Time({ at }: { readonly at: string }) {
	return (
		<time dateTime={at} title={momentText(at)}>
			{agoText(at)}
		</time>
	);
}

/** Names with values; lines without a value are left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
	return (
		<dl>
			{Object.entries(of)
				.filter(([, value]) => value !== undefined && value !== '')
				.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
		</dl>
	);
}

interface DialogProps {
	readonly title: string;
	/** label of the button that does it; absent for a dialog that only shows something */
	readonly action?: string;
	readonly isDangerous?: boolean;
	readonly isDisabled?: boolean;
	/** what the button does; the dialog closes unless it fails */
	readonly onAction?: (form: FormData) => Promise<string | void>;
	readonly onClose: () => void;
	readonly children: ComponentChildren;
}

/** Question or form above the page; the keyboard stays in it until it is closed. */
export function Dialog(props: DialogProps) {
	const { title, action, isDangerous, isDisabled, onAction, onClose, children } = props;
	const element = useRef<HTMLDialogElement>(null);
	const work = useWork();
	const heading = useId();
	useEffect(() => element.current?.showModal(), []);
	const submit = async (event: Event): Promise<void> => {
		const form = formOf(event);
		// Closed by its method, the focus goes back to where it was.
		if (onAction === undefined || (await work.run(() => onAction(form)))) element.current?.close();
	};
	return (
		<dialog ref={element} aria-labelledby={heading} onClose={onClose}>
			<form onSubmit={(event) => void submit(event)}>
				<h2 id={heading}>{title}</h2>
				{children}
				<FailureText failure={work.failure} />
				<div class="row">
					{action === undefined ? null : (
						<button class={isDangerous ? 'danger' : 'main'} disabled={work.isBusy || isDisabled}>
							{work.isBusy ? 'One moment …' : action}
						</button>
					)}
					<button type="button" onClick={() => element.current?.close()}>
						{action === undefined ? 'Close' : 'Cancel'}
					</button>
				</div>
			</form>
		</dialog>
	);
}

/** What a person has entered into a form that is submitted. */
export function formOf(event: Event): FormData {
	event.preventDefault();
	return new FormData(event.target as HTMLFormElement);
}

export const enteredIn = (form: FormData, name: string): string => String(form.get(name)).trim();

/** Text that is shown once, with a button that copies it. */
export function SecretDialog(props: {
	readonly title: string;
	readonly text: string;
	readonly onClose: () => void;
}) {
	const { title, text, onClose } = props;
	const input = useRef<HTMLInputElement>(null);
	const [isCopied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		input.current?.select();
		// Without https, browsers have the old way only.
		const copied = navigator.clipboard?.writeText(text).then(() => true) ?? Promise.resolve(false);
		setCopied((await copied.catch(() => false)) || document.execCommand('copy'));
	};
	return (
		<Dialog title={title} onClose={onClose}>
			<p>Copy it now and keep it in a safe place. It cannot be shown again.</p>
			<Field label="Text">
				<input ref={input} readOnly value={text} class="secret" />
			</Field>
			<button type="button" class="main" onClick={() => void copy()}>
				Copy
			</button>
			<p role="status">{isCopied ? 'Copied.' : ''}</p>
		</Dialog>
	);
}

interface FieldProps {
	readonly label: string;
	readonly hint?: string;
	readonly children: ComponentChildren;
}

/** Input with its label. */
export function Field({ label, hint, children }: FieldProps) {
	return (
		<div class="field">
			<label>
				{label}
				{children}
			</label>
			{hint === undefined ? null : <span class="quiet">{hint}</span>}
		</div>
	);
}
