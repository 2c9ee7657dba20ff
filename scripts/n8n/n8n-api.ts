import { n8nTraits, owner } from './environment';

export interface Workflow {
	readonly name: string;
	readonly nodes: readonly object[];
	readonly connections: object;
	readonly settings?: object;
}

export interface Execution {
	readonly id: string;
	readonly status: string;
	readonly mode?: string;
	readonly retryOf?: string | null;
	readonly startedAt: string;
	readonly data: {
		readonly resultData: {
			readonly error?: { message: string };
			readonly runData: Record<string, NodeRun[]>;
		};
	};
}

export interface NodeRun {
	readonly error?: { message: string };
	readonly executionStatus?: string;
	readonly data?: { main: Array<ExecutionItem[] | null> };
}

export interface ExecutionItem {
	readonly json: Record<string, unknown>;
	readonly binary?: Record<string, { id?: string; mimeType: string; fileName?: string }>;
	readonly pairedItem?: unknown;
	readonly error?: unknown;
}

export interface NodeType {
	readonly name: string;
	readonly properties: ReadonlyArray<{
		readonly name: string;
		readonly displayOptions?: { readonly show?: { readonly resource?: readonly string[] } };
		readonly options?: ReadonlyArray<{ readonly value?: unknown }>;
	}>;
}

export interface CredentialTestResult {
	readonly status: string;
	readonly message: string;
}

/** Calls to a running n8n as its owner, for tests and the first run. */
export abstract class N8nApi {
	private cookie = '';

	private apiKey = '';

	abstract get url(): string;

	async login(): Promise<boolean> {
		const response = await fetch(`${this.url}/rest/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
		});
		if (!response.ok) return false;
		this.cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
		if (this.apiKey !== '') return true;
		const { data: scopes } = (await this.rest('GET', '/api-keys/scopes')) as { data: string[] };
		const key = (await this.rest('POST', '/api-keys', {
			label: `tests ${Date.now()}`,
			expiresAt: null,
			scopes,
		})) as { data: { rawApiKey: string } };
		this.apiKey = key.data.rawApiKey;
		return true;
	}

	async createCredential(
		data: object,
		name = 'Sandbox',
		type = 'enmeshedBackboneApi',
	): Promise<string> {
		const body = { name, type, data };
		const created = (await this.api('POST', '/credentials', body)) as { id: string };
		return String(created.id);
	}

	/** Saves a credential again, like the editor. */
	async editCredential(id: string, data: object, name = 'Sandbox'): Promise<void> {
		await this.rest('PATCH', `/credentials/${id}`, {
			id,
			name,
			type: 'enmeshedBackboneApi',
			data,
		});
	}

	/** Ids of this package's credentials by name. */
	async credentials(): Promise<Map<string, string>> {
		const { data } = (await this.rest('GET', '/credentials')) as {
			data: Array<{ id: string; name: string; type: string }>;
		};
		const ours = data.filter(({ type }) => type === 'enmeshedBackboneApi');
		return new Map(ours.map(({ id, name }) => [name, id]));
	}

	async createWorkflow(workflow: Workflow): Promise<string> {
		const created = await this.api('POST', '/workflows', {
			settings: { executionOrder: 'v1' },
			...workflow,
		});
		return String((created as { id: string }).id);
	}

	async updateWorkflow(id: string, workflow: Workflow): Promise<void> {
		const body = { settings: { executionOrder: 'v1' }, ...workflow };
		await this.api('PUT', `/workflows/${id}`, body);
	}

	async workflows(): Promise<Map<string, string>> {
		const { data } = (await this.api('GET', '/workflows?limit=250')) as {
			data: Array<{ id: string; name: string; isArchived?: boolean }>;
		};
		const present = data.filter(({ isArchived }) => isArchived !== true);
		return new Map(present.map(({ id, name }) => [name, id]));
	}

	/** Publishes a workflow and waits until every trigger runs. */
	async publish(workflowId: string): Promise<void> {
		await this.api('POST', `/workflows/${workflowId}/activate`);
		await this.untilPublished(workflowId);
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.api('POST', `/workflows/${workflowId}/deactivate`);
	}

	async untilPublished(workflowId: string): Promise<void> {
		await this.until(async () => await this.isPublished(workflowId), `published: ${workflowId}`);
	}

	async isPublished(workflowId: string): Promise<boolean> {
		if (!n8nTraits().publishesLater) {
			const answer = await this.api('GET', `/workflows/${workflowId}`);
			return (answer as { active: boolean }).active;
		}
		const answer = await this.rest('GET', `/workflows/${workflowId}/publication-status`);
		return (answer as { data?: { status: string } }).data?.status === 'published';
	}

	/** Runs a workflow with the named manual trigger, like 'Execute workflow' in the editor. */
	async runManually(workflowId: string, trigger: string): Promise<void> {
		await this.rest('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		});
	}

	/** Options of a list in one of this package's nodes, as the editor requests them. */
	async listed(
		search: string,
		credentialId: string,
	): Promise<Array<{ name: string; value: string }>> {
		const { data } = (await this.rest('POST', '/dynamic-node-parameters/resource-locator-results', {
			nodeTypeAndVersion: { name: 'n8n-nodes-enmeshed.enmeshed', version: 1 },
			path: 'parameters',
			methodName: search,
			currentNodeParameters: {},
			credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
		})) as { data: { results: Array<{ name: string; value: string }> } };
		return data.results;
	}

	/**
	 * Executions that have ended or wait, newest first. The public API leaves out what the main process
	 * believes to be running: in queue mode it believes that forever when the end of a job was told
	 * before it listened. Older versions leave out what waits, too.
	 */
	async executions(workflowId: string): Promise<Execution[]> {
		const path = `/executions?workflowId=${workflowId}&includeData=true&limit=250`;
		const { data } = (await this.api('GET', path)) as { data: Execution[] };
		const known = new Set(data.map(({ id }) => String(id)));
		const missing = (await this.storedExecutions(workflowId)).filter((id) => !known.has(id));
		const others = missing.map((id) => this.api('GET', `/executions/${id}?includeData=true`));
		return [...data, ...((await Promise.all(others)) as Execution[])].sort(
			(one, other) => Number(other.id) - Number(one.id),
		);
	}

	/** Ids from the list of the editor, which reads the state that is stored. */
	private async storedExecutions(workflowId: string): Promise<string[]> {
		const status = ['success', 'error', 'crashed', 'canceled', 'waiting'];
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const ids: string[] = [];
		for (let page = '&limit=100'; page !== '';) {
			const { data } = (await this.rest('GET', `/executions?filter=${filter}${page}`)) as {
				data: { results: Array<{ id: string }> };
			};
			ids.push(...data.results.map(({ id }) => String(id)));
			page = data.results.length === 100 ? `&limit=100&lastId=${ids.at(-1)}` : '';
		}
		return ids;
	}

	/** Ids of running executions. */
	async runningExecutions(workflowId: string): Promise<string[]> {
		const path = `/executions?workflowId=${workflowId}&status=running`;
		const { data } = (await this.api('GET', path)) as { data: Array<{ id: string }> };
		return data.map(({ id }) => id);
	}

	async stopExecution(id: string): Promise<void> {
		await this.rest('POST', `/executions/${id}/stop`);
	}

	/** Retries an execution with the workflow as it was, like the menu in the list of executions. */
	async retryExecution(id: string): Promise<void> {
		await this.rest('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	}

	async credentialTest(credential: object): Promise<CredentialTestResult> {
		const body = { credentials: credential };
		const { data } = (await this.rest('POST', '/credentials/test', body)) as {
			data: CredentialTestResult;
		};
		return data;
	}

	/** Node descriptions as the editor receives them. */
	async nodeTypes(): Promise<NodeType[]> {
		return (await this.types('nodes')) as NodeType[];
	}

	async credentialTypes(): Promise<Array<{ name: string; displayName: string }>> {
		return (await this.types('credentials')) as Array<{ name: string; displayName: string }>;
	}

	private async types(kind: 'nodes' | 'credentials'): Promise<unknown> {
		const headers = { cookie: this.cookie };
		const response = await fetch(`${this.url}/types/${kind}.json`, { headers });
		return await response.json();
	}

	async binary(id: string): Promise<Buffer> {
		const url = `${this.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=view`;
		const response = await fetch(url, { headers: { cookie: this.cookie } });
		return Buffer.from(await response.arrayBuffer());
	}

	async webhook(path: string, body: object = {}): Promise<unknown> {
		return await this.request('POST', `${this.url}/webhook/${path}`, {}, body);
	}

	rest(method: string, path: string, body?: object): Promise<unknown> {
		return this.request(method, `${this.url}/rest${path}`, { cookie: this.cookie }, body);
	}

	api(method: string, path: string, body?: object): Promise<unknown> {
		const headers = { 'X-N8N-API-KEY': this.apiKey };
		return this.request(method, `${this.url}/api/v1${path}`, headers, body);
	}

	/** Polls until the function returns true; an exception counts as false. */
	abstract until(look: () => Promise<boolean>, what: string, timeoutMs?: number): Promise<void>;

	private async request(
		method: string,
		url: string,
		headers: Record<string, string>,
		body?: object,
	): Promise<unknown> {
		const response = await fetch(url, {
			method,
			headers: { ...headers, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
		return text === '' ? {} : JSON.parse(text);
	}
}
