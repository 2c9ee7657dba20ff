import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { npmCommand } from '../lib/toolchain.mjs';
import type { BundledPackage } from './bundled-packages';

export interface Advisory {
	readonly name: string;
	readonly severity: 'info' | 'low' | 'moderate' | 'high' | 'critical';
	readonly title: string;
	readonly url: string;
}

interface AuditReport {
	readonly auditReportVersion?: number;
	readonly message?: string;
	readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly unknown[] }>>;
}

/**
 * Asks the registry for known faults of exactly these versions, with `npm audit` on a lock file
 * that has nothing else: bundled packages often depend on packages that are not bundled.
 *
 * @throws Error if the registry does not answer
 */
export async function auditPackages(
	packages: readonly BundledPackage[],
	environment = process.env,
): Promise<Advisory[]> {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-audit-'));
	try {
		writeProject(folder, packages);
		return advisoriesOf(await npmAudit(folder, environment));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Aliases, because several versions of one package may be bundled. */
function writeProject(folder: string, packages: readonly BundledPackage[]): void {
	const aliases = packages.map((one, index) => ({ ...one, alias: `bundled-${index}` }));
	const root = {
		name: 'bundled-packages',
		version: '1.0.0',
		private: true,
		dependencies: Object.fromEntries(
			aliases.map(({ alias, name, version }) => [alias, `npm:${name}@${version}`]),
		),
	};
	const places = aliases.map(({ alias, name, version }) => [
		`node_modules/${alias}`,
		{ name, version },
	]);
	const lock = { lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(places) } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function npmAudit(
	folder: string,
	env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
	const [program, words] = npmCommand(['audit', '--package-lock-only', '--json']);
	return new Promise((resolve, reject) => {
		const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
		child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
		child.on('error', reject);
		// The exit code says nothing: it is 1 for advisories and for a registry without an answer.
		child.on('close', () => resolve({ stdout, stderr }));
	});
}

function advisoriesOf({ stdout, stderr }: Awaited<ReturnType<typeof npmAudit>>): Advisory[] {
	const report = parseReport(stdout);
	if (report?.auditReportVersion === undefined) {
		throw new Error(
			'Nothing was audited, because the registry does not answer questions about advisories. ' +
				'Run this with a registry that does, named by npm_config_registry. ' +
				`npm said: ${report?.message ?? stderr.trim()}`,
		);
	}
	return Object.values(report.vulnerabilities ?? {}).flatMap(({ via }) =>
		// A name stands for another entry of the report.
		via.filter((cause): cause is Advisory => typeof cause === 'object'),
	);
}

function parseReport(text: string): AuditReport | undefined {
	try {
		return JSON.parse(text) as AuditReport;
	} catch {
		return undefined;
	}
}
