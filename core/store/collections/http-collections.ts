import {
	idempotencyKeyRecordSchema,
	idempotencyKeySecretsSchema,
} from '../../model/record/http/idempotency-key';
import { webhookRecordSchema, webhookSecretsSchema } from '../../model/record/http/webhook';
import { declare } from './collection-declaration';
import { text } from './columns';

/** Collections that only the clients of the HTTP gateway fill. */
export const httpCollections = {
	webhooks: declare(webhookRecordSchema, {
		table: 'webhooks',
		secrets: webhookSecretsSchema,
		irreplaceable: true,
		columns: {},
	}),
	idempotencyKeys: declare(idempotencyKeyRecordSchema, {
		table: 'idempotency_keys',
		secrets: idempotencyKeySecretsSchema,
		indexes: { all: [{ fields: ['createdAt'] }] },
		columns: { createdAt: text((r) => r.createdAt) },
	}),
} as const;
