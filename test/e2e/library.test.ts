import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../core';

import { packInto, unpackInto } from '../../scripts/n8n/install-package';
import { SandboxProgram } from '../../scripts/served/sandbox-program';
import { documentedPrograms, LibraryPrograms } from '../support/library-program';
import { until } from '../support/until';

jest.setTimeout(180_000);

const projectRoot = join(__dirname, '..', '..');
const typeTests = join(projectRoot, 'test', 'types');
const documented = documentedPrograms('library.md');

/** Program of docs/library.md in which this stands. */
function programWith(text: string): string {
	const found = documented.filter((program) => program.includes(text));
	expect(found).toHaveLength(1);
	return found[0] ?? '';
}

/* The library as a TypeScript developer gets it: the packed package, its types, its documentation. */
describe('the library', () => {
	let folder: string;
	let dist: string;
	let programs: LibraryPrograms;
	let sandbox: SandboxProgram;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-library-'));
		const unpacked = join(folder, 'node_modules', 'n8n-nodes-enmeshed');
		unpackInto(unpacked, packInto(folder));
		dist = join(unpacked, 'dist');
		programs = new LibraryPrograms(join(dist, 'index.js'));
		sandbox = await SandboxProgram.start(dist);
	});

	afterAll(async () => {
		await programs?.close();
		await sandbox?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Another account of the library. */
	async function open(name: string): Promise<Gateway> {
		const library = createRequire(join(folder, 'any.js'))('n8n-nodes-enmeshed') as {
			Gateway: typeof Gateway;
		};
		return await library.Gateway.open({
			backbone: { baseUrl: sandbox.url, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: join(folder, name) },
		});
	}

	const settingsFor = (name: string) => ({
		'http://localhost:5690': sandbox.url,
		'/var/lib/my-gateway': join(folder, name),
	});

	/** Answers what waits for a decision, as a person does in a wallet. */
	async function answer(person: Gateway, type: string, value: string): Promise<void> {
		let waiting = await person.incomingRequests.list();
		const isOpen = (one: { status: string }) => one.status === 'ManualDecisionRequired';
		await until(async () => {
			await person.account.sync();
			waiting = (await person.incomingRequests.list()).filter(isOpen);
			return waiting.length > 0;
		}, 60_000);
		const { address } = await person.account.getIdentity();
		const newAttribute = {
			'@type': 'IdentityAttribute',
			owner: address,
			value: { '@type': type, value },
		};
		const items = [{ accept: true, newAttribute }];
		await person.incomingRequests.accept(waiting[0]?.id ?? '', { items });
	}

	it('tells its story, and asks a person who is connected', async () => {
		const story = programs.start(programWith('reference.url'), settingsFor('organisation'));
		await story.writes('Open this link');
		const reference = /https?:\S+/.exec(story.output)?.[0] ?? '';
		const person = await open('person');
		await person.templates.loadPeer({ reference });
		await answer(person, 'EMailAddress', 'anna@example.com');
		await story.writes('anna@example.com');
		await until(async () => {
			await person.account.sync();
			return (await person.messages.list()).some(({ content }) => content['@type'] === 'Mail');
		}, 60_000);
		const question = programs.start(programWith('PhoneNumber'), settingsFor('organisation'));
		await answer(person, 'PhoneNumber', '+49 30 1234567');
		await question.writes('+49 30 1234567');
		await person.close();
	});

	it('says which code an error has, and what to do', async () => {
		const program = programs.start(programWith('isGatewayError('), settingsFor('errors'));
		await program.writes('There is no relationship RELaaaaaaaaaaaaaaaaa');
	});

	it('is tested with the emulated Backbone', async () => {
		const command = "'npx', ['n8n-nodes-enmeshed', 'sandbox']";
		const text = programWith('node:child_process');
		expect(text).toContain(command);
		const cli = join(dist, 'cli.js');
		const program = programs.start(
			text.replace(command, `process.execPath, ['${cli}', 'sandbox']`),
		);
		await program.writes('Active');
	});

	it.each(['node16', 'nodenext'])('has the types that test/types asks for, in %s', (module) => {
		const files: string[] = [];
		const write = (file: string, text: string): void => {
			writeFileSync(join(folder, file), text);
			files.push(file);
		};
		for (const name of readdirSync(typeTests)) {
			const text = readFileSync(join(typeTests, name), 'utf8').replaceAll(
				"'../../index'",
				"'n8n-nodes-enmeshed'",
			);
			for (const ending of ['.mts', '.cts']) write(name.replace(/\.ts$/, ending), text);
		}
		for (const [index, program] of documented.entries()) {
			if (program.includes('import ')) write(`program-${index}.mts`, program);
		}
		const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
		const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', module];
		const libraries = ['--lib', 'es2023,esnext.disposable', '--types', 'node'];
		const nodeTypes = ['--typeRoots', join(projectRoot, 'node_modules', '@types')];
		const compiled = spawnSync(
			process.execPath,
			[tsc, ...options, ...libraries, ...nodeTypes, ...files],
			{ cwd: folder, encoding: 'utf8' },
		);
		expect(compiled.stdout).toBe('');
		expect(compiled.status).toBe(0);
	});
});
