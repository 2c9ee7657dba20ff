import type { AccountPlace } from '../account-transfer';
import { requireAccount } from '../account-transfer/source';
import { systemClock } from '../base/clock';
import { systemRandom } from '../base/random';
import { AuditService } from '../domain/audit/audit-service';
import type { AuditUseCases } from '../facade/http/audit';
import { accountHome } from '../store/open-store';

/** What can be asked about the audit of an account that no gateway has opened. */
export type StoredAudit = Pick<AuditUseCases, 'page' | 'head' | 'verify'>;

/**
 * Reads the audit of an account in its store, without the Backbone. Other processes may have the
 * account open.
 *
 * @throws `error.gateway.moving.noAccount`, and the codes of `openStore` about files and proof
 */
export async function readStoredAudit<Result>(
	place: AccountPlace,
	work: (audit: StoredAudit) => Promise<Result>,
): Promise<Result> {
	const dependencies = { clock: systemClock, random: systemRandom };
	const home = accountHome(place, { ...dependencies, environment: process.env });
	await requireAccount(home);
	await using store = await home.open(place, { alone: false });
	return await work(new AuditService({ store, ...dependencies }));
}
