import { codeOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { GatewayFacade } from '../../facade/gateway-facade';
import type { AuditActor, NewAuditEntry } from '../../model/record/http/audit';
import { RefusalCount } from '../audit/refusal-count';

const stranger: AuditActor = { kind: 'unknown', name: 'unknown' };

/** Rows of the audit about sign-ins on the page for operators (docs/adr/0051, docs/adr/0052). */
export class SignInRecord {
	private readonly refusals = new RefusalCount((entry) => this.write(entry));

	/**
	 * @param facadeOf use cases of an account (undefined: the default one); undefined while it is not
	 * open
	 */
	constructor(
		private readonly facadeOf: (account: string | undefined) => GatewayFacade | undefined,
		private readonly logger: Logger,
	) {}

	/** @param account that the page shows first; undefined for the default one */
	async signedIn(account: string | undefined, actor = stranger): Promise<void> {
		await this.write({ ...entryBy(actor, account), status: 200 }, account);
	}

	/** Notes a wrong key; many of a minute share few rows. */
	async refused(address: string): Promise<void> {
		await this.refusals.note({ ...entryBy(stranger), status: 401, address });
	}

	private async write(entry: NewAuditEntry, account?: string): Promise<void> {
		try {
			await this.facadeOf(account)?.audit.record(entry);
		} catch (error) {
			const facts = { code: codeOf(error), reason: String(error) };
			this.logger.error('a row of the audit could not be written', facts);
		}
	}
}

const entryBy = (actor: AuditActor, account = 'default') => ({
	...{ account, actor, method: 'POST', route: '/admin/session' },
});
