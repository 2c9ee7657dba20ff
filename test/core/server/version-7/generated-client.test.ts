import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../../scripts/docs/source-files';
import { SandboxNetwork } from '../../../support/gateways';
import { apiKey, HttpGateway } from '../support/http-gateway';
import { callsWith, prepare, type Call } from './every-route';

/* docs/protocol/connector-7.md 4, 5, 11 */
let network: SandboxNetwork;
let a: HttpGateway;
let b: HttpGateway;
let folder: string;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any part of it
let document: any;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-client-'));
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network, { connectorVersion: 7, debug: true });
	b = await HttpGateway.open(network, { connectorVersion: 7 });
	document = (await a.ask('GET /docs/json')).json;
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
	rmSync(folder, { recursive: true, force: true });
});

async function ask(call: string, { path, query, json, form }: Call): Promise<Response> {
	const [method = '', route = ''] = call.split(' ');
	const place = route.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path?.[name] ?? '');
	const url = new URL(a.server.address + place);
	for (const [name, values] of Object.entries(query ?? {})) {
		for (const value of [values].flat()) url.searchParams.append(name, String(value));
	}
	const body = new FormData();
	for (const [name, value] of Object.entries(form ?? {})) {
		body.append(name, name === 'file' ? new File([value], 'note.txt') : value);
	}
	return await fetch(url, {
		method: method.toUpperCase(),
		headers: {
			'x-api-key': apiKey,
			...(json === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(json === undefined ? {} : { body: JSON.stringify(json) }),
		...(form === undefined ? {} : { body }),
	});
}

/** Types of inputs and answers, for each method of each path. */
const types = `import type { paths } from './paths';

type Method<Path> = {
	[M in keyof Path]-?: M extends 'parameters' ? never : Path[M] extends undefined ? never : M;
}[keyof Path];
type Input<Of> = { [Part in keyof Of as Part extends 'responses' ? never : Part]: Of[Part] };
type Content<Of> = Of extends { content: infer Content } ? Partial<Content> : null;
type Answer<Of> = Of extends { responses: infer Answers }
	? { [S in keyof Answers]: { status: S; content: Content<Answers[S]> } }[keyof Answers]
	: never;
type Calls = { [P in keyof paths]: { [M in Method<paths[P]>]: Input<paths[P][M]> } };
type Answers = { [P in keyof paths]: { [M in Method<paths[P]>]: Answer<paths[P][M]> } };

type Create = Calls['/api/core/v1/Attributes']['post'];
type List = Calls['/api/core/v1/Attributes']['get'];
type One = Calls['/api/core/v1/Attributes/{attributeId}'];
// @ts-expect-error -- the body is missing
export const withoutBody: Create = { parameters: {} };
// @ts-expect-error -- there is no such filter
export const unknownFilter: List = { parameters: { query: { onlyValid: 'true' } } };
// @ts-expect-error -- the id is missing
export const withoutId: One['get'] = { parameters: {} };
// @ts-expect-error -- there is no such method
export const unknownMethod: One['put'] = { parameters: { path: { attributeId: '' } } };
`;

/** Values by path and method. */
function nested(entries: ReadonlyArray<readonly [string, object]>): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const [call, value] of entries) {
		const [method = '', path = ''] = call.split(' ');
		paths[path] = { ...paths[path], [method]: value };
	}
	return paths;
}

/** Call in the shape that clients have for it. */
const inputOf = ({ path, query, json, form }: Call): object => ({
	parameters: { ...(path && { path }), ...(query && { query }) },
	...(json && { requestBody: { content: { 'application/json': json } } }),
	...(form && { requestBody: { content: { 'multipart/form-data': form } } }),
});

/** Answer by the status and the content type that the document has for it. */
async function shownAnswer(answer: Response, isSuccess: boolean): Promise<object> {
	const status = isSuccess ? answer.status : 'default';
	const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
	if (type === 'application/json') {
		return { status, content: { [type]: await answer.json() } };
	}
	await answer.body?.cancel();
	if (answer.status === 204) return { status, content: null };
	const isFile = answer.headers.has('content-disposition');
	return { status, content: { [isFile ? 'application/octet-stream' : type]: '' } };
}

/** Generates the types of a document. The generator ships as an ES module. */
function generate(): string {
	const program = `
		import openapi, { astToString } from 'openapi-typescript';
		let text = '';
		for await (const chunk of process.stdin) text += chunk;
		console.log(astToString(await openapi(JSON.parse(text))));`;
	return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
		input: JSON.stringify(document),
		encoding: 'utf8',
		cwd: __dirname,
	});
}

/** What the compiler of the project says about a program beside the generated types. */
function compile(program: string): string {
	writeFileSync(join(folder, 'paths.ts'), generate());
	writeFileSync(join(folder, 'program.ts'), program);
	const compilerOptions = { rootDir: '.', types: [] };
	const settings = { extends: join(projectRoot, 'tsconfig.json'), compilerOptions, include: ['*'] };
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
	const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
	return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout;
}

it('lets a generated client reach every route, with the inputs and answers it names', async () => {
	const calls = Object.entries(callsWith(await prepare(a, b)));
	const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method} ${path}`),
	);
	expect(calls.map(([call]) => call).sort()).toEqual(described.sort());

	const answers: Array<[string, object]> = [];
	const unexpected: unknown[] = [];
	for (const [call, given] of calls) {
		const answer = await ask(call, given);
		const [method = '', path = ''] = call.split(' ');
		const success = Number(Object.keys(document.paths[path][method].responses)[0]);
		const shown = await shownAnswer(answer, answer.status === success);
		answers.push([call, shown]);
		if (answer.status !== (given.refused ?? success)) unexpected.push([call, answer.status, shown]);
	}
	expect(unexpected).toEqual([]);
	expect(JSON.stringify(answers)).not.toContain('routeDoesNotExist');

	const inputs = nested(calls.map(([call, given]) => [call, inputOf(given)]));
	const program = [
		types,
		`export const calls: Calls = ${JSON.stringify(inputs, undefined, 1)};`,
		`export const answers: Answers = ${JSON.stringify(nested(answers), undefined, 1)};`,
	].join('\n');
	expect(compile(program)).toBe('');
}, 120_000);
