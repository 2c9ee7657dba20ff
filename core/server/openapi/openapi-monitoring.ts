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
): Record<string, object> {
	const answer = (description: string, schema: z.ZodType): object => ({
		description,
		content: { 'application/json': { schema: write(schema) } },
	});
	const operation = (name: string, summary: string, more: object): object => ({
		get: { tags: ['Monitoring'], operationId: `get-${name}`, summary, ...more },
	});
	const withoutKey = (responses: object): object => ({ security: [], responses });
	const forRoles = (name: string, success: object): object => ({
		description: rolesText(monitoringRoles(name)[connectorVersion]),
		responses: { 200: success, default: { $ref: '#/components/responses/Error' } },
	});
	const monitoring = (name: string, summary: string, schema: z.ZodType): object =>
		operation(`Monitoring-${name}`, summary, forRoles(name, answer('Success', schema)));
	const figures = {
		description: 'Success',
		content: { 'text/plain': { schema: { type: 'string' } } },
	};
	return {
		'/health': operation(
			'health',
			'State of the gateway; needs no key.',
			withoutKey({
				200: answer('Everything is healthy.', healthSchema),
				500: answer('Something is unhealthy.', healthSchema),
			}),
		),
		'/health/live': operation(
			'health-live',
			'Answers while the process works; needs no key.',
			withoutKey({ 200: answer('The process works.', livenessSchema) }),
		),
		'/health/ready': operation(
			'health-ready',
			'Whether requests can be served, without asking the Backbone; needs no key.',
			withoutKey({
				200: answer('Requests can be served.', readinessSchema),
				503: answer('The store does not answer, or the process is closing.', readinessSchema),
			}),
		),
		...(hasMetrics && {
			'/metrics': operation(
				'metrics',
				'Figures of the process and its accounts in the text format of Prometheus.',
				forRoles('metrics', figures),
			),
		}),
		'/Monitoring/Version': monitoring('Version', 'Version and build of the gateway.', version),
		'/Monitoring/Requests': monitoring('Requests', 'Number of answers by status.', requests),
		'/Monitoring/Support': monitoring(
			'Support',
			'Information for support; the configuration contains no secrets.',
			support,
		),
	};
}
