import type { ShownContact } from '../shown/state';
import { call } from './api';
import { chosenFile } from './chosen-file';
import { BackButton, Problem, useWork, ViewTitle } from './parts';

export interface MailDraft {
	readonly to: string;
	readonly subject: string;
}

interface WriteMailProps {
	readonly personId: string;
	readonly draft: MailDraft;
	readonly contacts: readonly ShownContact[];
	readonly onBack: () => void;
	readonly onSent: () => Promise<void>;
}

export function WriteMail({ personId, draft, contacts, onBack, onSent }: WriteMailProps) {
	const work = useWork();
	const send = async (form: FormData): Promise<void> => {
		const files = form.getAll('attachments').filter((entry) => entry instanceof File);
		const attachments = await Promise.all(files.filter(({ name }) => name !== '').map(chosenFile));
		await call(`/${personId}/mails`, {
			to: [String(form.get('to'))],
			subject: String(form.get('subject')),
			body: String(form.get('body')),
			attachments,
		});
		await onSent();
		onBack();
	};
	return (
		<>
			<BackButton onClick={onBack} to="Mails" />
			<ViewTitle>Write a mail</ViewTitle>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					const form = new FormData(event.currentTarget);
					work.run(() => send(form));
				}}
			>
				<label>
					To
					<select name="to">
						{contacts.map(({ address, name }) => (
							<option key={address} value={address} selected={address === draft.to}>
								{name}
							</option>
						))}
					</select>
				</label>
				<label>
					Subject
					<input
						name="subject"
						defaultValue={draft.subject}
						required
						maxLength={300}
						autocomplete="off"
					/>
				</label>
				<label>
					Text
					<textarea name="body" required maxLength={50_000} />
				</label>
				<label>
					Attachments <span class="quiet">(optional)</span>
					<input name="attachments" type="file" multiple />
				</label>
				<Problem text={work.problem} />
				<button class="main" disabled={work.isBusy}>
					Send
				</button>
			</form>
		</>
	);
}
