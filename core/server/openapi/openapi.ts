import * as z from 'zod';
import { gatewayEventSchema } from '../../events/event-names';
import { announcementDtoSchema } from '../../model/record/announcement';
import { attributeDtoSchema, attributeWithoutOwnerDtoSchema } from '../../model/record/attribute';
import { challengeDtoSchema } from '../../model/record/challenge';
import { identityDeletionProcessDtoSchema } from '../../model/record/deletion-process';
import { fileDtoSchema } from '../../model/record/file';
import { identityDtoSchema } from '../../model/record/identity';
import { identityMetadataDtoSchema } from '../../model/record/identity-metadata';
import { localAttributeDtoSchema } from '../../model/record/local-attribute';
import { messageDtoSchema } from '../../model/record/message';
import { relationshipDtoSchema } from '../../model/record/relationship';
import { requestDtoSchema } from '../../model/record/request';
import { templateDtoSchema } from '../../model/record/template';
import { webhookDtoSchema } from '../../model/record/http/webhook';
import { tokenDtoSchema } from '../../model/record/token';
import {
	deletionProcessOfVersion7Schema,
	fileOfVersion7Schema,
	relationshipOfVersion7Schema,
	templateOfVersion7Schema,
	tokenOfVersion7Schema,
} from '../../model/version-7/shown-objects';
import { requiredRoles, rolesText } from '../authentication/roles';
import type { AuthenticationConfig } from '../config/authentication-config';
import { errorEnvelopeSchema } from '../error-response';
import { eventStreamPath } from '../event-stream/event-stream';
import { eventQuery } from '../input/event-query';
import { monitoringPaths } from './openapi-monitoring';
import { eventGroup } from '../routes/extensions/events';
import { attributeTag, validationResult } from '../routes/results';
import { instant } from '../routes/inputs';
import type { Route, RouteGroup } from '../routes/route';
import type { ConnectorVersion } from '../connector-version';
import type { AccountHost } from '../accounts/account-host';
import { surfacesOf, type Surface } from '../surfaces';

type Schema = {
	properties?: Record<string, Schema>;
	required?: readonly string[];
	[member: string]: unknown;
};

type WrittenSchema = Schema & { $defs?: Record<string, Schema> };

/** Schemas that the document names; others are written where they are used. */
const named = {
	Announcement: announcementDtoSchema,
	Attribute: attributeDtoSchema,
	AttributeRecord: attributeWithoutOwnerDtoSchema,
	AttributeTag: attributeTag,
	Challenge: challengeDtoSchema,
	Event: gatewayEventSchema,
	File: fileDtoSchema,
	IdentityDeletionProcess: identityDeletionProcessDtoSchema,
	IdentityInfo: identityDtoSchema,
	IdentityMetadata: identityMetadataDtoSchema,
	Message: messageDtoSchema,
	Relationship: relationshipDtoSchema,
	RelationshipTemplate: templateDtoSchema,
	Request: requestDtoSchema,
	RequestValidationResult: validationResult,
	Token: tokenDtoSchema,
	Webhook: webhookDtoSchema,
} as const;

/** Schemas of version 7 by the same names. */
const namedInVersion7 = {
	...named,
	Attribute: localAttributeDtoSchema,
	File: fileOfVersion7Schema,
	IdentityDeletionProcess: deletionProcessOfVersion7Schema,
	Relationship: relationshipOfVersion7Schema,
	RelationshipTemplate: templateOfVersion7Schema,
	Token: tokenOfVersion7Schema,
} as const;

const parameterInPath = /:(\w+)/g;

const parameterNames = (path: string): string[] =>
	[...path.matchAll(parameterInPath)].map(([, name = '']) => name);

const withParameters = (path: string, names: readonly string[]): string => {
	const rest = [...names];
	return path.replaceAll(parameterInPath, () => `{${rest.shift() ?? ''}}`);
};

const groupsOf = ({ prefixes: [prefix], groups }: Surface) =>
	groups.map((group) => ({ group, prefix }));

/** Table of routes as an OpenAPI 3.1 document (docs/protocol/http-api.md 8.15). */
export function openApiDocument(options: {
	readonly version: string;
	readonly debug: boolean;
	readonly connectorVersion?: ConnectorVersion | undefined;
	readonly authentication?: AuthenticationConfig | undefined;
	readonly accounts?: AccountHost | undefined;
	/** absent if the server has no figures */
	readonly metrics?: object | undefined;
}): object {
	const { connectorVersion: version = 6 } = options;
	const surfaces = surfacesOf(options);
	const surface = surfaces.find((one) => one.version === version);
	if (surface === undefined) throw new TypeError('There is no such version');
	// The same operations stand below both prefixes; the document names one.
	const [describedPrefix, otherPrefix] = surface.prefixes;
	const beside = surfaces.filter(({ prefixes: [prefix] }) => prefix === '');
	const described = [surface, ...beside].flatMap(groupsOf);
	const schemas = new SchemaWriter(surface.version);
	const paths: Record<string, Record<string, unknown>> = {};
	const parametersOfShape = new Map<string, readonly string[]>();
	for (const { group, prefix } of described) {
		for (const route of group.routes) {
			// Paths that differ in the names of parameters only would be the same path twice.
			const shape = route.path.replaceAll(parameterInPath, ':');
			const names = parametersOfShape.get(shape) ?? parameterNames(route.path);
			parametersOfShape.set(shape, names);
			const path = prefix + withParameters(route.path, names);
			paths[path] = {
				...paths[path],
				[route.method.toLowerCase()]: operation(route, { group, names, schemas, version }),
			};
		}
	}
	paths[eventStreamPath] = eventStreamOperation(schemas, version);
	Object.assign(
		paths,
		monitoringPaths((schema) => schemas.write(schema, 'output'), {
			connectorVersion: version,
			hasMetrics: options.metrics !== undefined,
		}),
	);
	const securitySchemes = securitySchemesOf(options);
	const error = schemas.write(errorEnvelopeSchema, 'output');
	return {
		openapi: '3.1.0',
		info: {
			title: 'enmeshed gateway',
			version: options.version,
			description: [
				'The REST interface of this gateway.',
				otherPrefix === undefined
					? 'The paths of version 6 stand below `/api/v2`;'
					: `Every path below \`${describedPrefix}\` exists below \`${otherPrefix}\` too;`,
				'`GET /health` needs no key.',
			].join(' '),
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/' }],
		security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
		tags: [...described.map(({ group }) => group.name), 'Monitoring'].map((name) => ({
			name,
		})),
		paths,
		components: {
			securitySchemes,
			schemas: schemas.definitions,
			responses: {
				Error: {
					description: 'The error, with a code to branch on.',
					content: { 'application/json': { schema: error } },
				},
			},
		},
	};
}

/** Ways to authenticate; of version 7 only those that are switched on. */
function securitySchemesOf({
	connectorVersion,
	authentication,
}: Parameters<typeof openApiDocument>[0]): Record<string, object> {
	const isShown = (method: 'apiKey' | 'jwtBearer'): boolean =>
		connectorVersion !== 7 || authentication?.[method].enabled === true;
	const name = authentication?.apiKey.headerName ?? 'X-API-KEY';
	return {
		...(isShown('apiKey') ? { ApiKey: { type: 'apiKey', in: 'header', name } } : {}),
		...(isShown('jwtBearer')
			? { Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }
			: {}),
	};
}

interface OperationContext {
	readonly version: ConnectorVersion;
	readonly group: RouteGroup;
	/** parameters in the path, in their order */
	readonly names: readonly string[];
	readonly schemas: SchemaWriter;
}

function operation(route: Route, context: OperationContext): object {
	const { group, names, schemas, version } = context;
	const shapes: Readonly<Record<string, unknown>> = route.parameters;
	const parameters = Object.fromEntries(
		parameterNames(route.path).map((name, index) => [names[index] ?? name, shapes[name]]),
	);
	const words = route.path.split('/').filter(Boolean);
	return {
		tags: [group.name],
		operationId: [
			route.method.toLowerCase(),
			...words.map((word) => word.replace(':', 'By-')),
		].join('-'),
		summary: route.summary,
		description: rolesText(requiredRoles(group)[version]),
		parameters: [
			...parametersOf(z.object(parameters), 'path', schemas),
			...parametersOf(route.query, 'query', schemas),
			...parametersOf(route.filters, 'query', schemas),
		],
		...(route.body === undefined ? {} : { requestBody: bodyOf(route, schemas) }),
		responses: {
			[route.status]: { description: 'Success', ...answerOf(route, schemas) },
			default: { $ref: '#/components/responses/Error' },
		},
	};
}

/** Operation of the event stream, which has no prefix. */
function eventStreamOperation(
	schemas: SchemaWriter,
	version: ConnectorVersion,
): Record<string, unknown> {
	const event = schemas.write(gatewayEventSchema, 'output');
	return {
		get: {
			tags: ['Events'],
			operationId: 'stream-Events',
			summary: 'Streams every event as server-sent events.',
			description: `${rolesText(requiredRoles(eventGroup)[version])} Each event has its sequence as \`id\`, its name as \`event\` and an Event as \`data\`. A comment is sent every 15 seconds. A stream ends after an hour at the latest, and can be resumed. Clients that prefer JSON get a page instead, and the stream is also served below the prefixes.`,
			parameters: [
				...parametersOf(eventQuery, 'query', schemas),
				{
					name: 'Last-Event-ID',
					in: 'header',
					description: 'Resumes after this event; takes precedence over the query `after`.',
					schema: { type: 'string' },
				},
			],
			responses: {
				200: {
					description: 'Success',
					content: { 'text/event-stream': { schema: { type: 'string' }, 'x-data': event } },
				},
				default: { $ref: '#/components/responses/Error' },
			},
		},
	};
}

function parametersOf(
	schema: z.ZodType | undefined,
	where: 'path' | 'query',
	schemas: SchemaWriter,
): object[] {
	if (schema === undefined) return [];
	const { properties = {}, required = [] } = schemas.write(schema, 'input');
	return Object.entries(properties).map(([name, of]) => ({
		name,
		in: where,
		required: where === 'path' || required.includes(name),
		schema: of,
	}));
}

function bodyOf(route: Route, schemas: SchemaWriter): object {
	const schema = schemas.write(route.body ?? z.unknown(), 'input');
	if (route.multipart !== true) {
		// A missing body is an empty object.
		const required = schema.required !== undefined;
		return { required, content: { 'application/json': { schema } } };
	}
	// The multipart field is called `file`; the use case receives it as `content`.
	const { content: _content, ...properties } = schema.properties ?? {};
	const file = { type: 'string', format: 'binary' };
	return {
		required: true,
		content: {
			'multipart/form-data': {
				schema: { type: 'object', properties: { file, ...properties }, required: ['file'] },
			},
		},
	};
}

function answerOf(route: Route, schemas: SchemaWriter): object {
	if (route.download !== undefined) return { content: { 'application/octet-stream': {} } };
	if (route.status === 204) return {};
	const result = schemas.write(route.result ?? z.unknown(), 'output');
	const schema = { type: 'object', properties: { result }, required: ['result'] };
	return {
		content: {
			'application/json': { schema },
			...(route.picture === undefined ? {} : { 'image/png': {} }),
		},
	};
}

/** Writes schemas as JSON Schema and collects the named ones in one place. */
class SchemaWriter {
	readonly definitions: Record<string, unknown> = {};

	private readonly registry = z.registry<{ id: string }>();

	constructor(private readonly version: ConnectorVersion) {
		const names = version === 7 ? namedInVersion7 : named;
		for (const [id, schema] of Object.entries(names)) this.registry.add(schema, { id });
	}

	write(schema: z.ZodType, io: 'input' | 'output'): Schema {
		const written = z.toJSONSchema(schema, {
			io,
			metadata: this.registry,
			// Checks that JSON Schema cannot express are documented as any value.
			unrepresentable: 'any',
			override: ({ zodSchema, jsonSchema }) => {
				if (zodSchema === instant) jsonSchema.format = 'date-time';
				// Answers may gain members, so the document must allow unknown ones.
				if (io === 'output' && jsonSchema.additionalProperties === false) {
					delete jsonSchema.additionalProperties;
				}
				// Version 7 accepts it and draws the link nevertheless.
				if (this.version === 7) delete jsonSchema.properties?.['newQRCodeFormat'];
			},
		});
		const text = JSON.stringify(written).replaceAll('#/$defs/', '#/components/schemas/');
		const { $defs, $schema: _schema, id: _id, ...rest }: WrittenSchema = JSON.parse(text);
		for (const [name, { id: _definitionId, ...members }] of Object.entries($defs ?? {})) {
			this.definitions[name] = members;
		}
		return rest;
	}
}
