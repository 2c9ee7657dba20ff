import * as z from 'zod';
import { identityDtoSchema } from '../../model/record/identity';
import { healthSchema, livenessSchema, readinessSchema } from './health';
import { monitoringRoles, rolesText } from '../authentication/roles';
import type { ConnectorVersion } from '../connector-version';

const build = { version: z.string(), build: z.string(), date: z.string(), commit: z.string() };

const version = z.object({
	...build,
	runtimeVersion: z.string(),
	modules: z.record(z.string(), z.object(build)),
});

const requests = z.object({
	since: z.iso.datetime(),
	requestCount: z.number(),
	requestCountByStatus: z.record(z.string(), z.number()),
});

const support = z.object({
	version,
	health: healthSchema,
	configuration: z.unknown(),
	identityInfo: z.union([identityDtoSchema, z.object({ error: z.string() })]),
});

type Write = (schema: z.ZodType) => object;

/**
 * Paths beside the prefixes, which answer without envelopes (docs/protocol/http-api.md 8.14).
 *
 * @param write writes the schema of an answer as JSON Schema
 * @param options.connectorVersion version that is served, which decides about the roles
 */
export function monitoringPaths(
	write: Write,
	{ connectorVersion, hasMetrics }: { connectorVersion: ConnectorVersion; hasMetrics: boolean },
): Record<string, Record<string, unknown>> {
	const answer = (description: string, schema: z.ZodType): object => ({
		description,
		content: { 'application/json': { schema: write(schema) } },
	});
	const monitoring = (name: string, summary: string, schema: z.ZodType): object => ({
		tags: ['Monitoring'],
		operationId: `get-Monitoring-${name}`,
		summary,
		description: rolesText(monitoringRoles(name)[connectorVersion]),
		responses: {
			200: answer('Success', schema),
			default: { $ref: '#/components/responses/Error' },
		},
	});
	const health = {
		tags: ['Monitoring'],
		operationId: 'get-health',
		summary: 'State of the gateway; needs no key.',
		security: [],
		responses: {
			200: answer('Everything is healthy.', healthSchema),
			500: answer('Something is unhealthy.', healthSchema),
		},
	};
	const open = (name: string, summary: string) => ({
		tags: ['Monitoring'],
		operationId: `get-health-${name}`,
		summary,
		security: [],
	});
	const live = {
		...open('live', 'Answers while the process works; needs no key.'),
		responses: { 200: answer('The process works.', livenessSchema) },
	};
	const ready = {
		...open('ready', 'Whether requests can be served, without asking the Backbone; needs no key.'),
		responses: {
			200: answer('Requests can be served.', readinessSchema),
			503: answer('The store does not answer, or the process is closing.', readinessSchema),
		},
	};
	const metrics = {
		tags: ['Monitoring'],
		operationId: 'get-metrics',
		summary: 'Figures of the process and its accounts in the text format of Prometheus.',
		description: rolesText(monitoringRoles('metrics')[connectorVersion]),
		responses: {
			200: { description: 'Success', content: { 'text/plain': { schema: { type: 'string' } } } },
			default: { $ref: '#/components/responses/Error' },
		},
	};
	const operations = {
		'/health': health,
		'/health/live': live,
		'/health/ready': ready,
		...(hasMetrics ? { '/metrics': metrics } : {}),
		'/Monitoring/Version': monitoring('Version', 'Version and build of the gateway.', version),
		'/Monitoring/Requests': monitoring('Requests', 'Number of answers by status.', requests),
		'/Monitoring/Support': monitoring(
			'Support',
			'Information for support; the configuration contains no secrets.',
			support,
		),
	};
	return Object.fromEntries(Object.entries(operations).map(([path, get]) => [path, { get }]));
}
