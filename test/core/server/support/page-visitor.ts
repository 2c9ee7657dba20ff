/** What a browser got. */
interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of them
	readonly json: any;
}

interface Ask {
	readonly json?: unknown;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A browser on the page for operators: it keeps cookies, and repeats the text of its session. */
export class PageVisitor {
	private readonly cookies = new Map<string, string>();

	private csrf = '';

	constructor(private readonly address: string) {}

	async signIn(key: string): Promise<Answer> {
		const answer = await this.call('POST /admin/session', { json: { key } });
		this.csrf = answer.json.result?.csrf ?? '';
		return answer;
	}

	/** Asks who is signed in, as the page does when it is loaded. */
	async look(): Promise<Answer> {
		const answer = await this.call('GET /admin/session');
		this.csrf = answer.json.result?.csrf ?? '';
		return answer;
	}

	/** Method and path, or an address of its own. */
	async call(call: string, { json, body, headers = {} }: Ask = {}): Promise<Answer> {
		const [method = '', path = ''] = call.split(' ');
		const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const answer = await fetch(path.startsWith('/') ? this.address + path : path, {
			method,
			redirect: 'manual',
			headers: {
				cookie,
				'x-csrf-token': this.csrf,
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(json === undefined ? {} : { body: JSON.stringify(json) }),
			...(body === undefined ? {} : { body }),
		});
		for (const line of answer.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (value === '' || /Max-Age=0/i.test(line)) this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
		const text = await answer.text();
		const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
		return {
			status: answer.status,
			headers: answer.headers,
			json: isJson && text !== '' ? JSON.parse(text) : text,
		};
	}
}
