import { z } from 'zod';
import {
	discardedProblemDtoSchema,
	identityDtoSchema,
	problemDtoSchema,
	reconciliationDtoSchema,
	retriedProblemDtoSchema,
} from '../../../core';
import {
	attributeOutputSchema,
	createdTemplateOutputSchema,
	deletedAttributeOutputSchema,
	deletedOutputSchema,
	eventOutputSchema,
	fileOutputSchema,
	messageOutputSchema,
	relationshipOutputSchema,
	requestOutputSchema,
	sentRequestOutputSchema,
	successionOutputSchema,
	syncOutputSchema,
	syncStatusOutputSchema,
	templateOutputSchema,
	templateQrCodeOutputSchema,
	tokenOutputSchema,
	validationOutputSchema,
} from './output-schemas';

/** The version of the nodes that the schemas describe. */
const version = 'v1.0.0';

const byOperation: Readonly<Record<string, z.ZodType>> = {
	'account/discardProblem': discardedProblemDtoSchema,
	'account/getIdentity': identityDtoSchema,
	'account/getProblems': problemDtoSchema,
	'account/getSyncStatus': syncStatusOutputSchema,
	'account/reconcile': reconciliationDtoSchema,
	'account/retryProblem': retriedProblemDtoSchema,
	'account/sync': syncOutputSchema,
	'attribute/create': attributeOutputSchema,
	'attribute/get': attributeOutputSchema,
	'attribute/getAll': attributeOutputSchema,
	'attribute/delete': deletedAttributeOutputSchema,
	'attribute/executeQuery': attributeOutputSchema,
	'attribute/getSharedVersions': attributeOutputSchema,
	'attribute/getVersions': attributeOutputSchema,
	'attribute/notifyPeer': successionOutputSchema,
	'attribute/shareWithPeer': requestOutputSchema,
	'attribute/update': successionOutputSchema,
	'message/get': messageOutputSchema,
	'file/download': fileOutputSchema,
	'file/get': fileOutputSchema,
	'file/getAll': fileOutputSchema,
	'file/getQrCode': fileOutputSchema,
	'file/loadFromReference': fileOutputSchema,
	'file/upload': fileOutputSchema,
	'message/downloadAttachment': fileOutputSchema,
	'message/getAll': messageOutputSchema,
	'message/markAsRead': messageOutputSchema,
	'message/sendCustom': messageOutputSchema,
	'message/sendMail': messageOutputSchema,
	'message/sendRequest': sentRequestOutputSchema,
	'incomingRequest/accept': requestOutputSchema,
	'incomingRequest/checkAnswer': validationOutputSchema,
	'incomingRequest/get': requestOutputSchema,
	'incomingRequest/getAll': requestOutputSchema,
	'incomingRequest/reject': requestOutputSchema,
	'outgoingRequest/create': requestOutputSchema,
	'outgoingRequest/discard': deletedOutputSchema,
	'outgoingRequest/get': requestOutputSchema,
	'outgoingRequest/getAll': requestOutputSchema,
	'outgoingRequest/validate': validationOutputSchema,
	'relationship/accept': relationshipOutputSchema,
	'relationship/acceptReactivation': relationshipOutputSchema,
	'relationship/createFromTemplate': relationshipOutputSchema,
	'relationship/decompose': deletedOutputSchema,
	'relationship/get': relationshipOutputSchema,
	'relationship/getAll': relationshipOutputSchema,
	'relationship/reject': relationshipOutputSchema,
	'relationship/rejectReactivation': relationshipOutputSchema,
	'relationship/requestReactivation': relationshipOutputSchema,
	'relationship/revoke': relationshipOutputSchema,
	'relationship/revokeReactivation': relationshipOutputSchema,
	'relationship/terminate': relationshipOutputSchema,
	'relationshipTemplate/create': createdTemplateOutputSchema,
	'relationshipTemplate/delete': deletedOutputSchema,
	'relationshipTemplate/get': templateOutputSchema,
	'relationshipTemplate/getAll': templateOutputSchema,
	'relationshipTemplate/getQrCode': templateQrCodeOutputSchema,
	'token/create': tokenOutputSchema,
	'token/get': tokenOutputSchema,
	'token/getAll': tokenOutputSchema,
	'token/getQrCode': tokenOutputSchema,
	'token/loadFromReference': tokenOutputSchema,
	'relationshipTemplate/loadFromReference': templateOutputSchema,
};

/**
 * The output schemas from which the editor draws a preview before the first run. The build writes
 * them beside the node files: keys are paths below `dist/nodes/Enmeshed/__schema__`, values the JSON
 * of the file. The entry without resource and operation is the trigger's.
 */
export function generateSchemas(): Record<string, object> {
	const files: Record<string, object> = { [`${version}.json`]: describe(eventOutputSchema) };
	for (const [operation, schema] of Object.entries(byOperation)) {
		files[`${version}/${operation}.json`] = describe(schema);
	}
	return files;
}

/** Plain types only: the editor shows names and kinds and does not validate. */
function describe(schema: z.ZodType): object {
	const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
		target: 'draft-7',
		io: 'input',
		reused: 'inline',
		unrepresentable: 'any',
	});
	return { ...(withoutLimits(described) as object), version: 1 };
}

function withoutLimits(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutLimits);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(([name, inner]) => {
		const isLimit = name === 'minimum' || name === 'maximum' || name === 'additionalProperties';
		return !(isLimit && typeof inner !== 'object') && name !== 'propertyNames';
	});
	return Object.fromEntries(entries.map(([name, inner]) => [name, withoutLimits(inner)]));
}
