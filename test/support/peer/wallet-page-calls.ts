import type { ShownItem, ShownRequest } from '../../../sandbox/wallet/shown/request';
import type { OpenedCode, ShownPerson, WalletState } from '../../../sandbox/wallet/shown/state';

/** A person in a running demo wallet, by the calls of its page. */
export class WalletPageCalls {
	private constructor(private readonly url: string) {}

	/** Opens the wallet as its first person. */
	static async open(walletUrl: string): Promise<WalletPageCalls> {
		const [person] = (await call('GET', `${walletUrl}/api/people`)) as ShownPerson[];
		return new WalletPageCalls(`${walletUrl}/api/people/${person?.id}`);
	}

	/** Opens the wallet as a new person. */
	static async create(walletUrl: string, name: string): Promise<WalletPageCalls> {
		const person = (await call('POST', `${walletUrl}/api/people`, { name })) as ShownPerson;
		return new WalletPageCalls(`${walletUrl}/api/people/${person.id}`);
	}

	async state(): Promise<WalletState> {
		return (await this.call('GET', '/state')) as WalletState;
	}

	/** Opens a code, agrees to all of it, and shares the values, given by the types of attributes. */
	async answer(reference: string, values: Readonly<Record<string, string>>): Promise<void> {
		const opened = (await this.call('POST', '/codes', { reference })) as OpenedCode;
		if (opened.requestId === undefined) throw new Error(opened.text);
		await this.answerRequest(opened.requestId, values);
	}

	/** Agrees to all of an open request, and shares the values, given by the types of attributes. */
	async answerRequest(id: string, values: Readonly<Record<string, string>>): Promise<void> {
		const path = `/requests/${id}`;
		const { groups } = (await this.call('GET', path)) as ShownRequest;
		const items = groups.flatMap((group) => group.items);
		const answers = items.map((item) => [item.path, answerOf(item, values)] as const);
		await this.call('POST', `${path}/accept`, { answers: Object.fromEntries(answers) });
	}

	/** Enters a new value for one of the person's data. */
	async changeData(old: string, type: string, value: string): Promise<void> {
		const { data } = await this.state();
		const entry = data.find(({ text }) => text === old);
		await this.call('POST', '/data', { type, values: { value }, replaces: entry?.id });
	}

	/** Writes to all contacts. */
	async writeMail(subject: string, body: string): Promise<void> {
		const { contacts } = await this.state();
		const to = contacts.map(({ address }) => address);
		await this.call('POST', '/mails', { to, subject, body, attachments: [] });
	}

	private call(method: string, path: string, body?: object): Promise<unknown> {
		return call(method, `${this.url}${path}`, body);
	}
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
	const response = await fetch(url, {
		method,
		...(body === undefined
			? {}
			: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
	return JSON.parse(text);
}

function answerOf({ answer }: ShownItem, values: Readonly<Record<string, string>>): object {
	if (answer.kind === 'confirm') return { accept: true };
	const form = answer.kind === 'attribute' ? answer.forms[0] : undefined;
	const value = form === undefined ? undefined : values[form.type];
	if (form === undefined || value === undefined) return { accept: false };
	const input = form.inputs[0]?.name ?? '';
	return { accept: true, form: { type: form.type, values: { [input]: value } } };
}
