import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metrics } from '../../../core/server';
import {
	describeWithPrometheus,
	hastenedAlarms,
	monitoringFolder,
	queriesOfBoard,
	runPromtool,
} from './prometheus';

const alarms = join(monitoringFolder, 'alarms.yaml');
const alarmsText = readFileSync(alarms, 'utf8');

/** Names of all series that the gateway serves; histograms under the names that queries use. */
async function servedNames(): Promise<ReadonlySet<string>> {
	const text = await new Metrics({ version: '1.2.3' }).text();
	const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
	return new Set(
		types.flatMap(([, name = '', type]) =>
			type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
		),
	);
}

const namesIn = (text: string): string[] => text.match(/\b(enmeshed|nodejs|process)_\w+/g) ?? [];

describe('the files for monitoring', () => {
	it('name figures that exist, and use each figure of an account', async () => {
		const served = await servedNames();
		const queries = queriesOfBoard();
		expect(queries.length).toBeGreaterThan(20);
		const used = [...queries.map(({ expr }) => expr), alarmsText].flatMap(namesIn);
		expect(used.filter((name) => !served.has(name))).toEqual([]);
		const own = [...served].filter((name) => /^enmeshed_\w+(?<!_sum|_count|_info)$/.test(name));
		expect(own.filter((name) => !used.includes(name))).toEqual([]);
	});

	it('explain each alarm and each figure to operators', async () => {
		const operations = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
		const names = [...alarmsText.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
		expect(names).toHaveLength(8);
		expect(names.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
		const text = await new Metrics({ version: '1.2.3' }).text();
		const figures = [...text.matchAll(/^# TYPE (enmeshed_\w+) /gm)].map(([, name = '']) => name);
		expect(figures.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
	});
});

describeWithPrometheus('Prometheus', () => {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-rules-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	it('accepts the alarms and the configuration', () => {
		expect(runPromtool('check', 'rules', alarms)).toContain('8 rules found');
		const config = join(monitoringFolder, 'prometheus.yaml');
		expect(runPromtool('check', 'config', '--syntax-only', config)).toContain('SUCCESS');
	});

	it('fires each alarm for its fault, and none for a quiet gateway', () => {
		expect(runPromtool('test', 'rules', join(__dirname, 'alarms.promtool.yaml'))).toContain(
			'SUCCESS',
		);
	});

	it('can run every query of the board', () => {
		const rules = queriesOfBoard().map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
		const file = join(folder, 'board.yaml');
		// JSON is YAML.
		writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
		expect(runPromtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
		writeFileSync(
			file,
			JSON.stringify({ groups: [{ name: 'b', rules: [{ record: 'a', expr: 'sum(' }] }] }),
		);
		expect(() => runPromtool('check', 'rules', file)).toThrow();
	});

	it('also accepts the alarms that the test of faults hastens', () => {
		expect(hastenedAlarms()).not.toMatch(/\d+m\b|\* 60/);
	});
});
