import { useEffect, useRef, useState } from 'preact/hooks';

import type { OpenedCode } from '../shown/state';
import { call, CallError } from './api';
import { Problem, useWork } from './parts';
import { readQrCode } from './read-qr-code';

interface OpenCodeProps {
	readonly personId: string;
	/** code to open at once */
	readonly reference: string;
	readonly onOpened: (opened: OpenedCode) => void;
	readonly onDone: (text: string) => Promise<void>;
}

/** Opens a code by its text, by its picture, or by the address of the page. */
export function OpenCode({ personId, reference: given, onOpened, onDone }: OpenCodeProps) {
	const [reference, setReference] = useState(given);
	const [needsPassword, setNeedsPassword] = useState(false);
	const [password, setPassword] = useState('');
	const [connectable, setConnectable] = useState<OpenedCode>();
	const [isOver, setOver] = useState(false);
	const work = useWork();
	const passwordInput = useRef<HTMLInputElement>(null);

	const open = async (text: string): Promise<void> => {
		try {
			const body = { reference: text, ...(password === '' ? {} : { password }) };
			const opened = await call<OpenedCode>(`/${personId}/codes`, body);
			setNeedsPassword(false);
			setPassword('');
			setReference('');
			if (location.hash !== '') history.replaceState(null, '', location.pathname);
			if (opened.templateId === undefined) onOpened(opened);
			else setConnectable(opened);
		} catch (error) {
			setNeedsPassword(error instanceof CallError && error.code === 'password');
			throw error;
		}
	};
	const openPicture = async (file: Blob | undefined): Promise<void> => {
		if (file === undefined) return;
		const text = await readQrCode(file).catch(() => undefined);
		if (text === undefined) {
			throw new Error(
				'There is no readable QR code in this picture. Take another picture, or paste the link.',
			);
		}
		setReference(text);
		await open(text);
	};
	useEffect(() => {
		if (given === '') return;
		setReference(given);
		work.run(() => open(given));
	}, [given]);
	useEffect(() => {
		if (needsPassword) passwordInput.current?.focus();
	}, [needsPassword]);

	return (
		<section
			class={isOver ? 'card drop over' : 'card drop'}
			aria-labelledby="open-code"
			onDragOver={(event) => {
				event.preventDefault();
				setOver(true);
			}}
			onDragLeave={() => setOver(false)}
			onDrop={(event) => {
				event.preventDefault();
				setOver(false);
				const file = event.dataTransfer?.files[0];
				const text = event.dataTransfer?.getData('text');
				work.run(() => (file === undefined && text ? open(text) : openPicture(file)));
			}}
		>
			<h2 id="open-code">Open a code</h2>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					work.run(() => open(reference));
				}}
				onPaste={(event) => {
					const file = event.clipboardData?.files[0];
					if (file === undefined) return;
					event.preventDefault();
					work.run(() => openPicture(file));
				}}
			>
				<label>
					Link or reference
					<input
						name="reference"
						value={reference}
						required
						autocomplete="off"
						spellcheck={false}
						onInput={({ currentTarget }) => {
							setReference(currentTarget.value);
							setNeedsPassword(false);
						}}
					/>
				</label>
				{needsPassword ? (
					<label>
						Password or PIN
						<input
							name="password"
							type="password"
							value={password}
							required
							autocomplete="off"
							ref={passwordInput}
							onInput={({ currentTarget }) => setPassword(currentTarget.value)}
						/>
					</label>
				) : null}
				<div class="row">
					<button class="main" disabled={work.isBusy}>
						Open
					</button>
					<label class="button quiet">
						Picture of a QR code
						<input
							type="file"
							accept="image/*"
							class="hidden"
							onChange={({ currentTarget }) => {
								const file = currentTarget.files?.[0];
								work.run(() => openPicture(file));
								currentTarget.value = '';
							}}
						/>
					</label>
				</div>
			</form>
			<p class="quiet">You can also drop the picture here, or paste it.</p>
			<Problem text={work.problem} />
			{connectable === undefined ? null : (
				<p role="status">
					{connectable.text}{' '}
					<button
						type="button"
						class="main"
						disabled={work.isBusy}
						onClick={() =>
							work.run(async () => {
								await call(`/${personId}/templates/${connectable.templateId}/connect`, {});
								setConnectable(undefined);
								await onDone('You have asked to connect. The other side has to accept it now.');
							})
						}
					>
						Connect
					</button>
				</p>
			)}
		</section>
	);
}
