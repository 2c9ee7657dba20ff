import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
	NodeOperationError,
	type IBinaryData,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type IRun,
	type ITriggerFunctions,
	type IWebhookFunctions,
	type NodeExecutionHint,
} from 'n8n-workflow';

/*
 * Small stand-ins for the function objects that n8n hands to nodes: only what our nodes use, with
 * the behaviour of n8n 2.41 where it matters. Everything behind them runs for real.
 */

export interface StubOptions {
	readonly parameters?: IDataObject | ReadonlyArray<IDataObject>;
	/** one for all items, or one per item */
	readonly credentials?: IDataObject | ReadonlyArray<IDataObject>;
	readonly items?: INodeExecutionData[];
	readonly continueOnFail?: boolean;
	readonly signal?: AbortSignal;
	readonly executionId?: string;
	readonly runIndex?: number;
	readonly timezone?: string;
	readonly isTool?: boolean;
	readonly node?: Partial<INode>;
	/** how the execution was started */
	readonly mode?: 'manual' | 'trigger' | 'retry' | 'integrated' | 'webhook';
	/** ids of the events with which our trigger has started it */
	readonly startedBy?: readonly string[];
	/** executions that n8n has stored, by their ids */
	readonly stored?: Readonly<Record<string, object>>;
	/** what n8n keeps for the node during the execution */
	readonly context?: IDataObject;
	/** tool call that a node for human review shows */
	readonly calledTool?: { readonly name: string; readonly parameters: unknown };
	/** what was entered into fields, and the values of the expressions in it */
	readonly expressions?: {
		readonly entered: Readonly<Record<string, string>>;
		readonly values: Readonly<Record<string, unknown>>;
	};
	/** executions that may wait */
	readonly waiting?: WaitingHost;
	/** receives the warnings beside the output */
	readonly hints?: NodeExecutionHint[];
}

/** What n8n does for executions that wait. */
export interface WaitingHost {
	signedUrl(executionId: string, query: Record<string, string>): string;
	putToWait(executionId: string): void;
	/** answers the caller of the workflow */
	respond(executionId: string, response: unknown): void;
}

export interface LogLine {
	readonly level: string;
	readonly message: string;
}

export const testNode: INode = {
	id: '0f0c2a9e-3a51-4f0e-9a43-6d0a5b1c7e11',
	name: 'Enmeshed',
	type: 'n8n-nodes-enmeshed.enmeshed',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export function executeFunctions(options: StubOptions = {}): IExecuteFunctions {
	const context = options.context ?? {};
	const functions = {
		...commonFunctions(options),
		getContext: () => context,
		getExecutionDataById: async (id: string) => options.stored?.[id],
		getInputData: () => options.items ?? [{ json: {} }],
		getNodeParameter: (
			name: string,
			itemIndex: number,
			fallback?: unknown,
			how?: { readonly rawExpressions?: boolean },
		) =>
			(how?.rawExpressions === true ? options.expressions?.entered[name] : undefined) ??
			lookUp(perItem(options.parameters, itemIndex), name, fallback),
		evaluateExpression: (expression: string) => options.expressions?.values[expression],
		continueOnFail: () => options.continueOnFail ?? false,
		getExecutionCancelSignal: () => options.signal,
		getMode: () => options.mode ?? 'manual',
		getParentNodes: () =>
			['Unused', 'Trigger'].map((name) => ({ name, type: 'n8n-nodes-enmeshed.enmeshedTrigger' })),
		getWorkflowDataProxy: () => ({
			$runIndex: options.runIndex ?? 0,
			$tool: options.calledTool,
			$: (name: string) => ({
				isExecuted: name === 'Trigger' && options.startedBy !== undefined,
				all: () => options.startedBy?.map((id) => ({ json: { id } })),
			}),
		}),
		addExecutionHints: (...hints: NodeExecutionHint[]) => options.hints?.push(...hints),
		isToolExecution: () => options.isTool ?? false,
		getSignedResumeUrl: (query: Record<string, string>) =>
			options.waiting?.signedUrl(options.executionId ?? '', query),
		putExecutionToWait: async () => options.waiting?.putToWait(options.executionId ?? ''),
		sendResponse: async (response: unknown) =>
			options.waiting?.respond(options.executionId ?? '', response),
		helpers: {
			assertBinaryData: (itemIndex: number, field: string) => binaryOf(options, itemIndex, field),
			getBinaryDataBuffer: async (itemIndex: number, field: string) =>
				Buffer.from(binaryOf(options, itemIndex, field).data, 'base64'),
			prepareBinaryData,
		},
	};
	return functions as unknown as IExecuteFunctions;
}

async function prepareBinaryData(
	data: Buffer | Readable,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	const content = Buffer.isBuffer(data) ? data : await buffer(data);
	return { data: content.toString('base64'), fileName, mimeType };
}

/** n8n fails with a sentence of its own for a field without a file. */
function binaryOf(options: StubOptions, itemIndex: number, field: string): IBinaryData {
	const file = options.items?.[itemIndex]?.binary?.[field];
	if (file !== undefined) return file;
	throw new NodeOperationError(
		testNode,
		`This operation expects the node's input data to contain a binary file '${field}', but none was found [item ${itemIndex}]`,
	);
}

export function loadOptionsFunctions(options: StubOptions = {}): ILoadOptionsFunctions {
	return {
		...commonFunctions(options),
		getCurrentNodeParameter: (name: string) => perItem(options.parameters, 0)[name],
	} as unknown as ILoadOptionsFunctions;
}

/** Functions of a call of a webhook. */
export function webhookFunctions(
	options: StubOptions,
	call: {
		readonly method: string;
		readonly query: IDataObject;
		readonly headers: IDataObject;
		readonly respond: (status: number, body: object | string, headers?: object) => void;
		/** entry of the waiting node in the stack of its execution */
		readonly entry?: object;
	},
): IWebhookFunctions {
	return {
		...commonFunctions(options),
		getMode: () => options.mode ?? 'webhook',
		getNodeParameter: (name: string, fallback?: unknown) =>
			lookUp(perItem(options.parameters, 0), name, fallback),
		getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/page',
		additionalData: {
			webhookBaseUrl: 'https://n8n.example.com/webhook',
			webhookTestBaseUrl: 'https://n8n.example.com/webhook-test',
		},
		getQueryData: () => call.query,
		getHeaderData: () => call.headers,
		runExecutionData: { executionData: { nodeExecutionStack: [call.entry] } },
		getRequestObject: () => ({ method: call.method }),
		getResponseObject: () => ({
			status: (status: number) => ({ json: (body: object) => call.respond(status, body) }),
			writeHead: (status: number, headers: object) => ({
				end: (body: string) => call.respond(status, body, headers),
			}),
		}),
	} as unknown as IWebhookFunctions;
}

export interface Emission {
	readonly items: INodeExecutionData[];
	readonly key: string | undefined;
	/** as n8n does when the execution has ended; undefined when the key was taken */
	settle(run: Partial<IRun> | undefined): void;
	fail(error: Error): void;
	/** as n8n does for a caller that waits for a response */
	respond(answer: object): void;
	readonly waits: boolean;
}

export interface TriggerStub {
	readonly functions: ITriggerFunctions;
	readonly emissions: Emission[];
	readonly failedExecutions: Error[];
	readonly log: LogLine[];
	/** called with every emission, in the order of emitting */
	onEmit: (emission: Emission) => void;
}

export function triggerFunctions(
	options: StubOptions & { readonly oldHost?: boolean } = {},
): TriggerStub {
	const emissions: Emission[] = [];
	const failedExecutions: Error[] = [];
	const log: LogLine[] = [];
	const stub: TriggerStub = {
		functions: {
			...commonFunctions(options, log),
			getMode: () => options.mode ?? 'trigger',
			getNodeParameter: (name: string, fallback?: unknown) =>
				lookUp(perItem(options.parameters, 0), name, fallback),
			emit: (
				[items = []]: INodeExecutionData[][],
				response?: { resolve(answer: object): void; reject(error: Error): void },
				done?: { resolve(run: IRun | undefined): void; reject(error: Error): void },
				key?: string,
			) => {
				const emission: Emission = {
					items,
					key,
					waits: done !== undefined,
					settle: (run) => done?.resolve(run as IRun | undefined),
					fail: (error) => done?.reject(error),
					respond: (answer) => response?.resolve(answer),
				};
				emissions.push(emission);
				stub.onEmit(emission);
			},
			...(options.oldHost === true
				? {}
				: { saveFailedExecution: (error: Error) => void failedExecutions.push(error) }),
			helpers: { createDeferredPromise, prepareBinaryData },
		} as unknown as ITriggerFunctions,
		emissions,
		failedExecutions,
		log,
		onEmit: () => undefined,
	};
	return stub;
}

/** The parameters that a node of this description starts with, as n8n fills them in. */
export function defaultsOf(properties: readonly INodeProperties[]): IDataObject {
	return Object.fromEntries(properties.map(({ name, default: value }) => [name, value]));
}

function commonFunctions(options: StubOptions, log: LogLine[] = []) {
	const write = (level: string) => (message: string) => void log.push({ level, message });
	return {
		getNode: () => ({
			...testNode,
			...(options.isTool === true ? { type: `${testNode.type}Tool` } : {}),
			...options.node,
		}),
		getWorkflow: () => ({ id: 'workflow1', name: 'Test', active: true }),
		getWorkflowSettings: () => ({}),
		getExecutionId: () => options.executionId,
		getInstanceId: () => 'instance1',
		getTimezone: () => options.timezone ?? 'UTC',
		getCredentials: async (_name: string, itemIndex = 0) => perItem(options.credentials, itemIndex),
		logger: {
			debug: write('debug'),
			info: write('info'),
			warn: write('warn'),
			error: write('error'),
		},
	};
}

function perItem(
	values: IDataObject | ReadonlyArray<IDataObject> | undefined,
	itemIndex: number,
): IDataObject {
	if (values === undefined) return {};
	return Array.isArray(values)
		? ((values[itemIndex] ?? {}) as IDataObject)
		: (values as IDataObject);
}

/** n8n fails for a parameter that is neither set nor has a fallback. */
function lookUp(parameters: IDataObject, name: string, fallback: unknown): unknown {
	const value = name
		.split('.')
		.reduce<unknown>(
			(inner, step) =>
				typeof inner === 'object' && inner !== null ? (inner as IDataObject)[step] : undefined,
			parameters,
		);
	const found = value ?? fallback;
	if (found === undefined) throw new Error(`Could not get parameter "${name}"`);
	return structuredClone(found);
}

function createDeferredPromise<Result>() {
	let resolve: (result: Result) => void = () => undefined;
	let reject: (error: Error) => void = () => undefined;
	const promise = new Promise<Result>((onResolve, onReject) => {
		resolve = onResolve;
		reject = onReject;
	});
	return { promise, resolve, reject };
}
