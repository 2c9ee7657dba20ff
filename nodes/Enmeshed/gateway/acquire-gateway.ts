import type { FunctionsBase } from 'n8n-workflow';
import type { GatewayConfigInput, GatewayFacade, GatewayLease } from '../../../core';
import { loadCore } from './core';
import { isObject, objectMember } from '../helpers/members';

export const credentialName = 'enmeshedBackboneApi';

/** Members of n8n's function objects that opening a gateway needs. */
export type GatewayHost = Pick<FunctionsBase, 'getCredentials' | 'logger'>;

interface AcquireOptions {
	readonly signal?: AbortSignal | undefined;
}

/**
 * Converts the credential to a configuration. Values may come from expressions, so texts are
 * trimmed and empty texts left out; the core validates them.
 */
export function toGatewayConfig(credential: object): GatewayConfigInput {
	const fields = isObject(credential) ? credential : {};
	const options = objectMember(credential, 'options');
	const { sealContents } = options;
	const addressHostname = textOf(options['addressHostname']);
	const pushUrl = textOf(options['pushAddress']);
	const folder = textOf(options['sqliteFolder']);
	const passphrase = secretOf(fields['storagePassphrase']);
	const previousClientSecret =
		options['clientWasRenewed'] === true ? secretOf(fields['previousClientSecret']) : undefined;
	return {
		backbone: {
			baseUrl: textOf(fields['backboneUrl']) ?? '',
			...(pushUrl === undefined ? {} : { pushUrl }),
			clientId: textOf(fields['clientId']) ?? '',
			clientSecret: secretOf(fields['clientSecret']) ?? '',
			...(addressHostname === undefined ? {} : { addressHostname }),
			...(options['allowPlainHttp'] === true ? { allowPlainHttp: true } : {}),
		},
		account: textOf(fields['accountName']) ?? '',
		store:
			fields['storage'] === 'postgres'
				? postgresStore(fields)
				: { kind: 'sqlite', ...(folder === undefined ? {} : { folder }) },
		...(passphrase === undefined ? {} : { passphrase }),
		...(previousClientSecret === undefined ? {} : { previousClientSecret }),
		...(typeof sealContents === 'boolean' ? { sealContents } : {}),
	};
}

function postgresStore(
	fields: Readonly<Record<string, unknown>>,
): NonNullable<GatewayConfigInput['store']> {
	const schema = textOf(fields['postgresSchema']);
	const tls = fields['postgresSsl'] === 'require';
	const tlsCa = tls ? textOf(fields['postgresCa']) : undefined;
	return {
		kind: 'postgres',
		host: textOf(fields['postgresHost']) ?? '',
		port: Number(fields['postgresPort'] ?? 5432),
		database: textOf(fields['postgresDatabase']) ?? '',
		user: textOf(fields['postgresUser']) ?? '',
		password: secretOf(fields['postgresPassword']) ?? '',
		...(schema === undefined ? {} : { schema }),
		tls,
		tlsAllowUnauthorized: tls && fields['postgresAllowUnauthorizedCerts'] === true,
		...(tlsCa === undefined ? {} : { tlsCa }),
	};
}

/** @throws the codes of the core's `acquireGateway` */
export async function leaseGateway(
	host: GatewayHost,
	config: GatewayConfigInput,
	options: AcquireOptions = {},
): Promise<GatewayLease> {
	const core = await loadCore();
	return await core.acquireGateway(config, {
		logger: core.createLogger(host.logger),
		...(options.signal === undefined ? {} : { signal: options.signal }),
	});
}

/**
 * Gateways of one node run. Credentials may contain expressions, so that items can address
 * different accounts: there is one lease per distinct configuration. A gateway that cannot be
 * opened fails all its items at once, without an attempt for each.
 */
export class GatewayPool {
	private readonly leases = new Map<string, Promise<GatewayLease>>();

	constructor(
		private readonly host: GatewayHost,
		private readonly signal: AbortSignal | undefined,
	) {}

	async gatewayFor(itemIndex: number): Promise<GatewayFacade> {
		const credential = await this.host.getCredentials(credentialName, itemIndex);
		const config = toGatewayConfig(credential);
		const key = JSON.stringify(config);
		let lease = this.leases.get(key);
		if (lease === undefined) {
			lease = leaseGateway(this.host, config, { signal: this.signal });
			this.leases.set(key, lease);
		}
		return (await lease).gateway;
	}

	async release(): Promise<void> {
		const settled = await Promise.allSettled(this.leases.values());
		for (const result of settled) {
			if (result.status === 'fulfilled') result.value.release();
		}
	}
}

function textOf(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	return text === '' ? undefined : text;
}

/** Does not trim the value, because blanks may be part of a secret. */
function secretOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
