'use strict';
/*
 * An official runtime behind JSON lines: calls on stdin ({ id, method, params }), answers and events
 * on stdout ({ id, result } or { id, error }, { event }). Argument: 6 or 7, the generation. Ends when
 * stdin closes, after it has stored the account. Its log goes to stderr.
 */
const readline = require('node:readline');
const { connectorModules, openOfficialRuntime, valueOf } = require('./official-runtime.cjs');

const generation = process.argv[2];

// stdout carries the protocol only.
console.log = console.info = console.debug = (...values) => console.error(...values);

/** @type {Awaited<ReturnType<typeof openOfficialRuntime>> | undefined} */
let runtime;

const methods = {
	async start(options) {
		if (runtime !== undefined) throw new Error('the runtime has been started already');
		const modules = [...connectorModules, 'message'];
		runtime = await openOfficialRuntime(generation, { modules, ...options });
		runtime.onEvent(({ namespace, data }) => write({ event: { namespace, data: toJson(data) } }));
		return await methods.call({ service: 'transport.account', method: 'getIdentityInfo' });
	},

	/** Any use case: service `transport.messages`, `consumption.attributes`, and so on. */
	async call({ service, method, params = [] }) {
		const [layer, name] = service.split('.');
		const services = runtime?.services[`${layer}Services`];
		const target = services?.[name];
		if (typeof target?.[method] === 'function') return await valueOf(target[method](...params));
		const known = target === undefined ? services : Object.getPrototypeOf(target);
		const names = Object.getOwnPropertyNames(known ?? {}).join(', ');
		throw new Error(`the runtime has no ${service}.${method}; there is: ${names}`);
	},
};

/* Bytes travel as { $bytes: base64 }. */
function toJson(value) {
	if (value === undefined) return null;
	return JSON.parse(JSON.stringify(value, withBytes));
}

function withBytes(name, value) {
	const bytes = this[name];
	return bytes instanceof Uint8Array ? { $bytes: Buffer.from(bytes).toString('base64') } : value;
}

function fromJson(_name, value) {
	if (typeof value?.$bytes !== 'string') return value;
	return new Uint8Array(Buffer.from(value.$bytes, 'base64'));
}

function write(line) {
	// Node's `readline` takes these two characters for the end of a line.
	const text = JSON.stringify(line)
		.replace(/\u2028/g, '\\u2028')
		.replace(/\u2029/g, '\\u2029');
	process.stdout.write(`${text}\n`);
}

async function answer(line) {
	const { id, method, params } = JSON.parse(line, fromJson);
	try {
		if (!Object.hasOwn(methods, method)) throw new Error(`no method ${method}`);
		write({ id, result: toJson(await methods[method](params ?? {})) });
	} catch (error) {
		write({ id, error: { code: error.code, message: String(error.message ?? error) } });
	}
}

let isStopping = false;

async function stop() {
	if (isStopping) return;
	isStopping = true;
	try {
		await runtime?.close();
	} catch (error) {
		console.error('closing failed:', error);
	}
	process.exit(0);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => {
	answer(line).catch((error) => console.error('not understood:', line, error));
});
lines.on('close', stop);
// Ctrl-C on a terminal reaches the whole process group; the driving process closes stdin.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', stop);
process.stdout.on('error', stop);
process.on('unhandledRejection', (error) => console.error('unhandled rejection:', error));
