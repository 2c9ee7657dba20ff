import { useEffect, useState } from 'preact/hooks';

import type { ShownMail, WalletState } from '../shown/state';
import { call } from './api';
import { sizeText } from './chosen-file';
import { BackButton, timeText, ViewTitle } from './parts';
import { WriteMail, type MailDraft } from './write-mail';

interface MailsProps {
	readonly personId: string;
	readonly state: WalletState;
	readonly refresh: () => Promise<void>;
}

/** Mails in both directions, one of them opened, or the form for a new one. */
export function Mails({ personId, state, refresh }: MailsProps) {
	const [mailId, setMailId] = useState<string>();
	const [draft, setDraft] = useState<MailDraft>();
	const [isSent, setSent] = useState(false);
	const mail = state.mails.find(({ id }) => id === mailId);
	const active = state.contacts.filter(({ isActive }) => isActive);
	if (draft !== undefined) {
		const leave = (): void => setDraft(undefined);
		const sent = async (): Promise<void> => {
			await refresh();
			setMailId(undefined);
			setSent(true);
		};
		return <WriteMail {...{ personId, draft }} contacts={active} onBack={leave} onSent={sent} />;
	}
	if (mail !== undefined) {
		return (
			<Mail
				{...{ personId, mail, refresh }}
				onBack={() => setMailId(undefined)}
				onReply={setDraft}
			/>
		);
	}
	return (
		<>
			<ViewTitle>Mails</ViewTitle>
			<p role="status">{isSent ? 'Sent.' : ''}</p>
			{active.length === 0 ? (
				<p class="quiet">Mails need a contact that is connected.</p>
			) : (
				<button
					type="button"
					class="main"
					onClick={() => setDraft({ to: active[0]?.address ?? '', subject: '' })}
				>
					Write a mail
				</button>
			)}
			<ul class="list">
				{state.mails.map(({ id, isOwn, with: name, subject, at, isUnread, attachments }) => (
					<li key={id}>
						<button
							type="button"
							class={isUnread ? 'unread' : ''}
							onClick={() => {
								setSent(false);
								setMailId(id);
							}}
						>
							<strong>{subject}</strong>
							<span class="quiet">
								{isUnread ? 'New. ' : ''}
								{isOwn ? `To ${name}` : name}, {timeText(at)}
								{attachments.length === 0 ? '' : `, ${attachments.length} attached`}
							</span>
						</button>
					</li>
				))}
			</ul>
		</>
	);
}

interface MailProps {
	readonly personId: string;
	readonly mail: ShownMail;
	readonly refresh: () => Promise<void>;
	readonly onBack: () => void;
	readonly onReply: (draft: MailDraft) => void;
}

function Mail({ personId, mail, refresh, onBack, onReply }: MailProps) {
	const { id, isOwn, with: name, subject, body, isMarkdown, at, attachments, replyTo } = mail;
	const { isUnread } = mail;
	useEffect(() => {
		if (isUnread) void call(`/${personId}/mails/${id}/read`, {}).then(refresh, () => undefined);
	}, [id]);
	const [to] = replyTo;
	return (
		<>
			<BackButton onClick={onBack} to="Mails" />
			<ViewTitle>{subject}</ViewTitle>
			<p class="quiet">
				{isOwn ? `To ${name}` : `From ${name}`}, {timeText(at)}
				{isMarkdown ? ', formatted with Markdown' : ''}
			</p>
			<p class="text">{body}</p>
			{attachments.length === 0 ? null : (
				<ul class="files" aria-label="Attachments">
					{attachments.map((file) => (
						<li key={file.id}>
							<a href={`/api/people/${personId}/mails/${id}/files/${file.id}`} download={file.name}>
								{file.name}
							</a>{' '}
							<span class="quiet">{file.bytes === 0 ? '' : sizeText(file.bytes)}</span>
						</li>
					))}
				</ul>
			)}
			{to === undefined ? null : (
				<button
					type="button"
					class="main"
					onClick={() =>
						onReply({ to, subject: /^Re: /.test(subject) ? subject : `Re: ${subject}` })
					}
				>
					Reply
				</button>
			)}
		</>
	);
}
