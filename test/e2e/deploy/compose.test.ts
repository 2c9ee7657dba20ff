import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './dockerfile';

jest.setTimeout(120_000);

const folder = join(projectRoot, 'deploy');
const files = readdirSync(folder).filter((file) => /^compose\..*\.yaml$/.test(file));
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

const required = (text: string): string[] => [
	...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)),
];
/** Variables that have to be set, in the order of the example. */
const variables = [...textOf('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(
	([, name = '', value = '']) => ({ name, value }),
);

const isThere = spawnSync('docker-compose', ['version']).status === 0;
const itWithCompose = isThere ? it : it.skip;
const reason = isThere ? '' : ' (docker-compose is not installed)';

function check(file: string, environment: Readonly<Record<string, string>>) {
	// The example, which has no values, takes the place of a file that a developer has filled in.
	const variableFile = ['--env-file', join(folder, '.env.example')];
	const words = [...variableFile, '--file', join(folder, file), 'config', '--quiet'];
	return spawnSync('docker-compose', words, {
		env: { PATH: process.env.PATH, ...environment },
		encoding: 'utf8',
	});
}

const filledIn = Object.fromEntries(variables.map(({ name }) => [name, 'secret']));

describe.each(files)('deploy/%s', (file) => {
	const text = textOf(file);

	itWithCompose(`is accepted by docker-compose${reason}`, () => {
		expect(check(file, filledIn)).toMatchObject({ status: 0, stdout: '', stderr: '' });
	});

	it('takes secrets from the environment only, without defaults', () => {
		const secrets = text.match(/^ +\w*(PASS|SECRET|KEY|AUTH|passphrase)\w*: .*$/gm) ?? [];
		expect(secrets.filter((line) => !/: \$\{\w+:\?/.test(line))).toEqual([]);
		const defaults = [...text.matchAll(/\$\{(\w+):?-/g)].map(([, name = '']) => name);
		expect(defaults.filter((name) => !name.endsWith('_PORT'))).toEqual([]);
	});

	it('publishes ports on this machine only', () => {
		const ports = [...text.matchAll(/^ +- "([^"]*:\d+)"$/gm)].map(([, port]) => port);
		expect(ports.length).toBeGreaterThan(0);
		expect(ports.filter((port) => port?.startsWith('127.0.0.1:') !== true)).toEqual([]);
	});

	it('waits for other services until they are healthy', () => {
		const conditions = [...text.matchAll(/condition: (\w+)/g)].map(([, condition]) => condition);
		expect(new Set(conditions)).toEqual(new Set(['service_healthy']));
	});
});

describe('deploy/.env.example', () => {
	itWithCompose.each(files.flatMap((file) => required(textOf(file)).map((name) => [file, name])))(
		`names a variable that %s needs: %s${reason}`,
		(file = '', name = '') => {
			const { [name]: _missing, ...others } = filledIn;
			const { status, stderr } = check(file, others);
			expect([status, stderr]).toEqual([1, expect.stringContaining(`${name} is missing`)]);
		},
	);

	it('names the variables of all compose files, without values', () => {
		const names = files.flatMap((file) => required(textOf(file)));
		expect(variables.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
		expect(variables.filter(({ value }) => value !== '')).toEqual([]);
	});
});
