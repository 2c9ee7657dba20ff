import { accessKeyRecordSchema } from '../../model/record/http/access-key';
import {
	auditChainRecordSchema,
	auditChainSecretsSchema,
	auditEntryRecordSchema,
} from '../../model/record/http/audit';
import {
	hostedAccountRecordSchema,
	hostedAccountSecretsSchema,
} from '../../model/record/http/hosted-account';
import {
	idempotencyKeyRecordSchema,
	idempotencyKeySecretsSchema,
} from '../../model/record/http/idempotency-key';
import { webhookRecordSchema, webhookSecretsSchema } from '../../model/record/http/webhook';
import { declare } from './collection-declaration';
import { sealedText, text } from './columns';

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
	accessKeys: declare(accessKeyRecordSchema, {
		table: 'access_keys',
		indexes: { unique: ['name', 'digest'], sparse: ['previousDigest'] },
		columns: {
			name: sealedText((r) => r.name),
			digest: text((r) => r.digest),
			previousDigest: text((r) => r.previous?.digest),
		},
	}),
	auditEntries: declare(auditEntryRecordSchema, { table: 'audit_entries', columns: {} }),
	auditChain: declare(auditChainRecordSchema, {
		table: 'audit_chain',
		secrets: auditChainSecretsSchema,
		columns: {},
	}),
	hostedAccounts: declare(hostedAccountRecordSchema, {
		table: 'hosted_accounts',
		secrets: hostedAccountSecretsSchema,
		columns: { createdAt: text((r) => r.createdAt) },
	}),
} as const;
