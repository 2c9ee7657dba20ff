import type { Person } from './person';
import type { ChosenFile } from './shown/inputs';

export interface MailInput {
	readonly to: readonly string[];
	readonly subject: string;
	readonly body: string;
	readonly attachments: readonly ChosenFile[];
}

/** Files that a person stores stay readable for a year. */
const daysStored = 365;

export async function sendMail(person: Person, input: MailInput): Promise<void> {
	const { to, subject, body } = input;
	const attachments: string[] = [];
	for (const file of input.attachments) attachments.push((await upload(person, file)).id);
	await person.gateway.messages.send({
		recipients: to,
		content: { '@type': 'Mail', to, subject, body },
		attachments,
	});
}

/** Stores a file and returns its reference. */
export async function storeFile(person: Person, file: ChosenFile): Promise<string> {
	return (await upload(person, file)).truncatedReference;
}

function upload({ gateway }: Person, { name, type, content }: ChosenFile) {
	const expiresAt = new Date(Date.now() + daysStored * 86_400_000).toISOString();
	const mimetype = type === '' ? 'application/octet-stream' : type;
	const described = { filename: name, title: name, mimetype, expiresAt };
	return gateway.files.upload(described, Buffer.from(content, 'base64'));
}
